import { accountContracts } from "@countersign/adapters/chains/deployments"
import { afterAll, afterEach, assert, beforeAll, describe, it } from "@effect/vitest"
import { waitUntil } from "../../../core/test/support/until.ts"
import { type BoundedService, startBounded } from "./boundedService.ts"
import { RawClient, type RawResponse } from "./RawClient.ts"

/** Tests how a client can misuse a connection, and how the service responds. */

/** All timeouts except `keepAliveTimeoutMs` are so long that even a busy machine does not exceed them. */
const limits = {
  maxBodyBytes: 10_000,
  headersMaxBytes: 4_096,
  headerFieldsMax: 40,
  headersTimeoutMs: 60_000,
  receiveTimeoutMs: 60_000,
  sendTimeoutMs: 60_000,
  keepAliveTimeoutMs: 500,
  connectionsMax: 440,
  requestTimeoutMs: 240_000
}

/** One address may use half of the connections while no other address uses any. */
const ADDRESS_SHARE = limits.connectionsMax / 2

let service: BoundedService
let shortTimeoutService: BoundedService

beforeAll(async () => {
  service = await startBounded(limits)
  shortTimeoutService = await startBounded({
    ...limits,
    headersTimeoutMs: 2_000,
    receiveTimeoutMs: 3_000,
    sendTimeoutMs: 2_000
  })
})
afterAll(() => Promise.all([service.close(), shortTimeoutService.close()]))

/** Checks that all connections are closed, and that no log line reports a failure of the service. */
afterEach(async () => {
  for (const boundedService of [service, shortTimeoutService]) {
    await boundedService.hasConnections(0)
    assert.deepStrictEqual(
      boundedService.logLines.filter((line) => /"level":"(?:WARN|ERROR|FATAL)"/u.test(line)),
      []
    )
  }
})

const openClient = () => RawClient.open(service.port)
const openShortTimeoutClient = () => RawClient.open(shortTimeoutService.port)

const HEALTH_REQUEST = ["GET /healthz HTTP/1.1", "host: a"]

const postLinesOf = ({ apiKey }: BoundedService, ...headers: ReadonlyArray<string>) => [
  "POST /api/v1/wallets/register HTTP/1.1",
  "host: a",
  `x-api-key: ${apiKey}`,
  "content-type: application/json",
  ...headers
]
const postLines = (...headers: ReadonlyArray<string>) => postLinesOf(service, ...headers)

const assertRejected = (response: RawResponse | undefined, status: number, id: string, message: RegExp) => {
  assert.isDefined(response)
  const body = JSON.parse(response!.text)
  assert.deepStrictEqual(Object.keys(body).slice(0, 4), ["statusCode", "id", "message", "traceId"])
  assert.deepStrictEqual([response!.status, body.statusCode, body.id], [status, status, id])
  assert.match(body.message, message)
  assert.strictEqual(response!.headers.get("x-request-id"), body.traceId)
  assert.strictEqual(response!.headers.get("content-type"), "application/json")
}

/** Checks that the connection gets a single response and then ends. */
const assertEnds = async (client: RawClient, status: number, id: string, message: RegExp) => {
  const responses = await client.waitForEnd()
  assert.strictEqual(responses.length, 1)
  assertRejected(responses[0], status, id, message)
}

const LATE_MESSAGE = /did not arrive in time/u

describe("a slow client", () => {
  it("that sends its headers byte by byte is answered 408", async () => {
    const client = await openShortTimeoutClient()
    const slowWrite = client.trickle(`${HEALTH_REQUEST.join("\r\n")}\r\nx-slow: ${"x".repeat(1_000)}`)
    await assertEnds(client, 408, "REQUEST_TIMEOUT", LATE_MESSAGE)
    await slowWrite
  })

  it("that sends its body byte by byte is answered 408", async () => {
    const client = await openShortTimeoutClient()
    client.send(...postLinesOf(shortTimeoutService, "content-length: 1000"), "", "")
    const slowWrite = client.trickle(`{"salt": "${"1".repeat(900)}`)
    await assertEnds(client, 408, "REQUEST_TIMEOUT", LATE_MESSAGE)
    await slowWrite
  })

  it("that does not close its side of the connection is also disconnected", async () => {
    const client = await openShortTimeoutClient()
    client.send("GET /healthz HTTP/1.1", "x-never")
    const [response] = await client.waitFor(1)
    assertRejected(response, 408, "REQUEST_TIMEOUT", LATE_MESSAGE)
    await shortTimeoutService.hasConnections(0)
  })

  it("that sends no second request is disconnected without a response", async () => {
    const client = (await openClient()).send(...HEALTH_REQUEST, "", "")
    const responses = await client.waitForEnd()
    assert.deepStrictEqual(
      responses.map(({ status }) => status),
      [200]
    )
  })

  it("with two hundred silent connections does not delay other clients", async () => {
    const silentClients = await RawClient.openMany(service.port, 200)
    await service.hasConnections(200)
    const normalClient = await openClient()
    // Sends all requests immediately, because the service soon closes an idle connection.
    for (let i = 1; i <= 20; i++) normalClient.send(...HEALTH_REQUEST, "", "")
    normalClient.send("GET /api/v1/wallets/factories HTTP/1.1", "host: a", `x-api-key: ${service.apiKey}`, "", "")
    assert.deepStrictEqual(
      (await normalClient.waitForEnd()).map(({ status }) => status),
      Array.from({ length: 21 }, () => 200)
    )
    assert.isFalse(silentClients.some(({ isClosed }) => isClosed))
    for (const { socket } of silentClients) socket.destroy()
  })

  it("with two hundred silent connections is answered 408", async () => {
    const silentClients = await RawClient.openMany(shortTimeoutService.port, 200)
    await Promise.all(silentClients.map((client) => assertEnds(client, 408, "REQUEST_TIMEOUT", LATE_MESSAGE)))
  })

  it("that does not read its responses is disconnected, and others are answered meanwhile", async () => {
    const client = await openShortTimeoutClient()
    const requestCount = 100
    client.socket.pause()
    // The responses exceed the buffers of the operating system.
    for (let i = 0; i < requestCount; i++) client.send("GET /openapi.json HTTP/1.1", "host: a", "", "")
    // Waits until the responses exist. On a busy machine this takes longer than the header timeout, and the honest
    // client would time out.
    await waitUntil(
      async () => (await (await openShortTimeoutClient()).send(...HEALTH_REQUEST, "", "").waitForEnd())[0]?.status,
      (status) => status === 200
    )
    await shortTimeoutService.hasConnections(0)
    client.socket.resume()
    await client.waitForEnd()
    assert.isBelow(client.responses.length, requestCount)
  })

  it("that reads slowly within the limit gets the complete response", async () => {
    const client = await openClient()
    client.socket.on("data", () => {
      client.socket.pause()
      setTimeout(() => client.socket.resume(), 20)
    })
    client.send("GET /openapi.json HTTP/1.1", "host: a", "", "")
    const [response] = await client.waitFor(1)
    assert.strictEqual(response!.status, 200)
    assert.strictEqual(JSON.parse(response!.text).openapi, "3.1.0")
    await client.waitForEnd()
  })
})

describe("a client that exceeds a limit", () => {
  it("with large headers is answered 431", async () => {
    const client = (await openClient()).send(
      ...HEALTH_REQUEST,
      `x-large: ${"x".repeat(limits.headersMaxBytes)}`,
      "",
      ""
    )
    await assertEnds(client, 431, "HEADERS_TOO_LARGE", /4096 bytes/u)
  })

  it("with too many header fields is answered 431, and at the limit is answered", async () => {
    const fields = Array.from({ length: limits.headerFieldsMax - 1 }, (_, i) => `x-${i}: a`)
    const normalClient = (await openClient()).send("GET /healthz HTTP/1.1", "host: a", ...fields, "", "")
    assert.strictEqual((await normalClient.waitForEnd())[0]!.status, 200)
    const client = (await openClient()).send("GET /healthz HTTP/1.1", "host: a", ...fields, "x-one-more: a", "", "")
    await assertEnds(client, 431, "HEADERS_TOO_LARGE", /more than 40 header fields/u)
  })

  it("with a large Content-Length is answered 413", async () => {
    const client = (await openClient()).send(...postLines("content-length: 1000000"), "", "x".repeat(100_000))
    await assertEnds(client, 413, "PAYLOAD_TOO_LARGE", /10000 bytes/u)
  })

  it("with a chunked body that grows past the limit is answered 413", async () => {
    const client = (await openClient()).send(...postLines("transfer-encoding: chunked"), "", "")
    for (let i = 0; i < 400; i++) client.send("400", "x".repeat(0x400), "")
    await assertEnds(client, 413, "PAYLOAD_TOO_LARGE", /10000 bytes/u)
  })

  it("with chunk extensions is answered 400", async () => {
    const client = (await openClient()).send(
      ...postLines("transfer-encoding: chunked"),
      "",
      `1;${"x".repeat(20_000)}`,
      ""
    )
    await assertEnds(client, 400, "BAD_REQUEST", /well-formed/u)
  })

  it("with its connections is answered 503 and may retry", async () => {
    const otherClients = await RawClient.openMany(service.port, ADDRESS_SHARE)
    await service.hasConnections(ADDRESS_SHARE)
    const body = JSON.stringify({
      externallyOwnedAccount: `0x${"0e".repeat(20)}`,
      factory: accountContracts.simpleAccountFactory08
    })
    const registerLines = [...postLines(`content-length: ${body.length}`), "", body]
    const client = (await openClient()).send(...registerLines)
    const [response] = await client.waitForEnd()
    assertRejected(response, 503, "OVERLOADED", /connections/u)
    assert.strictEqual(response!.headers.get("retry-after"), "1")
    if (process.platform === "linux") {
      const otherAddressClient = (await RawClient.open(service.port, "127.0.0.2")).send(...HEALTH_REQUEST, "", "")
      assert.strictEqual((await otherAddressClient.waitForEnd())[0]!.status, 200)
    }
    for (const { socket } of otherClients) socket.destroy()
    await service.hasConnections(0)
    // The rejected requests must not have been executed.
    const secondClient = (await openClient()).send(...registerLines)
    assert.strictEqual((await secondClient.waitForEnd())[0]!.status, 201)
  })
})

describe("a client that violates HTTP", () => {
  it("with a Content-Length below the body's length is answered for those bytes, then 400 for the rest", async () => {
    const client = (await openClient()).send(...postLines("content-length: 5"), "", '{"salt": "1"}\r\n\r\n')
    const responses = await client.waitForEnd()
    assert.strictEqual(responses.length, 2)
    assertRejected(responses[0], 400, "BAD_REQUEST", /JSON/u)
    assertRejected(responses[1], 400, "BAD_REQUEST", /well-formed/u)
  })

  it("with a Content-Length above the body's length is answered 408", async () => {
    const client = (await openShortTimeoutClient()).send(
      ...postLinesOf(shortTimeoutService, "content-length: 500"),
      "",
      '{"salt": "1"}'
    )
    await assertEnds(client, 408, "REQUEST_TIMEOUT", LATE_MESSAGE)
  })

  it("with a Content-Length above the body's length, which then disconnects, is answered 400", async () => {
    const client = (await openClient()).send(...postLines("content-length: 500"), "", '{"salt": "1"}')
    client.socket.end()
    await assertEnds(client, 400, "BAD_REQUEST", /./u)
  })

  it("with both Content-Length and Transfer-Encoding is answered 400", async () => {
    const client = (await openClient()).send(
      ...postLines("content-length: 5", "transfer-encoding: chunked"),
      "",
      "0",
      "",
      ""
    )
    await assertEnds(client, 400, "BAD_REQUEST", /well-formed/u)
  })

  it("with other bytes is answered 400", async () => {
    const client = (await openClient()).send("\u0016\u0003\u0001 hello", "", "")
    await assertEnds(client, 400, "BAD_REQUEST", /well-formed/u)
  })
})

describe("pipelined requests", () => {
  const unknownPathRequest = (name: string) => ["GET /nowhere HTTP/1.1", "host: a", `x-request-id: ${name}`, "", ""]
  const names = ["first", "second", "third", "fourth", "fifth"]

  it("are answered in their order", async () => {
    const client = (await openClient()).send(names.map((name) => unknownPathRequest(name).join("\r\n")).join(""))
    const responses = await client.waitForEnd()
    assert.deepStrictEqual(
      responses.map(({ headers, status }) => [headers.get("x-request-id"), status]),
      names.map((name) => [name, 404])
    )
  })

  it("are answered before invalid bytes after them are rejected", async () => {
    service.node.hold()
    const owner = `0x${"0c".repeat(20)}`
    const { simpleAccountFactory08 } = accountContracts
    const path = `/api/v1/wallets/address?externallyOwnedAccount=${owner}&factory=${simpleAccountFactory08}`
    const client = (await openClient()).send(
      `GET ${path} HTTP/1.1`,
      "host: a",
      `x-api-key: ${service.apiKey}`,
      "",
      "nonsense",
      "",
      ""
    )
    await service.node.isAsked(1)
    assert.deepStrictEqual(client.responses, [])
    service.node.release()
    const responses = await client.waitForEnd()
    assert.deepStrictEqual(
      responses.map(({ status }) => status),
      [200, 400]
    )
    assertRejected(responses[1], 400, "BAD_REQUEST", /well-formed/u)
  })
})
