import { spawnSync } from "node:child_process"
import { mkdirSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, assert, describe, it } from "@effect/vitest"
import { assertCode, removeHome, startServe, temporaryHome } from "./support/commandLine.ts"
import type { RecordedStart } from "./support/recordStart.ts"

const home = temporaryHome()
afterAll(() => removeHome(home))

const cacheFolder = join(home, "cache")
mkdirSync(cacheFolder)
const recordFile = join(home, "start.json")
const recordingEnvironment = {
  NODE_OPTIONS: `--import=${join(import.meta.dirname, "support/recordStart.ts")}`,
  RECORD_START: recordFile,
  COUNTERSIGN_CACHE: cacheFolder
}

const sources = join(import.meta.dirname, "../src/sources.mjs")

const readRecordedStart = (): RecordedStart => JSON.parse(readFileSync(recordFile, "utf8"))

/** Modules that only the sandbox and tests use. */
const NON_PRODUCTION_MODULE =
  /\/packages\/(?:adapters\/(?:sandbox|src\/home|test)|cli\/src\/(?:sandbox|demo))\/|\.(?:test|contract|fixture)\.ts$|@foundry-rs/u

const assertForProduction = ({ modules, processes }: RecordedStart) => {
  assert.isAbove(modules.filter((url) => url.includes("/packages/core/src/")).length, 50)
  assert.deepStrictEqual(
    modules.filter((url) => NON_PRODUCTION_MODULE.test(url)),
    []
  )
  assert.deepStrictEqual(processes, [])
  assert.deepStrictEqual(readdirSync(cacheFolder), [])
}

describe("production", () => {
  it("is served without the sandbox, npm or any other process, also on a cold cache", async () => {
    const settings = {
      ...recordingEnvironment,
      RPC_URL_1: "http://127.0.0.1:1",
      OPERATOR_PRIVATE_KEYS_0_7: `0x${"11".repeat(32)}`,
      OPERATOR_PRIVATE_KEYS_0_8: `0x${"12".repeat(32)}`
    }
    const service = await startServe(home, ["--port", "0"], settings, "FROM_CHECKOUT")
    assert.strictEqual((await fetch(`${service.url}/readyz`)).status, 200)
    assertCode(await service.stop(), 0)
    assertForProduction(readRecordedStart())
  })

  const recordImport = (name: string): RecordedStart => {
    const { status, stderr } = spawnSync(
      process.execPath,
      [`--import=${sources}`, "--input-type=module", "--eval", `await import("${name}")`],
      { cwd: import.meta.dirname, env: { ...process.env, ...recordingEnvironment }, encoding: "utf8" }
    )
    assert.strictEqual(status, 0, stderr)
    return readRecordedStart()
  }

  it.each(["@countersign/adapters/service/composition", "@countersign/http"])(
    "imports %s without the sandbox",
    (name) => assertForProduction(recordImport(name))
  )

  it("detects an import of the sandbox in this test", () => {
    const { modules } = recordImport("@countersign/adapters/sandbox")
    assert.isAbove(modules.filter((url) => NON_PRODUCTION_MODULE.test(url)).length, 20)
  })
})
