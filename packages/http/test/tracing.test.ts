import { mkdtempSync, rmSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { layerServices } from "@countersign/adapters/service/composition"
import { layerHttpService, layerTracing } from "@countersign/http"
import { assert, describe, it } from "@effect/vitest"
import { ConfigProvider, Effect, Layer, Logger, ManagedRuntime } from "effect"
import { HttpServer } from "effect/http"
import { newProject } from "./fleet/operator.ts"
import { settingsWithoutSandbox } from "./support/settingsWithoutSandbox.ts"

const wallet = `0x${"7e".repeat(20)}`

const startCollector = (postedBodies: Array<string>) =>
  new Promise<ReturnType<typeof createServer>>((resolve) => {
    const server = createServer(async (request, response) => {
      const chunks: Array<Uint8Array> = []
      for await (const chunk of request) chunks.push(chunk)
      postedBodies.push(Buffer.concat(chunks).toString())
      response.end("{}")
    })
    server.listen(0, "127.0.0.1", () => resolve(server))
  })

describe("a trace export", () => {
  it("contains route patterns, and no address, query or error message", async () => {
    const postedBodies: Array<string> = []
    const loggedLines: Array<string> = []
    const collector = await startCollector(postedBodies)
    const home = mkdtempSync(join(tmpdir(), "countersign-traces-"))
    const OTLP_URL = `http://127.0.0.1:${(collector.address() as AddressInfo).port}`
    const runtime = ManagedRuntime.make(
      layerHttpService({ port: 0, host: "127.0.0.1" }).pipe(
        Layer.provideMerge(layerServices(settingsWithoutSandbox(home, null))),
        Layer.provide(layerTracing),
        Layer.provideMerge(Logger.layer([Logger.map(Logger.formatJson, (line) => void loggedLines.push(line))])),
        Layer.provide(ConfigProvider.layer(ConfigProvider.fromUnknown({ OTLP_URL })))
      )
    )
    const url = await runtime.runPromise(HttpServer.addressFormattedWith((address) => Effect.succeed(address)))
    const { apiKey } = await runtime.runPromise(newProject(null))
    for (const path of [
      `/api/v1/wallets/${wallet}`,
      `/api/v1/wallets/${wallet}/history?take=7`,
      `/nowhere/${wallet}`
    ]) {
      const { status } = await fetch(url + path, { headers: { "x-api-key": apiKey, "user-agent": `mine ${wallet}` } })
      assert.strictEqual(status, 404)
    }
    await runtime.dispose()
    collector.close()
    rmSync(home, { recursive: true, force: true })

    const sentText = postedBodies.join("\n")
    for (const route of ["/api/v1/wallets/:walletAddress", "/api/v1/wallets/:walletAddress/history"]) {
      assert.include(sentText, `"key":"http.route","value":{"stringValue":"${route}"}`)
    }
    assert.include(sentText, '"key":"http.response.status_code"')
    assert.include(sentText, "ACCOUNT_ABSTRACTION_ADDRESS_NOT_REGISTERED_WITH_PROJECT")
    for (const secret of ["7e7e7e7e", "take=7", "127.0.0.1", apiKey]) assert.notInclude(sentText, secret)
    assert.strictEqual(loggedLines.filter((line) => line.includes("7e7e7e7e")).length, 0)
  })
})
