import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { type BoundedService, startBounded } from "./boundedService.ts"

/** Which pages may call the service from a browser. */

const PAGE = "https://app.example.com"
const STRANGER = "https://app.example.com.evil.test"

let service: BoundedService
let closed: BoundedService

beforeAll(async () => {
  service = await startBounded({ corsOrigins: [PAGE, "http://localhost:5173"], maxBodyBytes: 1000 })
  closed = await startBounded({})
})
afterAll(async () => {
  await service.close()
  await closed.close()
})

const send = (to: BoundedService, method: string, path: string, headers: Record<string, string>, body?: string) =>
  fetch(to.baseUrl + path, { method, headers, ...(body === undefined ? {} : { body }) })

const preflight = (to: BoundedService, origin: string) =>
  send(to, "OPTIONS", "/api/v1/crypto/swap", {
    origin,
    "access-control-request-method": "POST",
    "access-control-request-headers": "content-type,idempotency-key,x-api-key"
  })

const allowedOrigin = ({ headers }: Response) => headers.get("access-control-allow-origin")

describe("a page of an allowed origin", () => {
  it("may send requests with keys", async () => {
    const answer = await preflight(service, PAGE)
    assert.strictEqual(answer.status, 204)
    assert.strictEqual(allowedOrigin(answer), PAGE)
    const headers = answer.headers.get("access-control-allow-headers")!.split(", ")
    assert.includeMembers(headers, ["authorization", "x-api-key", "idempotency-key", "content-type"])
    assert.include(answer.headers.get("access-control-allow-methods"), "POST")
    assert.strictEqual(answer.headers.get("vary"), "origin")
    assert.isFalse(answer.headers.has("access-control-allow-credentials"))
  })

  it.each([
    ["an answer", "GET", "/api/v1/wallets", 200, undefined],
    ["a missing route", "GET", "/api/v1/nothing", 404, undefined],
    ["a wrong method", "DELETE", "/api/v1/crypto/swap", 405, undefined],
    ["a body that is refused", "POST", "/api/v1/crypto/swap", 400, "{}"],
    ["a body that is too large", "POST", "/api/v1/crypto/swap", 413, JSON.stringify("x".repeat(2000))]
  ])("may read %s", async (_, method, path, status, body) => {
    const answer = await send(
      service,
      method,
      path,
      { origin: PAGE, "x-api-key": service.apiKey, "content-type": "application/json" },
      body
    )
    assert.strictEqual(answer.status, status)
    assert.strictEqual(allowedOrigin(answer), PAGE)
    assert.include(answer.headers.get("access-control-expose-headers"), "x-request-id")
  })

  it("may read the error for a wrong key", async () => {
    const answer = await send(service, "GET", "/api/v1/wallets", { origin: PAGE, "x-api-key": "cs_live_wrong" })
    assert.strictEqual(answer.status, 401)
    assert.strictEqual(allowedOrigin(answer), PAGE)
  })
})

describe("a page of another origin", () => {
  it("gets no header that its browser would accept", async () => {
    for (const origin of [STRANGER, "null", `${PAGE}/`, "*"]) {
      const asked = await preflight(service, origin)
      assert.strictEqual(asked.status, 405)
      assert.isNull(allowedOrigin(asked))
      const read = await send(service, "GET", "/healthz", { origin })
      assert.isNull(allowedOrigin(read))
      assert.strictEqual(read.headers.get("vary"), "origin")
    }
  })

  it("is refused too if no origin is allowed", async () => {
    const asked = await preflight(closed, PAGE)
    assert.strictEqual(asked.status, 405)
    assert.isNull(allowedOrigin(asked))
    assert.isFalse(asked.headers.has("vary"))
  })
})
