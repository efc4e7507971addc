import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { waitUntil } from "../../../core/test/support/until.ts"
import { type Descriptor, descriptorsIn, INDIVIDUALS, person } from "../support/verifications.ts"
import { type BoundedService, startBounded } from "./boundedService.ts"
import { RawClient } from "./RawClient.ts"

/** Tests clients without an API key that are slow or numerous. */

const CONCURRENT_MAX = 8
/**
 * Slots of one address. A route without a key has a quarter of CONCURRENT, and one address gets half of that. The same
 * applies to the uploads of one project.
 */
const SLOTS_PER_ADDRESS = 1
const CLIENT_COUNT = 3 * CONCURRENT_MAX

let service: BoundedService

beforeAll(async () => {
  service = await startBounded({
    parallelRequestsMax: CONCURRENT_MAX,
    requestTimeoutMs: 240_000,
    receiveTimeoutMs: 120_000
  })
})
afterAll(() => service.close())

/** Fills in the parameters of a route's path. */
const pathOf = (route: string) => route.replaceAll(/:\w+/gu, "1")

const headLines = (method: string, path: string, ...headers: ReadonlyArray<string>) => [
  `${method} ${path} HTTP/1.1`,
  "host: a",
  ...headers
]

const BOUNDARY = "a-boundary"
const MULTIPART = `content-type: multipart/form-data; boundary=${BOUNDARY}`
const formField = (name: string, value: string) =>
  `--${BOUNDARY}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`

/** Returns the lines of a valid request whose body is incomplete. */
const unfinishedLinesOf = (method: string, path: string) => [
  ...headLines(method, path, MULTIPART, "content-length: 100000"),
  "",
  formField("bucket", "documents")
]

const hasResponse = ({ responses }: RawClient) => responses.length > 0
const idOf = (text: string): string => JSON.parse(text).id

/** Opens clients that have sent only the start of a request. The server has already rejected those above the limit. */
const openSlowClients = async (method: string, path: string) => {
  const clients = await RawClient.openMany(service.port, CLIENT_COUNT)
  for (const client of clients) client.send(...unfinishedLinesOf(method, path))
  await waitUntil(
    () => clients.filter(hasResponse).length,
    (count) => count >= CLIENT_COUNT - SLOTS_PER_ADDRESS
  )
  return clients
}

const statusOf = async (method: string, path: string) =>
  (await fetch(service.baseUrl + path, { method, redirect: "manual" })).status

/** Closes the clients, and waits until the server has detected it. */
const closeClients = async (clients: ReadonlyArray<RawClient>, method: string, path: string) => {
  for (const { socket } of clients) socket.destroy()
  await waitUntil(
    () => statusOf(method, path),
    (status) => status !== 503
  )
}

const requestWallets = (apiKey: string) =>
  fetch(`${service.baseUrl}/api/v1/wallets`, { headers: { "x-api-key": apiKey } })

/** Sends a complete request without a key from another address. Returns the response. */
const requestFromOtherAddress = async (method: string, path: string) => {
  const client = await RawClient.open(service.port, "127.0.0.2")
  client.send(...headLines(method, path, "content-length: 0", "connection: close"), "", "")
  const [response] = await client.waitFor(1)
  client.socket.destroy()
  return response!
}

describe("clients without a key that send the beginnings of requests", () => {
  it("to any route do not block clients with a key, other routes or other addresses", async () => {
    const routes = service.routes.filter(({ requiresKey }) => !requiresKey)
    assert.includeMembers(
      routes.map(({ path }) => path),
      ["/", "/healthz", "/readyz", "/metrics", "/docs", "/app", "/api/v1/kyc/uploads", "/callbacks/blindpay"]
    )
    for (const { method, path } of routes) {
      const clients = await openSlowClients(method, pathOf(path))
      assert.strictEqual((await requestWallets(service.apiKey)).status, 200, path)
      for (const otherRoute of routes) {
        // Skips this route, because the address has used up its share.
        if (otherRoute.path === path) continue
        const status = await statusOf(otherRoute.method, pathOf(otherRoute.path))
        assert.notStrictEqual(status, 503, `${otherRoute.path} next to ${path}`)
      }
      if (process.platform === "linux") {
        assert.notStrictEqual((await requestFromOtherAddress(method, pathOf(path))).status, 503, path)
      }
      await closeClients(clients, method, pathOf(path))
    }
  }, 240_000)

  it("are rejected with OVERLOADED beyond the share of their address", async () => {
    const clients = await openSlowClients("POST", "/callbacks/blindpay")
    const refusals = clients.flatMap(({ responses }) => responses)
    assert.lengthOf(refusals, CLIENT_COUNT - SLOTS_PER_ADDRESS)
    for (const { headers, status, text } of refusals) {
      assert.deepStrictEqual([status, idOf(text), headers.get("retry-after")], [503, "OVERLOADED", "1"])
      assert.match(JSON.parse(text).message, /from your address/u)
    }
    await closeClients(clients, "POST", "/callbacks/blindpay")
  })

  it.each([
    ["a route that requires a key", "/api/v1/crypto/swap", 401, "INVALID_API_KEY"],
    ["a provider that is not configured", "/callbacks/sumsub", 404, "NOT_FOUND"]
  ])("to %s are answered immediately", async (_, path, status, id) => {
    const clients = await openSlowClients("POST", path)
    for (const client of clients) {
      const [response] = await client.waitFor(1)
      assert.deepStrictEqual([response!.status, idOf(response!.text)], [status, id])
    }
    await closeClients(clients, "POST", path)
  })

  it("are answered 408 if the rest comes too slowly, long before the limit of a complete request", async () => {
    const client = await RawClient.open(service.port)
    client.send(...unfinishedLinesOf("POST", "/callbacks/blindpay"))
    const [response] = await client.waitForEnd()
    assert.deepStrictEqual([response?.status, idOf(response!.text)], [408, "REQUEST_TIMEOUT"])
    assert.match(JSON.parse(response!.text).message, /bytes per second/u)
  })

  it("that request a protocol upgrade get the usual response", async () => {
    const client = await RawClient.open(service.port)
    client.send(
      ...headLines("GET", "/healthz", "connection: upgrade", "upgrade: websocket", "sec-websocket-version: 13")
    )
    client.send("", "sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==", "", "")
    const [response] = await client.waitFor(1)
    assert.strictEqual(response!.status, 200)
    client.socket.destroy()
  })
})

describe("uploads", () => {
  const createDescriptors = async (
    apiKey: string,
    documentId: string,
    { baseUrl } = service
  ): Promise<ReadonlyArray<Descriptor>> => {
    const response = await fetch(`${baseUrl}${INDIVIDUALS}`, {
      method: "POST",
      headers: { "x-api-key": apiKey, "content-type": "application/json" },
      body: JSON.stringify({ ...person, documentId })
    })
    assert.strictEqual(response.status, 201)
    return descriptorsIn(await response.json())
  }

  const bodyOf = ({ fields }: Descriptor, file: string) =>
    Object.entries(fields)
      .map(([name, value]) => formField(name, value))
      .join("") +
    `--${BOUNDARY}\r\ncontent-disposition: form-data; name="file"; filename="f"\r\ncontent-type: application/pdf\r\n\r\n${file}`

  const sendCompletely = (descriptor: Descriptor) => {
    const body = `${bodyOf(descriptor, "%PDF-1.7 whole")}\r\n--${BOUNDARY}--\r\n`
    const headers = { "content-type": MULTIPART.replace("content-type: ", "") }
    return fetch(descriptor.url, { method: "POST", headers, body })
  }

  const sendSlowly = async (descriptor: Descriptor) => {
    const client = await RawClient.open(service.port)
    client.send(
      ...headLines("POST", "/api/v1/kyc/uploads", MULTIPART, "content-length: 100000"),
      "",
      bodyOf(descriptor, "%PDF-1.7 ")
    )
    return client
  }

  it("count against the project that signed their policy, also if the files arrive slowly", async () => {
    const [firstKey, otherKey] = [await service.newApiKey(), await service.newApiKey()]
    const [firstDescriptor, secondDescriptor] = await createDescriptors(firstKey, "FX1")
    const [otherDescriptor] = await createDescriptors(otherKey, "FX2")
    const client = await sendSlowly(firstDescriptor!)
    // When the server rejects another upload, it has accepted the slow one.
    const refusals = await waitUntil(
      () => sendSlowly(secondDescriptor!).then(async (nextClient) => nextClient.waitFor(1)),
      ([response]) => response?.status === 503
    )
    assert.match(
      JSON.parse(refusals[0]!.text).message,
      /^This project has reached its maximum number of concurrent uploads/u
    )
    assert.isFalse(hasResponse(client))
    assert.strictEqual((await sendCompletely(otherDescriptor!)).status, 204)
    for (const apiKey of [firstKey, otherKey]) assert.strictEqual((await requestWallets(apiKey)).status, 200)
    client.socket.destroy()
    await waitUntil(
      () => sendCompletely(secondDescriptor!),
      ({ status }) => status === 204
    )
  })

  it("get time in proportion to their bytes instead of the limits of other requests", async () => {
    const shortTimeoutService = await startBounded({ receiveTimeoutMs: 2_000, requestTimeoutMs: 5_000 })
    const [descriptor] = await createDescriptors(shortTimeoutService.apiKey, "FX3", shortTimeoutService)
    const beginning = bodyOf(descriptor!, "%PDF-1.7 ")
    const pieces = Array.from({ length: 15 }, () => "a piece ")
    const body = [beginning, ...pieces, `\r\n--${BOUNDARY}--\r\n`]
    const client = await RawClient.open(shortTimeoutService.port)
    client.send(
      ...headLines("POST", "/api/v1/kyc/uploads", MULTIPART, `content-length: ${body.join("").length}`),
      "",
      ""
    )
    for (const piece of body) {
      client.send(piece)
      await new Promise((resolve) => setTimeout(resolve, 500))
    }
    assert.deepStrictEqual(
      (await client.waitFor(1)).map(({ status }) => status),
      [204]
    )
    // The next request on the same connection has the usual timeout again.
    client.send(
      ...headLines(
        "POST",
        "/api/v1/wallets/register",
        `x-api-key: ${shortTimeoutService.apiKey}`,
        "content-length: 10"
      ),
      "",
      ""
    )
    const [, lateResponse] = await client.waitForEnd()
    assert.deepStrictEqual([lateResponse?.status, idOf(lateResponse!.text)], [408, "REQUEST_TIMEOUT"])
    await shortTimeoutService.close()
  }, 60_000)
})
