import { connect } from "node:net"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { Redacted } from "effect"
import { type BoundedService, startBounded } from "./boundedService.ts"
import { RawClient } from "./RawClient.ts"

/** Under what a route is found, and what is asked of who asks. */

const TOKEN = "metrics-token-of-the-operator"

let service: BoundedService
let guarded: BoundedService

beforeAll(async () => {
  service = await startBounded({})
  guarded = await startBounded({ metricsToken: Redacted.make(TOKEN) })
})
afterAll(async () => {
  await service.close()
  await guarded.close()
})

const raw = async (target: string, ...headers: ReadonlyArray<string>) => {
  const client = await RawClient.open(service.port)
  const key = `x-api-key: ${service.apiKey}`
  client.send(`GET ${target} HTTP/1.1`, ...(headers.length > 0 ? headers : ["host: a"]), key, "", "")
  const [answer] = await client.waitFor(1)
  client.socket.destroy()
  return { status: answer!.status, body: answer!.text, headers: answer!.headers }
}

describe("a route", () => {
  it.each(["/metrics", "/healthz", "/docs", "/api/v1/wallets", "/api/v1/webhooks", "/api/v1/crypto/chains"])(
    "is found as %s",
    async (path) => {
      assert.strictEqual((await raw(path)).status, 200)
      assert.strictEqual((await raw(`${path}?`)).status, 200)
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
    const { body, status } = await raw(target)
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
    const [answer] = await client.waitFor(1)
    client.socket.destroy()
    assert.deepStrictEqual([answer!.status, answer!.headers.get("allow")], [405, allow])
  })
})

describe("the Host of a request", () => {
  it("stands in links as it came", async () => {
    const { body } = await raw("/api/v1/crypto/chains", "host: api.example.com:8080")
    assert.strictEqual(JSON.parse(body).chains[0].logo.startsWith("http://api.example.com:8080/logos/chains/"), true)
  })

  it.each([
    ["that is no host", ['host: a"><script>']],
    ["that has a path", ["host: evil.example/path"]],
    ["that is there twice", ["host: a", "Host: b"]],
    ["that is there twice, the same", ["host: a", "host: a"]]
  ])("%s is refused", async (_, headers) => {
    const { body, status } = await raw("/api/v1/crypto/chains", ...headers)
    assert.deepStrictEqual([status, JSON.parse(body).id], [400, "BAD_REQUEST"])
    assert.match(JSON.parse(body).message, /Host/u)
  })
})

describe("/metrics with a token", () => {
  const ask = (headers: Record<string, string>) => fetch(`${guarded.baseUrl}/metrics`, { headers })

  it("is for whoever has it", async () => {
    const given = await ask({ authorization: `Bearer ${TOKEN}` })
    assert.strictEqual(given.status, 200)
    assert.include(await given.text(), "database_up")
  })

  it.each([{}, { authorization: "Bearer wrong" }, { authorization: TOKEN }])("is not for %j", async (headers) => {
    const refused = await ask(headers as Record<string, string>)
    assert.strictEqual(refused.status, 401)
    assert.strictEqual(refused.headers.get("www-authenticate"), "Bearer")
    assert.notInclude(await refused.text(), TOKEN)
  })
})

describe("a document", () => {
  it("is where the root leads to", async () => {
    const answer = await fetch(service.baseUrl, { redirect: "manual" })
    assert.deepStrictEqual([answer.status, answer.headers.get("location")], [302, "/docs"])
    const page = await fetch(`${service.baseUrl}/docs`)
    assert.match(page.headers.get("content-security-policy") ?? "", /^default-src 'none'/u)
    const icon = await fetch(`${service.baseUrl}/favicon.svg`)
    assert.deepStrictEqual([icon.status, icon.headers.get("content-type")], [200, "image/svg+xml"])
  })

  it.each(["/docs", "/openapi.json", "/docs/errors"])(
    "at %s is compressed, and has a tag by which it is not sent again",
    async (path) => {
      const plain = await raw(path)
      const small = await raw(path, "host: a", "accept-encoding: gzip")
      assert.strictEqual(small.headers.get("content-encoding"), "gzip")
      assert.isBelow(Number(small.headers.get("content-length")), Number(plain.headers.get("content-length")) / 2)
      assert.isNull(plain.headers.get("content-encoding") ?? null)
      const tag = plain.headers.get("etag")!
      assert.strictEqual(small.headers.get("etag"), tag)
      assert.match(plain.headers.get("cache-control") ?? "", /max-age/u)
      const again = await fetch(service.baseUrl + path, { headers: { "if-none-match": tag } })
      assert.deepStrictEqual([again.status, await again.text()], [304, ""])
      const brotli = await fetch(service.baseUrl + path, { headers: { "accept-encoding": "br" } })
      assert.strictEqual(brotli.headers.get("content-encoding"), "br")
      assert.strictEqual(Buffer.from(await brotli.arrayBuffer()).toString(), plain.body)
    }
  )

  it("is sent to some at once, however many ask for it without waiting, and everybody else is answered meanwhile", async () => {
    const statuses: Array<string> = []
    const asked = Array.from({ length: 60 }, () => {
      const socket = connect(service.port, "127.0.0.1")
      socket.write("GET /docs HTTP/1.1\r\nhost: a\r\naccept-encoding: gzip\r\n\r\n".repeat(60))
      socket.on("data", (chunk) => statuses.push(...(chunk.toString("latin1").match(/HTTP\/1\.1 \d+/gu) ?? [])))
      socket.on("error", () => undefined)
      return new Promise<void>((resolve) => socket.once("close", () => resolve()))
    })
    const startedAt = performance.now()
    for (let i = 0; i < 10; i++) assert.strictEqual((await raw("/healthz")).status, 200)
    assert.isBelow(performance.now() - startedAt, 10_000)
    await Promise.all(asked)
    assert.include(statuses, "HTTP/1.1 503")
    // Whose request is refused has his connection ended, with what he has not waited for.
    assert.isBelow(statuses.length, 60 * 60)
    await service.hasConnections(0)
    assert.strictEqual((await raw("/docs")).status, 200)
  })
})
