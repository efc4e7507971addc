import { type IncomingHttpHeaders, request } from "node:http"
import { text } from "node:stream/consumers"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { type BoundedService, startBounded } from "./boundedService.ts"

/**
 * Tests which hosts a service accepts. A page whose own name resolves to this machine must get no data (DNS rebinding).
 */

interface HostResponse {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

const requestAs = ({ port }: BoundedService, path: string, host: string): Promise<HostResponse> =>
  new Promise((resolve, reject) => {
    const sentRequest = request({ hostname: "127.0.0.1", port, path, headers: { host } }, async (response) =>
      resolve({ status: response.statusCode ?? 0, headers: response.headers, body: await text(response) })
    )
    sentRequest.on("error", reject)
    sentRequest.end()
  })

describe("a service with allowed hosts", () => {
  let service: BoundedService
  beforeAll(async () => {
    service = await startBounded({ allowedHosts: ["wallet.example"] })
  })
  afterAll(() => service?.close())

  it("accepts these and loopback names, and no other, on every path", async () => {
    for (const path of ["/docs", "/openapi.json", "/app", "/healthz", "/api/v1/crypto/tokens"]) {
      for (const host of ["evil.example", "127.0.0.1.evil.example", "192.0.2.1"]) {
        const { body, headers, status } = await requestAs(service, path, host)
        assert.strictEqual(status, 403, `${path} for ${host}`)
        assert.strictEqual(JSON.parse(body).id, "HOST_NOT_ALLOWED")
        assert.strictEqual(headers["x-content-type-options"], "nosniff")
      }
      for (const host of [`127.0.0.1:${service.port}`, "localhost", "[::1]:3000", "Wallet.example:443"]) {
        const { headers, status } = await requestAs(service, path, host)
        assert.notStrictEqual(status, 403, `${path} for ${host}`)
        assert.strictEqual(headers["x-content-type-options"], "nosniff", path)
      }
    }
  })
})

describe("a service without allowed hosts", () => {
  let service: BoundedService
  beforeAll(async () => {
    service = await startBounded({})
  })
  afterAll(() => service?.close())

  it("accepts every host", async () => {
    for (const host of ["wallet.example", "127.0.0.1"]) {
      const { headers, status } = await requestAs(service, "/docs", host)
      assert.strictEqual(status, 200)
      assert.strictEqual(headers["x-content-type-options"], "nosniff")
    }
  })
})
