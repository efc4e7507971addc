import type { Server, ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { waitUntilTrue } from "../../../core/test/support/until.ts"
import { defaultConnectionLimits } from "../../src/server/ConnectionLimits.ts"
import { makeServer } from "../../src/server/nodeServer.ts"
import { RawClient } from "./RawClient.ts"

const TIMEOUT_MS = 1_000

describe("an endless response", () => {
  let server: Server
  const responses = new Map<string, ServerResponse>()
  beforeAll(async () => {
    server = makeServer({ ...defaultConnectionLimits, sendTimeoutMs: TIMEOUT_MS }, [], null, () => undefined)
    server.on("request", (request, response) => responses.set(request.url ?? "", response.writeHead(200)))
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  })
  afterAll(() => {
    server.closeAllConnections()
    server.close()
  })
  const startResponse = async (path: string) => {
    const client = await RawClient.open((server.address() as AddressInfo).port)
    client.socket.write(`GET ${path} HTTP/1.1\r\nhost: a\r\n\r\n`)
    await waitUntilTrue(() => responses.has(path))
    return { client, answer: responses.get(path)! }
  }

  it("is cut off if its client reads nothing", async () => {
    const { answer, client } = await startResponse("/stalled")
    client.socket.pause()
    answer.write(Buffer.alloc(64 * 1_048_576))
    await waitUntilTrue(() => answer.destroyed)
    client.socket.destroy()
  })

  it("continues while its client reads, even if the service sends nothing for a long time", async () => {
    const { answer, client } = await startResponse("/read")
    const silentUntil = performance.now() + 3 * TIMEOUT_MS
    await waitUntilTrue(() => performance.now() > silentUntil)
    const { bytesRead } = client.socket
    answer.write(Buffer.alloc(1_048_576))
    await waitUntilTrue(() => client.socket.bytesRead > bytesRead + 1_048_576)
    assert.isFalse(answer.destroyed)
    client.socket.destroy()
  })
})
