import { afterAll, assert, describe, it } from "@effect/vitest"
import { assertCode, removeHome, startServe, temporaryHome } from "./support/commandLine.ts"

const home = temporaryHome()
afterAll(() => removeHome(home))

const NODE = { RPC_URL_1: "http://127.0.0.1:1" }

describe("countersign serve", () => {
  it.each([
    ["PORT is 0", { PORT: "0" }, []],
    ["--port is 0, whatever PORT is", { PORT: "1" }, ["--port", "0"]],
    ["LOG_LEVEL is in lower case", { LOG_LEVEL: "info" }, ["--port", "0"]]
  ] as const)("listens on any port that is free where %s", { timeout: 60_000 }, async (_, environment, words) => {
    const service = await startServe(home, words, { ...NODE, ...environment })
    assert.match(service.url, /^http:\/\/127\.0\.0\.1:[1-9]\d{3,4}$/u)
    assert.strictEqual((await fetch(`${service.url}/healthz`)).status, 200)
    const outcome = await service.stop()
    assertCode(outcome, 0)
    assert.match(outcome.err, /Stopped\.\n$/u)
  })
})
