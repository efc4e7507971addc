import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { assert, describe, it } from "@effect/vitest"
import { Deferred, Duration, Effect, Fiber, Metric, Schedule, Schema } from "effect"
import { TestClock } from "effect/testing"
import { waitUntilTrue } from "../../../../core/test/support/until.ts"
import { close, listen } from "../../../test/support/localServer.ts"
import { HostFailure } from "./HostFailure.ts"
import {
  decodeJson,
  exactJsonIn,
  type HttpHostOptions,
  type HttpResponse,
  httpHost,
  unexpectedStatus
} from "./httpHost.ts"
import { retryDelays } from "./retries.ts"

class Refusal extends Schema.TaggedError<Refusal>("adapters/outbound/Refusal")("REFUSAL", {}) {}

type ResponseHandler = (request: IncomingMessage, response: ServerResponse) => void

const answering =
  (status: number, text = "", headers: Readonly<Record<string, string>> = {}): ResponseHandler =>
  (_, response) =>
    void response.writeHead(status, headers).end(text)

const readAmount = (response: HttpResponse): Effect.Effect<{ readonly amount: string }, Refusal | HostFailure> => {
  if (response.status === 404) return Effect.fail(new Refusal())
  if (response.status !== 200) return unexpectedStatus(response)
  return Effect.flatMap(exactJsonIn(response), (json) => decodeJson(Schema.Struct({ amount: Schema.String }), json))
}

const startHost = Effect.fnUntraced(function* (options: Partial<HttpHostOptions> = {}, credentials = "") {
  const requests: Array<IncomingMessage> = []
  const state = { answer: answering(200, '{"amount":12345678901234567890.10}') }
  const server = createServer((request, response) => {
    requests.push(request)
    state.answer(request, response)
  })
  yield* listen(server)
  yield* Effect.addFinalizer(() => close(server))
  const { port } = server.address() as AddressInfo
  /** Sets the responses to the next requests. The last response is also used for all further requests. */
  const respondWith = (...responses: ReadonlyArray<ResponseHandler>) => {
    const defaultHandler = state.answer
    const remainingResponses = [...responses]
    state.answer = (request, response) => (remainingResponses.shift() ?? defaultHandler)(request, response)
  }
  const host = httpHost({
    title: "A provider",
    url: `http://${credentials}127.0.0.1:${port}/v1/`,
    timeoutMs: 5_000,
    maxBytes: 1_000,
    circuit: { failuresToOpen: 2, cooldownMs: 10_000, longestCooldownMs: 60_000 },
    ...options
  })
  const ask = host.ask({ path: "/amount" }, readAmount)
  const reason = Effect.map(Effect.flip(ask), ({ message }) => message)
  return { answerWith: respondWith, ask, host, reason, requests, state }
})

describe("the host of an HTTP API", () => {
  it.effect("preserves the digits of numbers", () =>
    Effect.gen(function* () {
      const { ask, requests } = yield* startHost()
      assert.deepStrictEqual(yield* ask, { amount: "12345678901234567890.10" })
      assert.strictEqual(requests[0]!.url, "/v1/amount")
      assert.isUndefined(requests[0]!.headers.authorization)
    })
  )

  it.effect("sends the URL's credentials as a header, and includes neither in failures", () =>
    Effect.gen(function* () {
      const { ask, host, reason, requests, state } = yield* startHost({ hasAlternatives: true }, "name:p%40ss@")
      yield* ask
      assert.strictEqual(requests[0]!.headers.authorization, `Basic ${btoa("name:p@ss")}`)
      assert.notInclude(host.name, "name")
      state.answer = (request) => void request.socket.destroy()
      assert.notMatch(yield* reason, /p@ss|127\.0\.0\.1/u)
    })
  )

  it.effect("rejects redirects to another host and responses beyond the size limit", () =>
    Effect.gen(function* () {
      const { reason, requests, state } = yield* startHost()
      state.answer = answering(302, "", { location: "/elsewhere" })
      assert.match(yield* reason, /it redirects with HTTP status 302\. Set its URL to the target/u)
      assert.lengthOf(requests, 1)
      state.answer = answering(200, "x".repeat(1_001))
      assert.match(yield* reason, /more than 0.001 MB/u)
    })
  )

  it.effect("gets no requests after failures, and then one probe, if its callers have alternatives", () =>
    Effect.gen(function* () {
      const { ask, reason, requests, state } = yield* startHost({ hasAlternatives: true })
      const goodHandler = state.answer
      state.answer = answering(503)
      assert.match(yield* reason, /HTTP status 503/u)
      state.answer = answering(200, '{"amount":"in another form"')
      assert.match(yield* reason, /not JSON/u)
      assert.match(yield* reason, /next request is sent in 10 s/u)
      assert.lengthOf(requests, 2)
      yield* TestClock.adjust("10 seconds")
      const probed = yield* Deferred.make<ServerResponse>()
      const context = yield* Effect.context()
      state.answer = (_, response) => void Effect.runSyncWith(context)(Deferred.succeed(probed, response))
      const probe = yield* Effect.forkChild(ask)
      const response = yield* Deferred.await(probed)
      assert.match(yield* reason, /next request is sent in/u)
      goodHandler(requests[2]!, response)
      yield* Fiber.join(probe)
      state.answer = goodHandler
      yield* ask
      assert.lengthOf(requests, 4)
    })
  )

  it.effect("gets no requests for the time that it asked for", () =>
    Effect.gen(function* () {
      const { ask, reason, state } = yield* startHost()
      const goodHandler = state.answer
      state.answer = answering(429, "", { "retry-after": "30" })
      assert.match(yield* reason, /limits the rate of requests/u)
      assert.match(yield* reason, /next request is sent in 30 s/u)
      yield* TestClock.adjust("30 seconds")
      state.answer = goodHandler
      yield* ask
    })
  )

  it.effect("gets all requests after a pause if its callers have no alternatives", () =>
    Effect.gen(function* () {
      const { ask, requests, state } = yield* startHost()
      const goodHandler = state.answer
      state.answer = answering(429)
      yield* Effect.flip(ask)
      yield* TestClock.adjust("10 seconds")
      state.answer = goodHandler
      yield* Effect.all([ask, ask, ask], { concurrency: "unbounded" })
      assert.lengthOf(requests, 4)
    })
  )

  it.effect("still gets requests after it rejected some", () =>
    Effect.gen(function* () {
      const { ask, host, requests, state } = yield* startHost()
      state.answer = answering(404)
      for (let refusals = 0; refusals < 3; refusals++) assert.strictEqual((yield* Effect.flip(ask))._tag, "REFUSAL")
      const tooHeavy = host.exchange({ path: "" }, () => Effect.fail(new HostFailure("it refused", "TOO_HEAVY")))
      for (let refusals = 0; refusals < 3; refusals++) yield* Effect.flip(tooHeavy)
      assert.lengthOf(requests, 6)
    })
  )

  it.effect("counts requests by outcome", () =>
    Effect.gen(function* () {
      const { ask, state } = yield* startHost({ name: "a provider", hasAlternatives: true })
      yield* ask
      state.answer = answering(500)
      for (let failures = 0; failures < 3; failures++) yield* Effect.flip(ask)
      const samples = (yield* Metric.snapshot).map(({ attributes, id, state: sample }) => {
        const value = "count" in sample ? sample.count : "value" in sample ? sample.value : null
        return [id, ...Object.values(attributes ?? {}), value].join(" ")
      })
      assert.sameMembers(samples, [
        "http_host_requests_total a provider answered 1",
        "http_host_requests_total a provider failed 2",
        "http_host_requests_total a provider rejected 1",
        "http_host_up a provider 0"
      ])
    }).pipe(Effect.provideService(Metric.MetricRegistry, new Map()))
  )
})

const reset: ResponseHandler = (request) => void request.socket.destroy()
const manyFailures = { failuresToOpen: 100, cooldownMs: 10_000, longestCooldownMs: 60_000 }

describe("a failed request to the host of an HTTP API", () => {
  it.live("is retried if it only reads, and metrics count the retries", () =>
    Effect.gen(function* () {
      const { answerWith, ask, requests } = yield* startHost({ circuit: manyFailures, name: "a provider" })
      answerWith(reset, answering(503))
      assert.deepStrictEqual(yield* ask, { amount: "12345678901234567890.10" })
      assert.lengthOf(requests, 3)
      const retries = (yield* Metric.snapshot).find(({ id }) => id === "http_host_retries_total")
      assert.deepInclude(retries, { attributes: { host: "a provider" }, state: { count: 2, incremental: true } })
    }).pipe(Effect.provideService(Metric.MetricRegistry, new Map()))
  )

  it.live.each([
    [{ method: "POST" }, 1],
    [{ method: "PUT" }, 1],
    [{ method: "DELETE" }, 1],
    [{ method: "POST", isReadOnly: true }, 3],
    [{ method: "HEAD" }, 3]
  ] as const)("is not retried if it may have had an effect: %j is sent %s times", ([request, times]) =>
    Effect.gen(function* () {
      const { host, requests, state } = yield* startHost({ circuit: manyFailures })
      state.answer = reset
      yield* Effect.flip(host.ask({ path: "/amount", ...request }, readAmount))
      assert.lengthOf(requests, times)
    })
  )

  it.live.each([
    ["a refusal", answering(404)],
    ["another form", answering(200, "{}")],
    ["a redirect", answering(302, "", { location: "/elsewhere" })],
    ["a long pause that the host requests", answering(503, "", { "retry-after": "2" })],
    ["a rate limit without a time", answering(429)]
  ] as const)("is not retried after %s", ([, response]) =>
    Effect.gen(function* () {
      const { ask, requests, state } = yield* startHost()
      state.answer = response
      yield* Effect.flip(ask)
      assert.lengthOf(requests, 1)
    })
  )

  it.live("is not retried if its callers have alternatives, or try the next host themselves", () =>
    Effect.gen(function* () {
      const { ask, requests, state } = yield* startHost({ hasAlternatives: true })
      state.answer = answering(503)
      yield* Effect.flip(ask)
      const otherHost = yield* startHost()
      otherHost.state.answer = answering(503)
      yield* Effect.flip(otherHost.host.exchange({ path: "/amount" }, readAmount))
      assert.deepStrictEqual([requests.length, otherHost.requests.length], [1, 1])
    })
  )

  it.effect("shares its timeout with its retry", () =>
    Effect.gen(function* () {
      const { host, requests, state } = yield* startHost({ timeoutMs: 60_000 })
      const firstFailed = yield* Deferred.make<void>()
      const failing = Effect.andThen(
        Deferred.succeed(firstFailed, undefined),
        Effect.fail(new HostFailure("it is busy", "FAILED", { isTransient: true }))
      )
      const fiber = yield* Effect.forkChild(Effect.flip(host.ask({ path: "/amount" }, () => failing)))
      yield* Deferred.await(firstFailed)
      yield* Effect.repeat(Effect.yieldNow, { times: 20 })
      state.answer = (_, response) => void response.writeHead(200).write("{")
      yield* TestClock.adjust("75 millis")
      yield* Effect.promise(() => waitUntilTrue(() => requests.length === 2))
      yield* TestClock.adjust("59925 millis")
      assert.match((yield* Fiber.join(fiber)).message, /no response within 599\d\d/u)
    })
  )

  it.effect("is not retried after its deadline", () =>
    Effect.gen(function* () {
      const { ask, requests, state } = yield* startHost({ timeoutMs: 20 })
      state.answer = answering(503)
      yield* Effect.flip(ask)
      assert.lengthOf(requests, 1)
    })
  )

  it.live("counts as one failure of the host, with all its attempts", () =>
    Effect.gen(function* () {
      const { reason, requests, state } = yield* startHost()
      state.answer = answering(503)
      assert.match(yield* reason, /HTTP status 503/u)
      assert.lengthOf(requests, 3)
      assert.match(yield* reason, /HTTP status 503/u)
      assert.lengthOf(requests, 5)
      assert.match(yield* reason, /the next request is sent in \d+ s/u)
      assert.lengthOf(requests, 5)
    })
  )

  it.live("is not retried if many requests to the host fail", () =>
    Effect.gen(function* () {
      const { ask, requests, state } = yield* startHost({ circuit: manyFailures })
      state.answer = answering(503)
      for (let failures = 0; failures < 20; failures++) yield* Effect.flip(ask)
      // Two retries of the first request and one of the second use up the budget of five failures.
      assert.lengthOf(requests, 23)
    })
  )

  it.effect("is retried after a random delay, or later if the host asks for that", () =>
    Effect.gen(function* () {
      const delaysAfter = Effect.fnUntraced(function* (failure: HostFailure) {
        const step = yield* Schedule.toStep(retryDelays)
        const delays = [yield* step(0, failure), yield* step(0, failure)]
        return delays.map(([, delay]) => Duration.toMillis(delay))
      })
      const [first, second] = yield* delaysAfter(new HostFailure("it failed"))
      assert.isTrue(first! >= 25 && first! < 75 && second! >= 50 && second! < 150, `${first} ${second}`)
      const [requested] = yield* delaysAfter(new HostFailure("it is busy", "FAILED", { retryAfterMs: 1_000 }))
      assert.isTrue(requested! >= 1_025 && requested! < 1_075, `${requested}`)
    })
  )
})
