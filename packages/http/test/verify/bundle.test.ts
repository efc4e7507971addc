import { join } from "node:path"
import { gzipSync } from "node:zlib"
import { assert, describe, it } from "@effect/vitest"
import { rolldown } from "rolldown"

const folder = join(import.meta.dirname, "../../src/verify")

describe("the verifier", () => {
  it("is small, and depends on keccak only: a page loads it without Node, viem or the client", async () => {
    const build = await rolldown({ input: join(folder, "index.ts"), platform: "browser", logLevel: "silent" })
    const { output } = await build.generate({ format: "esm", minify: true })
    await build.close()
    const [{ code, imports, moduleIds }] = output
    assert.deepStrictEqual(imports, [])
    for (const id of moduleIds) assert.match(id, /src\/verify\/|\/@noble\/hashes\//u)
    assert.isBelow(code.length, 101_000)
    assert.isBelow(gzipSync(code).length, 36_200)
  })
})
