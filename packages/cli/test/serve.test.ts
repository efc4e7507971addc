import { readdirSync, statSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { afterAll, assert, describe, it } from "@effect/vitest"
import { waitUntil } from "../../core/test/support/until.ts"
import { assertCode, removeHome, runHere, startServe, temporaryHome } from "./support/commandLine.ts"

const home = temporaryHome()
afterAll(() => removeHome(home))

const NODE = { RPC_URL_1: "http://127.0.0.1:1" }

/** Starts a node of BNB Smart Chain. */
const startOtherChain = async () => {
  const node = createServer(async (request, response) => {
    const chunks: Array<Buffer> = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const rpcRequests = JSON.parse(Buffer.concat(chunks).toString())
    const block = { number: "0x1", hash: `0x${"0".repeat(64)}`, timestamp: "0x1", transactions: [] }
    const responses = [rpcRequests].flat().map(({ id, method }) => {
      return { jsonrpc: "2.0", id, result: method === "eth_chainId" ? "0x38" : block }
    })
    response.setHeader("content-type", "application/json")
    response.end(JSON.stringify(Array.isArray(rpcRequests) ? responses : responses[0]))
  })
  await new Promise<void>((resolve) => node.listen(0, "127.0.0.1", resolve))
  const { port } = node.address() as AddressInfo
  return { host: `127.0.0.1:${port}`, close: () => node.close() }
}

describe("countersign serve", () => {
  it.each([
    ["PORT is 0", { PORT: "0" }, []],
    ["--port is 0, whatever PORT is", { PORT: "1" }, ["--port", "0"]]
  ] as const)("listens on any port that is free where %s", async (_, environment, words) => {
    const service = await startServe(home, words, { ...NODE, LOG_LEVEL: "info", ...environment })
    assert.match(service.url, /^http:\/\/127\.0\.0\.1:[1-9]\d{3,4}$/u)
    assert.strictEqual((await fetch(`${service.url}/healthz`)).status, 200)
    const outcome = await service.stop()
    assertCode(outcome, 0)
    assert.match(outcome.err, /Stopped\.\n$/u)
  })

  it("prints its features and missing settings as one document, without credentials", async () => {
    const service = await startServe(home, ["--port", "0"], {
      RPC_URL_1: "http://someone:credential-1@127.0.0.1:1/credential-2?key=credential-3",
      OPERATOR_PRIVATE_KEYS_0_7: `0x${"11".repeat(32)}`,
      OPERATOR_PRIVATE_KEYS_0_8: `0x${"12".repeat(32)}`,
      OTLP_URL: "http://someone:credential-4@127.0.0.1:1/credential-5",
      METRICS_TOKEN: "credential-6",
      SMTP_URL: "smtp://someone:credential-7@127.0.0.1:1",
      MAIL_FROM: "tax@example.com",
      CORS_ORIGINS: "https://app.example.com"
    })
    const files = readdirSync(home).filter((name) => name.startsWith("countersign.db"))
    const { out } = await service.stop("SIGTERM")
    const lines = out.trim().split("\n")
    const [, listening] = JSON.parse(lines.find((line) => line.includes('"listening"'))!).message
    assert.strictEqual(listening.url, service.url)
    assert.match(listening.lacks["Ethereum (1)"], /^127\.0\.0\.1:1 could not be reached/u)
    assert.match(listening.lacks.paymaster, /^not configured/u)
    assert.include(listening.has.database, join(home, "countersign.db"))
    assert.match(listening.has.bundler, /^its own; EntryPoint 0\.7 by 0x[0-9a-f]{40};/u)
    assert.strictEqual(listening.has.browsers, "https://app.example.com")
    assert.strictEqual(listening.has.mail, "by 127.0.0.1:1, from tax@example.com")
    assert.strictEqual(listening.has.traces, "to 127.0.0.1:1")
    assert.include(listening.has.limits, "512 concurrent requests and 10000 connections")
    assert.notMatch(out, /credential|0x1111|0x1212/u)
    assert.isAbove(files.length, 1)
    for (const file of files.filter((name) => readdirSync(home).includes(name))) {
      assert.strictEqual(statSync(join(home, file)).mode & 0o777, 0o600)
    }
  })

  it("logs an unhandled rejection, and continues", async () => {
    const signalScript = 'process.on("SIGUSR2", () => Promise.reject(new Error("lost on its way")))'
    const NODE_OPTIONS = `--import data:text/javascript,${encodeURIComponent(signalScript)}`
    const service = await startServe(home, ["--port", "0"], { ...NODE, NODE_OPTIONS })
    void service.stop("SIGUSR2")
    await waitUntil(service.said, (log) => log.includes("lost on its way"))
    assert.match(service.said(), /unhandled promise rejection/u)
    assert.strictEqual((await fetch(`${service.url}/healthz`)).status, 200)
    assertCode(await service.stop(), 0)
  })

  it("ends when npx is stopped, although npx signals its shell only", async () => {
    const service = await startServe(home, ["--port", "0"], NODE, "THROUGH_SHELL")
    // The output is closed only after the service has also ended.
    const { code } = await service.stop("SIGTERM")
    assert.isNull(code)
    const secondService = await startServe(home, ["--port", "0"], NODE)
    assertCode(await secondService.stop(), 0)
  })

  it.each([
    [{ DATABSE_URL: "postgres://a:credential@b/c" }, /^DATABSE_URL is not a setting \(did you mean DATABASE_URL\?\)/u],
    [
      { RPC_URL_5: "http://127.0.0.1:1" },
      /^RPC_URL_5 is not a setting, because the chain is not supported\. Supported chains:/u
    ],
    [{ PORT: "abc" }, /^PORT is not a whole number from 0 to 65535\./u],
    [{ RPC_URL_1: "credential" }, /^RPC_URL_1 is not a list of http and https URLs/u],
    [{ DATABASE_URL: "credential" }, /^DATABASE_URL is not a URL: postgres:/u],
    [{ OTLP_URL: "credential" }, /^OTLP_URL is not an http or https URL/u],
    [{ PUBLIC_URL: "credential" }, /^PUBLIC_URL is not an http or https URL/u],
    [{ WEBHOOK_ALLOW_PRIVATE_TARGETS: "perhaps" }, /^WEBHOOK_ALLOW_PRIVATE_TARGETS is not true or false/u],
    [{ CORS_ORIGINS: "*" }, /^CORS_ORIGINS is not a list of origins/u],
    [{ CORS_ORIGINS: "https://app.example.com/path" }, /^CORS_ORIGINS is not a list of origins/u]
  ] as const)("does not start with %j, and prints one sentence without the value", async (environment, sentence) => {
    const { code, err, out } = await runHere(home, ["serve"], environment)
    assert.strictEqual(code, 2, err)
    assert.match(err, sentence)
    assert.strictEqual(err.trim().split("\n").length, 1)
    assert.notInclude(err + out, "credential")
  })

  it("does not start with a node of another chain", async () => {
    const node = await startOtherChain()
    const url = `http://${node.host}/credential`
    const { code, err } = await runHere(home, ["serve"], { RPC_URL_1: url })
    node.close()
    assert.strictEqual(code, 2, err)
    assert.strictEqual(
      err.trim(),
      `RPC_URL_1 is not a list of nodes of Ethereum (1), because ${node.host} is a node of chain 56. \`countersign serve --help\` lists the settings.`
    )
  })

  it("names the setting of a database that it cannot open", async () => {
    const { code, err } = await runHere(home, ["serve", "--port", "0"], {
      ...NODE,
      DATABASE_URL: "postgres://a:credential@127.0.0.1:1/c"
    })
    assert.strictEqual(code, 5, err)
    assert.match(err, /^The database of DATABASE_URL refused the connection\./u)
    assert.notInclude(err, "credential")
  })

  it("lists its settings", async () => {
    const { out } = await runHere(home, ["serve", "--help"])
    assert.include(out, "DATABASE_URL (secret)")
    assert.include(out, "QUOTE_SECONDS (default 60 s)")
  })
})
