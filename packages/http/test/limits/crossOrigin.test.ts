import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { type BoundedService, startBounded } from "./boundedService.ts"

/** Tests which pages may call the service from a browser. */

const PAGE_ORIGIN = "https://app.example.com"
const FOREIGN_ORIGIN = "https://app.example.com.evil.test"

let service: BoundedService
let serviceWithoutOrigins: BoundedService

beforeAll(async () => {
  service = await startBounded({ corsOrigins: [PAGE_ORIGIN, "http://localhost:5173"], maxBodyBytes: 1000 })
  serviceWithoutOrigins = await startBounded({})
})
afterAll(async () => {
  await service.close()
  await serviceWithoutOrigins.close()
})

const send = (target: BoundedService, method: string, path: string, headers: Record<string, string>, body?: string) =>
  fetch(target.baseUrl + path, { method, headers, ...(body === undefined ? {} : { body }) })

const sendPreflight = (target: BoundedService, origin: string) =>
  send(target, "OPTIONS", "/api/v1/crypto/swap", {
    origin,
    "access-control-request-method": "POST",
    "access-control-request-headers": "content-type,idempotency-key,x-api-key"
  })

const allowedOriginOf = ({ headers }: Response) => headers.get("access-control-allow-origin")

describe("a page of an allowed origin", () => {
  it("may send requests with keys", async () => {
    const response = await sendPreflight(service, PAGE_ORIGIN)
    assert.strictEqual(response.status, 204)
    assert.strictEqual(allowedOriginOf(response), PAGE_ORIGIN)
    const headers = response.headers.get("access-control-allow-headers")!.split(", ")
    assert.includeMembers(headers, ["authorization", "x-api-key", "idempotency-key", "content-type"])
    assert.include(response.headers.get("access-control-allow-methods"), "POST")
    assert.strictEqual(response.headers.get("vary"), "origin")
    assert.isFalse(response.headers.has("access-control-allow-credentials"))
  })

  it.each([
    ["an answer", "GET", "/api/v1/wallets", 200, undefined],
    ["a missing route", "GET", "/api/v1/nothing", 404, undefined],
    ["a wrong method", "DELETE", "/api/v1/crypto/swap", 405, undefined],
    ["a body that is refused", "POST", "/api/v1/crypto/swap", 400, "{}"],
    ["a body that is too large", "POST", "/api/v1/crypto/swap", 413, JSON.stringify("x".repeat(2000))]
  ])("may read %s", async (_, method, path, status, body) => {
    const response = await send(
      service,
      method,
      path,
      { origin: PAGE_ORIGIN, "x-api-key": service.apiKey, "content-type": "application/json" },
      body
    )
    assert.strictEqual(response.status, status)
    assert.strictEqual(allowedOriginOf(response), PAGE_ORIGIN)
    assert.include(response.headers.get("access-control-expose-headers"), "x-request-id")
  })

  it("may read the error for a wrong key", async () => {
    const response = await send(service, "GET", "/api/v1/wallets", {
      origin: PAGE_ORIGIN,
      "x-api-key": "cs_live_wrong"
    })
    assert.strictEqual(response.status, 401)
    assert.strictEqual(allowedOriginOf(response), PAGE_ORIGIN)
  })
})

describe("a page of another origin", () => {
  it("gets no header that its browser would accept", async () => {
    for (const origin of [FOREIGN_ORIGIN, "null", `${PAGE_ORIGIN}/`, "*"]) {
      const preflightResponse = await sendPreflight(service, origin)
      assert.strictEqual(preflightResponse.status, 405)
      assert.isNull(allowedOriginOf(preflightResponse))
      const readResponse = await send(service, "GET", "/healthz", { origin })
      assert.isNull(allowedOriginOf(readResponse))
      assert.strictEqual(readResponse.headers.get("vary"), "origin")
    }
  })

  it("is rejected too if no origin is allowed", async () => {
    const preflightResponse = await sendPreflight(serviceWithoutOrigins, PAGE_ORIGIN)
    assert.strictEqual(preflightResponse.status, 405)
    assert.isNull(allowedOriginOf(preflightResponse))
    assert.isFalse(preflightResponse.headers.has("vary"))
  })
})
