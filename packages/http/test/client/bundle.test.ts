import { readFileSync } from "node:fs"
import { join } from "node:path"
import { brotliCompressSync } from "node:zlib"
import { assert, describe, it } from "@effect/vitest"
import { rolldown } from "rolldown"
import { clientTypes } from "../support/clientTypes.ts"

const folder = join(import.meta.dirname, "../../src/client")

/** The client as a page loads it. */
const bundle = async () => {
  const build = await rolldown({ input: join(folder, "index.ts"), platform: "browser", logLevel: "silent" })
  const { output } = await build.generate({ format: "esm", minify: true })
  await build.close()
  return output[0]
}

describe("the client", () => {
  it("is small and needs nothing else", async () => {
    const { code, imports, moduleIds } = await bundle()
    assert.deepStrictEqual(imports, [])
    for (const id of moduleIds) assert.isTrue(id.startsWith(folder), id)
    assert.isBelow(code.length, 10_000)
    assert.isBelow(brotliCompressSync(code).length, 4_000)
  })

  it("has the types of this version's document: `npm run client:types -w packages/http` makes them again", async () => {
    assert.strictEqual(readFileSync(join(folder, "openapi.ts"), "utf8"), await clientTypes())
  })
})
