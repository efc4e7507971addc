import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import {
  BadRequestError,
  CountersignError,
  createClient,
  NotAllowedError,
  QuoteExpiredError,
  QuoteStaleError,
  RateLimitError,
  UnavailableError
} from "@countersign/http/client"
import { afterAll, assert, beforeAll, beforeEach, describe, it } from "@effect/vitest"

/** Tests the client while the network and the service fail in every possible way. */

type Fault = (request: IncomingMessage, response: ServerResponse) => void

const HASH = `0x${"11".repeat(32)}` as const
/** Maximum delay before a retry that the client accepts. */
const WAIT_SECONDS = 20
const order = { quoteId: HASH, signatures: { [HASH]: "0x" } }

const errorBody = (statusCode: number, id: string, extraFields: object = {}) =>
  JSON.stringify({
    statusCode,
    id,
    message: `It is ${id}.`,
    traceId: "t",
    doc_url: `/docs/errors#${id}`,
    ...extraFields
  })

/** Responds with an error. */
const refuseWith =
  (status: number, id: string, headers: Record<string, string> = {}, extraFields: object = {}): Fault =>
  (_, response) =>
    void response
      .writeHead(status, { "content-type": "application/json", ...headers })
      .end(errorBody(status, id, extraFields))

const dropConnection: Fault = (request) => void request.socket.destroy()
const hang: Fault = () => undefined
const stopHalfway: Fault = (request, response) => {
  response.writeHead(200, { "content-length": "1000" }).write('{"user')
  setTimeout(() => request.socket.destroy(), 20)
}
const respondWithPage: Fault = (_, response) =>
  void response.writeHead(200, { "content-type": "text/html" }).end("<h1>Sign in</h1>")
const respondBadGateway: Fault = (_, response) => void response.writeHead(502).end("<h1>Bad gateway</h1>")

/**
 * Idempotency keys of the executed requests, or the URL of a request without a key. The server executes a request once,
 * before a fault affects its response.
 */
let executedKeys: Array<string>
let faults: Array<Fault>
let url: string

const server = createServer((request, response) => {
  request.resume().on("end", () => {
    const key = String(request.headers["idempotency-key"] ?? request.url)
    if (!executedKeys.includes(key)) executedKeys.push(key)
    const fault = faults.shift()
    if (fault !== undefined) return fault(request, response)
    response.setHeader("content-type", "application/json").end(JSON.stringify({ transactionId: key }))
  })
})

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
beforeEach(() => {
  executedKeys = []
  faults = []
})
afterAll(() => {
  server.close()
  server.closeAllConnections()
})

/**
 * Creates a client. Its timeout is long, except in tests of a hanging service, so that a busy machine does not cause a
 * timeout.
 */
const makeClient = (options: object = {}) =>
  createClient({ url, apiKey: "key", timeout: faults.includes(hang) ? 3_000 : 60_000, ...options })

const failureOf = async (call: Promise<unknown>): Promise<CountersignError> => {
  try {
    await call
  } catch (error) {
    if (error instanceof CountersignError) return error
    throw error
  }
  throw new Error("it did not fail")
}

describe("a client call", () => {
  it.each([
    ["drops the connection", dropConnection],
    ["hangs", hang],
    ["stops in the middle of its response", stopHalfway],
    ["is a proxy without a service", respondBadGateway],
    ["is a proxy that responds with a page", respondWithPage],
    ["is busy", refuseWith(503, "OVERLOADED", { "retry-after": "0" })],
    ["limits the key", refuseWith(429, "RATE_LIMITED", { "retry-after": "0" })],
    ["still answers the request before", refuseWith(409, "IDEMPOTENT_REQUEST_RUNNING")],
    ["has a fault", refuseWith(500, "INTERNAL_SERVER_ERROR")]
  ])("is executed once if the service %s", async (_, fault) => {
    faults = [fault]
    const { transactionId } = await makeClient().execute(order)
    assert.deepStrictEqual(executedKeys, [transactionId])
  })

  it("waits as long as Retry-After states", async () => {
    faults = [refuseWith(429, "RATE_LIMITED", { "retry-after": "1" })]
    const startedAt = performance.now()
    await makeClient().execute(order)
    assert.isAtLeast(performance.now() - startedAt, 1_000)
  })

  it("sends a new idempotency key, or the caller's key", async () => {
    await makeClient().execute(order)
    await makeClient().execute(order)
    assert.strictEqual(executedKeys.length, 2)
    faults = [dropConnection]
    assert.strictEqual((await makeClient().execute(order, { idempotencyKey: "mine" })).transactionId, "mine")
    assert.strictEqual((await makeClient().execute(order, { idempotencyKey: "mine" })).transactionId, "mine")
    assert.strictEqual(executedKeys.length, 3)
  })

  it("of an upload uses the configured fetch, and fails with a client error if no response arrives", async () => {
    const descriptor = { url: `${url}/upload`, fields: {} } as Parameters<
      ReturnType<typeof makeClient>["kyc"]["upload"]
    >[0]
    const requestedUrls: Array<string> = []
    const failingFetch = async (input: string | URL | Request) => {
      requestedUrls.push(String(input))
      throw new TypeError("network down")
    }
    const error = await failureOf(makeClient({ fetch: failingFetch }).kyc.upload(descriptor, new Blob(["x"])))
    assert.deepStrictEqual([error.id, error.status, requestedUrls], ["NO_ANSWER", null, [descriptor.url]])
  })

  it("fails after its last attempt, with the last error", async () => {
    faults = [dropConnection, respondBadGateway]
    const error = await failureOf(makeClient({ retries: 1 }).execute(order))
    assert.instanceOf(error, UnavailableError)
    assert.deepStrictEqual([error.id, error.status], ["NO_ANSWER", 502])
    assert.strictEqual(executedKeys.length, 1)
    const unreachableFailure = await failureOf(
      createClient({ url: "http://127.0.0.1:1", apiKey: "", retries: 0 }).catalog.chains()
    )
    assert.deepStrictEqual([unreachableFailure.id, unreachableFailure.status], ["NO_ANSWER", null])
  })

  it("is not repeated if the request itself is rejected, or if the wait would be too long", async () => {
    for (const fault of [
      refuseWith(400, "BAD_REQUEST"),
      refuseWith(409, "QUOTE_STALE"),
      refuseWith(500, "SWAP_QUOTE"),
      refuseWith(429, "UNPAID_GAS_LIMIT", { "retry-after": "3600" })
    ]) {
      faults = [fault]
      await failureOf(makeClient().execute(order))
      assert.deepStrictEqual(faults, [])
    }
    assert.strictEqual(executedKeys.length, 4)
  })

  it("ends when its caller aborts it: before, during and between attempts", async () => {
    const reason = new Error("enough")
    const rateLimited = refuseWith(429, "RATE_LIMITED", { "retry-after": String(WAIT_SECONDS) })
    for (const [fault, isAbortedBefore] of [
      [hang, true],
      [hang, false],
      [rateLimited, false]
    ] as const) {
      const controller = new AbortController()
      const abort = () => controller.abort(reason)
      if (isAbortedBefore) abort()
      faults = [
        (request, response) => {
          fault(request, response)
          setTimeout(abort, 50)
        }
      ]
      let isWaitOver = false
      const waitTimer = setTimeout(() => {
        isWaitOver = true
      }, WAIT_SECONDS * 1_000)
      const outcome = await makeClient()
        .execute(order, { signal: controller.signal })
        .then(
          () => "answered",
          (cause: unknown) => cause
        )
      clearTimeout(waitTimer)
      assert.strictEqual(outcome, reason)
      assert.isFalse(isWaitOver)
    }
  })
})

describe("the URL of a client", () => {
  it.each(["127.0.0.1:3000", "localhost:3000", "", "/api", "ftp://wallets.example.com", "http://"])(
    "must have the scheme HTTP or HTTPS: %j is rejected",
    (invalidUrl) => {
      assert.throws(
        () => createClient({ url: invalidUrl, apiKey: "key" }),
        TypeError,
        `\`url\` is "${invalidUrl}", but must be an http or https URL, such as http://127.0.0.1:3000`
      )
    }
  )
})

describe("a wait of the client", () => {
  const pendingResponse = { transaction: { status: "PROCESSING" }, userOperation: { transactionId: null } }

  it("fails with WAIT_TIMEOUT after its timeout, or with the reason of its aborted signal", async () => {
    const { userOperations, wait } = makeClient({ fetch: async () => Response.json(pendingResponse) })
    const options = { interval: 10, timeoutMs: 100 }
    assert.strictEqual((await failureOf(wait({ transactionId: "1" }, options))).id, "WAIT_TIMEOUT")
    assert.strictEqual((await failureOf(userOperations.wait(HASH, options))).id, "WAIT_TIMEOUT")
    const signal = AbortSignal.timeout(100)
    const reason = await wait({ transactionId: "1" }, { interval: 10, signal }).catch((error: unknown) => error)
    assert.strictEqual(reason, signal.reason)
  })
})

describe("an error of the client", () => {
  it.each([
    [400, "BAD_REQUEST", BadRequestError],
    [401, "INVALID_API_KEY", NotAllowedError],
    [403, "FORBIDDEN_SCOPE", NotAllowedError],
    [409, "QUOTE_STALE", QuoteStaleError],
    [400, "QUOTE_EXPIRED", QuoteExpiredError],
    [400, "USER_OPERATION_EXPIRED", QuoteExpiredError],
    [409, "AUTHORIZATION_STALE", QuoteExpiredError],
    [429, "UNPAID_GAS_LIMIT", RateLimitError],
    [502, "UPSTREAM_UNAVAILABLE", UnavailableError],
    [404, "USER_OPERATION_NOT_FOUND", CountersignError]
  ])("of %i %s has its class, and contains all data from the service", async (status, id, expectedClass) => {
    const problems = [{ path: "body.signature", code: "invalid", message: "Expected bytes." }]
    faults = [refuseWith(status, id, { "retry-after": "3600" }, { errors: problems })]
    const error = await failureOf(makeClient({ retries: 0 }).execute(order))
    assert.strictEqual(error.constructor, expectedClass)
    assert.strictEqual(error.name, expectedClass.name)
    assert.deepStrictEqual(
      [error.id, error.status, error.message, error.traceId, error.retryAfter, error.docUrl],
      [id, status, `It is ${id}.`, "t", 3600, `${url}/docs/errors#${id}`]
    )
    assert.deepStrictEqual(error.problems, problems)
  })
})
