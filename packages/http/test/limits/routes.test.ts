import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { Redacted } from "effect"
import { waitUntil } from "../../../core/test/support/until.ts"
import { type BoundedService, startBounded } from "./boundedService.ts"
import { RawClient } from "./RawClient.ts"

/** Tests the paths of routes, and the conditions that requests must meet. */

const TOKEN = "metrics-token-of-the-operator"

let service: BoundedService
let guardedService: BoundedService

beforeAll(async () => {
  service = await startBounded({})
  guardedService = await startBounded({ metricsToken: Redacted.make(TOKEN) })
})
afterAll(async () => {
  await service.close()
  await guardedService.close()
})

const sendRawRequest = async (target: string, ...headers: ReadonlyArray<string>) => {
  const client = await RawClient.open(service.port)
  const key = `x-api-key: ${service.apiKey}`
  client.send(`GET ${target} HTTP/1.1`, ...(headers.length > 0 ? headers : ["host: a"]), key, "", "")
  const [response] = await client.waitFor(1)
  client.socket.destroy()
  return { status: response!.status, body: response!.text, headers: response!.headers }
}

describe("the log", () => {
  const routesOf = (requestId: string) =>
    service.logLines
      .filter((line) => line.includes(requestId))
      .map((line) => JSON.parse(line).message)
      .flatMap(([text, fields]) => (text === "request" ? [fields.route] : []))

  it.each([
    ["POST", "/api/v1/kyc/uploads", "/api/v1/kyc/uploads"],
    ["GET", "/docs", "/docs"],
    ["GET", "/metrics", "/metrics"],
    ["GET", "/app", "/app"],
    ["GET", "/api/v1/wallets/0x1/history", "/api/v1/wallets/:walletAddress/history"],
    ["GET", "/api/v1/nothing", "-"]
  ])("contains the route of %s %s", async (method, path, route) => {
    const requestId = `route-${path.replaceAll("/", ".")}`
    await (await fetch(service.baseUrl + path, { method, headers: { "x-request-id": requestId } })).text()
    await waitUntil(
      () => routesOf(requestId),
      (routes) => routes.length > 0
    )
    assert.deepStrictEqual(routesOf(requestId), [route])
  })
})

describe("a route", () => {
  it.each(["/metrics", "/healthz", "/docs", "/api/v1/wallets", "/api/v1/webhooks", "/api/v1/crypto/chains"])(
    "matches %s",
    async (path) => {
      assert.strictEqual((await sendRawRequest(path)).status, 200)
      assert.strictEqual((await sendRawRequest(`${path}?`)).status, 200)
    }
  )

  it.each([
    "/METRICS",
    "//metrics",
    "/metrics/",
    "/metrics;x",
    "/metrics#x",
    "/%6detrics",
    "/%6Detrics",
    "/./metrics",
    "/api/../metrics",
    "/HealthZ",
    "/docs/",
    "/api/v1/wallets/",
    "/api/v1/webhooks/",
    "/api/v1/wallets;/../x",
    "/api/v1//wallets",
    "/API/v1/wallets",
    "/api/v1/wallets/address/",
    "/api%2Fv1%2Fwallets",
    "/api/v1/wallet%73"
  ])("is not found as %s", async (target) => {
    const { body, status } = await sendRawRequest(target)
    assert.deepStrictEqual([status, JSON.parse(body).id], [404, "NOT_FOUND"])
  })

  it.each([
    ["OPTIONS", "/api/v1/crypto/swap", "POST"],
    ["TRACE", "/healthz", "GET"],
    ["PROPFIND", "/api/v1/wallets", "GET"],
    ["DELETE", "/logos/chains/1.svg", "GET"],
    ["PUT", "/api/v1/webhooks/whk_1", "GET, DELETE"],
    ["POST", "/metrics", "GET"]
  ])("answers %s %s with 405 and Allow: %s", async (method, path, allow) => {
    const client = await RawClient.open(service.port)
    client.send(`${method} ${path} HTTP/1.1`, "host: a", "", "")
    const [response] = await client.waitFor(1)
    client.socket.destroy()
    assert.deepStrictEqual([response!.status, response!.headers.get("allow")], [405, allow])
  })
})

describe("the Host of a request", () => {
  it("is part of links, unchanged", async () => {
    const { body } = await sendRawRequest("/api/v1/crypto/chains", "host: api.example.com:8080")
    assert.strictEqual(JSON.parse(body).chains[0].logo.startsWith("http://api.example.com:8080/logos/chains/"), true)
  })

  it.each([
    ["that is malformed", ['host: a"><script>']],
    ["that has a path", ["host: evil.example/path"]],
    ["that is there twice", ["host: a", "Host: b"]],
    ["that is there twice, the same", ["host: a", "host: a"]]
  ])("%s is rejected", async (_, headers) => {
    const { body, status } = await sendRawRequest("/api/v1/crypto/chains", ...headers)
    assert.deepStrictEqual([status, JSON.parse(body).id], [400, "BAD_REQUEST"])
    assert.match(JSON.parse(body).message, /Host/u)
  })
})

describe("/metrics with a token", () => {
  const requestMetrics = (headers: Record<string, string>) => fetch(`${guardedService.baseUrl}/metrics`, { headers })

  it("accepts the token", async () => {
    const metricsResponse = await requestMetrics({ authorization: `Bearer ${TOKEN}` })
    assert.strictEqual(metricsResponse.status, 200)
    assert.include(await metricsResponse.text(), "database_up")
  })

  it.each([{}, { authorization: "Bearer wrong" }, { authorization: TOKEN }])("rejects %j", async (headers) => {
    const refusal = await requestMetrics(headers as Record<string, string>)
    assert.strictEqual(refusal.status, 401)
    assert.strictEqual(refusal.headers.get("www-authenticate"), "Bearer")
    assert.notInclude(await refusal.text(), TOKEN)
  })
})

describe("the root path", () => {
  it("redirects to the reference", async () => {
    const response = await fetch(service.baseUrl, { redirect: "manual" })
    assert.deepStrictEqual([response.status, response.headers.get("location")], [302, "/docs"])
    const page = await fetch(`${service.baseUrl}/docs`)
    assert.match(page.headers.get("content-security-policy") ?? "", /^default-src 'none'/u)
    assert.match(page.headers.get("cache-control") ?? "", /max-age/u)
    const icon = await fetch(`${service.baseUrl}/favicon.svg`)
    assert.deepStrictEqual([icon.status, icon.headers.get("content-type")], [200, "image/svg+xml"])
  })
})
