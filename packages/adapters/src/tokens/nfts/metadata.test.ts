import { assert, describe, it } from "@effect/vitest"
import { metadataOf, metadataSource, withId } from "./metadata.ts"

const GATEWAY = "https://gateway.example/ipfs/"

describe("metadataPlace", () => {
  it("reads data URLs in every format that contracts use", () => {
    const json = `{"name":"№ 1 100 %"}`
    for (const uri of [
      `data:application/json;base64,${Buffer.from(json).toString("base64")}`,
      `data:application/json;charset=utf-8;base64,${Buffer.from(json).toString("base64")}`,
      `data:application/json,${encodeURIComponent(json)}`,
      `data:application/json;utf8,${json}`
    ]) {
      assert.deepStrictEqual(metadataSource(uri, null), { json }, uri)
    }
  })

  it("resolves ipfs to the gateway, and to nothing without one", () => {
    for (const uri of ["ipfs://bafy/1.json", "ipfs://ipfs/bafy/1.json"]) {
      assert.deepStrictEqual(metadataSource(uri, GATEWAY), { url: "https://gateway.example/ipfs/bafy/1.json" })
      assert.isNull(metadataSource(uri, null))
    }
  })

  it("resolves to nothing for other URLs", () => {
    for (const uri of ["", "1.json", "ar://x", "file:///etc/passwd", "javascript:alert(1)", "data:text/html,<b>"]) {
      assert.isNull(metadataSource(uri, GATEWAY), uri)
    }
  })
})

describe("metadataOf", () => {
  it("has the three fields, and an image only if it is a web URL or a data URL", () => {
    const readMetadata = (fields: unknown) => metadataOf(JSON.stringify(fields), GATEWAY)
    assert.deepStrictEqual(readMetadata({ name: "A", description: "B", image: "ipfs://c", attributes: [] }), {
      name: "A",
      description: "B",
      image: "https://gateway.example/ipfs/c"
    })
    assert.strictEqual(
      readMetadata({ image: "data:image/svg+xml;base64,AA==" })?.image,
      "data:image/svg+xml;base64,AA=="
    )
    assert.strictEqual(readMetadata({ image_url: "https://a.example/b.png" })?.image, "https://a.example/b.png")
    for (const image of [
      "javascript:alert(1)",
      "data:text/html,<script>",
      7,
      `data:image/png,${"a".repeat(300_000)}`
    ]) {
      assert.isNull(readMetadata({ image })?.image)
    }
    assert.deepStrictEqual(readMetadata({ name: 7, description: null }), { name: null, description: null, image: null })
    assert.strictEqual(readMetadata({ name: "x".repeat(9_999) })?.name?.length, 200)
  })

  it("is null for text that is not a JSON object", () => {
    for (const text of ["", "{", "[]", "null", `"text"`, "<html>"]) assert.isNull(metadataOf(text, null), text)
  })
})

describe("withId", () => {
  it("inserts the id as ERC-1155 requires", () => {
    assert.strictEqual(
      withId("https://a.example/{id}.json", 314_592n),
      "https://a.example/000000000000000000000000000000000000000000000000000000000004cce0.json"
    )
  })
})
