import { Agent, createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { EventId } from "@countersign/core/tenancy/events"
import { type WebhookMessage, WebhookSender } from "@countersign/core/tenancy/webhooks"
import { assert, describe, it, vi } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { Webhook } from "standardwebhooks"
import { waitUntilEffect } from "../../../../core/test/support/untilEffect.ts"
import { guardedLookup, type Resolve } from "../public-web/index.ts"
import { HttpWebhookSender } from "./index.ts"

const secret = `whsec_${Buffer.alloc(32, 1).toString("base64")}`

interface ReceivedRequest {
  readonly headers: IncomingMessage["headers"]
  readonly body: string
}

/** Starts a server on its own port that records its requests. */
const receiver = (respond: (response: ServerResponse, request: IncomingMessage) => void) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const receivedRequests: Array<ReceivedRequest> = []
      const sockets = new Set<unknown>()
      const server = createServer((request, response) => {
        sockets.add(request.socket)
        let body = ""
        request.setEncoding("utf8").on("data", (chunk: string) => {
          body += chunk
        })
        request.on("end", () => {
          receivedRequests.push({ headers: request.headers, body })
          respond(response, request)
        })
      })
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
      const { port } = server.address() as AddressInfo
      return { server, received: receivedRequests, sockets, port, url: `http://127.0.0.1:${port}/hook` }
    }),
    ({ server }) =>
      Effect.sync(() => {
        server.close()
        server.closeAllConnections()
      })
  )

const message = (url: string, body = '{"a":"é"}'): WebhookMessage => ({
  id: EventId.make("msg_1"),
  url,
  body,
  secrets: [Redacted.make(secret)]
})

const post = (sent: WebhookMessage) => WebhookSender.use((sender) => sender.post(sent))
const allowedFor = (timeoutMs: number) => HttpWebhookSender.layer({ allowPrivateTargets: true, timeoutMs })
const allowedTimes = allowedFor(60_000)
const guardedLayer = (resolve?: Resolve) =>
  HttpWebhookSender.layer({
    allowPrivateTargets: false,
    timeoutMs: 60_000,
    ...(resolve === undefined ? {} : { resolve })
  })

const reasonOf = <A, R>(effect: Effect.Effect<A, { readonly reason: string }, R>) =>
  Effect.map(Effect.flip(effect), ({ reason }) => reason)

/** Number of times that a connection was reused for the next request. */
const keptConnections = Effect.map(
  Effect.acquireRelease(
    Effect.sync(() => vi.spyOn(Agent.prototype, "keepSocketAlive")),
    (spy) => Effect.sync(() => spy.mockRestore())
  ),
  (spy) => Effect.sync(() => spy.mock.calls.length)
)

describe("HttpWebhookSender", () => {
  it.live("posts the bytes with a signature that the reference library verifies", () =>
    Effect.gen(function* () {
      const { received, url } = yield* receiver((response) => response.writeHead(204).end())
      assert.deepStrictEqual(yield* post(message(url)), { status: 204, retryAfterMs: null })
      const [{ body, headers }] = received as [ReceivedRequest]
      assert.strictEqual(body, '{"a":"é"}')
      assert.strictEqual(headers["content-type"], "application/json")
      new Webhook(secret).verify(body, headers as Record<string, string>)
    }).pipe(Effect.provide(allowedTimes))
  )

  it.live("reuses a connection", () =>
    Effect.gen(function* () {
      const { sockets, url } = yield* receiver((response) => response.end("x".repeat(1_000)))
      const connections = yield* keptConnections
      for (let turn = 0; turn < 5; turn++) {
        yield* post(message(url))
        yield* waitUntilEffect(connections, (times) => times > turn)
      }
      assert.strictEqual(sockets.size, 1)
    }).pipe(Effect.provide(allowedTimes))
  )

  it.live("posts again if a reused connection had been closed", () =>
    Effect.gen(function* () {
      const { received, server, url } = yield* receiver((response) => response.end())
      const connections = yield* keptConnections
      yield* post(message(url))
      yield* waitUntilEffect(connections, (times) => times === 1)
      server.closeAllConnections()
      assert.strictEqual((yield* post(message(url))).status, 200)
      assert.strictEqual(received.length, 2)
    }).pipe(Effect.provide(allowedTimes))
  )

  it.live("returns a redirect's status and does not follow it", () =>
    Effect.gen(function* () {
      const { received, url } = yield* receiver((response) =>
        response.writeHead(302, { location: "/elsewhere", "retry-after": "7" }).end()
      )
      assert.deepStrictEqual(yield* post(message(url)), { status: 302, retryAfterMs: 7_000 })
      assert.strictEqual(received.length, 1)
    }).pipe(Effect.provide(allowedTimes))
  )

  it.live("stops at its timeout if an endpoint does not respond", () =>
    Effect.gen(function* () {
      const { url } = yield* receiver(() => {})
      assert.include(yield* reasonOf(post(message(url))), "300 ms")
    }).pipe(Effect.provide(allowedFor(300)))
  )

  it.live("does not wait for the end of a response, and does not read one without an end", () =>
    Effect.gen(function* () {
      const endless = setInterval(() => {}, 1_000)
      const { url } = yield* receiver((response) => {
        response.writeHead(200)
        const pump = () => {
          while (!response.destroyed && response.write("x".repeat(65_536)));
        }
        response.on("drain", pump)
        pump()
      })
      assert.strictEqual((yield* post(message(url))).status, 200)
      clearInterval(endless)
    }).pipe(Effect.provide(allowedTimes))
  )

  it.live("reports why there is no response", () =>
    Effect.gen(function* () {
      const { port, server } = yield* receiver((response) => response.socket?.destroy())
      assert.include(yield* reasonOf(post(message(`http://127.0.0.1:${port}/`))), "closed without a response")
      server.close()
      server.closeAllConnections()
      assert.include(yield* reasonOf(post(message(`http://127.0.0.1:${port}/`))), "refused")
      assert.include(yield* reasonOf(post(message("http://no-such-host.invalid/"))), "resolved")
    }).pipe(Effect.provide(allowedTimes))
  )

  it.live("connects to no private address, given as an address or resolved from a name", () =>
    Effect.gen(function* () {
      const { port, received } = yield* receiver((response) => response.end())
      for (const host of ["127.0.0.1", "[::1]", "[::ffff:127.0.0.1]", "0.0.0.0", "2130706433"]) {
        assert.include(yield* reasonOf(post(message(`http://${host}:${port}/`))), "private network", host)
      }
      assert.include(yield* reasonOf(post(message(`http://localhost:${port}/`))), "private network")
      assert.deepStrictEqual(received, [])
    }).pipe(Effect.provide(guardedLayer()))
  )

  it.live("rejects a name that has one private address", () =>
    Effect.gen(function* () {
      const { port, received } = yield* receiver((response) => response.end())
      const mixedResolve: Resolve = (_, response) =>
        response(null, [
          { address: "93.184.215.14", family: 4 },
          { address: "127.0.0.1", family: 4 }
        ])
      const sendResponse = post(message(`http://mixed.example:${port}/`))
      assert.include(yield* Effect.provide(reasonOf(sendResponse), guardedLayer(mixedResolve)), "private network")
      assert.deepStrictEqual(received, [])
    })
  )
})

describe("guardedLookup", () => {
  /** A resolver that returns a public address first and a private address afterwards. */
  const rebindingResolver = () => {
    let lookups = 0
    const resolve: Resolve = (_, response) => {
      lookups += 1
      response(null, [{ address: lookups === 1 ? "93.184.215.14" : "127.0.0.1", family: 4 }])
    }
    return resolve
  }

  it("returns exactly the addresses that it checked", () => {
    const responses: Array<unknown> = []
    const lookup = guardedLookup(rebindingResolver())
    lookup("rebind.example", { all: true }, (error, addresses) => responses.push(error, addresses))
    assert.deepStrictEqual(responses, [null, [{ address: "93.184.215.14", family: 4 }]])
    lookup("rebind.example", { all: true }, (error) => responses.push(String(error)))
    assert.include(String(responses[2]), "private network")
    const singleLookup = guardedLookup(rebindingResolver())
    singleLookup("rebind.example", {}, (...response) => assert.deepStrictEqual(response, [null, "93.184.215.14", 4]))
  })
})
