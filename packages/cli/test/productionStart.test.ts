import { mkdirSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, assert, describe, it } from "@effect/vitest"
import { assertCode, removeHome, startServe, temporaryHome } from "./support/commandLine.ts"

const home = temporaryHome()
afterAll(() => removeHome(home))

const cache = join(home, "cache")
mkdirSync(cache)
const recorded = join(home, "start.json")
const recorder = join(import.meta.dirname, "support/recordStart.ts")

describe("a production start", () => {
  it("starts no process and fetches no contract, with a bundler and a cold cache", { timeout: 60_000 }, async () => {
    const service = await startServe(home, ["--port", "0"], {
      NODE_OPTIONS: `--import=${recorder}`,
      RECORD_START: recorded,
      COUNTERSIGN_CACHE: cache,
      RPC_URL_1: "http://127.0.0.1:1",
      OPERATOR_PRIVATE_KEY: `0x${"11".repeat(32)}`
    })
    assert.strictEqual((await fetch(`${service.url}/readyz`)).status, 200)
    assertCode(await service.stop(), 0)
    const { modules, processes } = JSON.parse(readFileSync(recorded, "utf8"))
    assert.isAbove(modules.length, 100)
    assert.deepStrictEqual(processes, [])
    assert.deepStrictEqual(readdirSync(cache), [])
  })
})
