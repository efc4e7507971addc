import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { brotliCompressSync } from "node:zlib"
import { assert, describe, it } from "@effect/vitest"
import openapiTS, { astToString } from "openapi-typescript"
import { rolldown } from "rolldown"
import ts from "typescript"
import { openApiDocument } from "../../src/reference/index.ts"

const folder = join(import.meta.dirname, "../../src/client")

/** Bundles the client for a web page. */
const bundleClient = async () => {
  const build = await rolldown({ input: join(folder, "index.ts"), platform: "browser", logLevel: "silent" })
  const { output } = await build.generate({ format: "esm", minify: true })
  await build.close()
  return output[0]
}

/** Returns a program that contains the request of the README, unchanged, and a request that must not compile. */
const readmeProgram = () => {
  const readme = readFileSync(join(import.meta.dirname, "../../../../README.md"), "utf8")
  const [, request] = /client\.swap\.quote\((\{.*?\})\)/su.exec(readme) ?? []
  assert.isDefined(request)
  return `
const [walletAddress, USDC, WETH] = ["0x1", "0x2", "0x3"] as const
type SwapBody = paths["/api/v1/crypto/swap"]["post"]["requestBody"]["content"]["application/json"]
export const request: SwapBody = ${request}
// @ts-expect-error A request requires amountIn.
export const refused: SwapBody = { walletAddress }
`
}

const problemsOf = (source: string): ReadonlyArray<unknown> => {
  const file = join(mkdtempSync(join(tmpdir(), "countersign-types-")), "openapi.ts")
  writeFileSync(file, source)
  const program = ts.createProgram([file], {
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    noEmit: true,
    target: ts.ScriptTarget.ES2022,
    types: []
  })
  const problems = ts.getPreEmitDiagnostics(program).map(({ messageText }) => messageText)
  rmSync(dirname(file), { recursive: true })
  return problems
}

describe("the types that openapi-typescript generates from the whole document with its defaults", () => {
  it("compile in strict mode, and accept the README's request", async () => {
    const types = astToString(await openapiTS(JSON.parse(JSON.stringify(openApiDocument()))))
    assert.deepStrictEqual(problemsOf(types + readmeProgram()), [])
  })
})

describe("the client", () => {
  it("is small and has no dependency", async () => {
    const { code, imports, moduleIds } = await bundleClient()
    assert.deepStrictEqual(imports, [])
    for (const id of moduleIds) assert.isTrue(id.startsWith(folder), id)
    assert.isBelow(code.length, 14_200)
    // A new endpoint adds a line to the table of requests: about 80 bytes, or 15 bytes compressed.
    assert.isBelow(brotliCompressSync(code).length, 5_100)
  })
})
