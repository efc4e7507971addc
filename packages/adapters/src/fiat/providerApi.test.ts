import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { close, listen } from "../../test/support/localServer.ts"
import { providerApi } from "./providerApi.ts"

/** More consecutive failures than open the circuit breaker. */
const MANY = 8

const Order = Schema.Struct({ state: Schema.String })

/** A provider that responds to requests for orders, and responds to any other request with this status. */
const provider = Effect.fnUntraced(function* (status: number) {
  const requests: Array<string> = []
  const server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`)
    request.resume()
    if (request.url === "/orders/1") response.writeHead(200).end('{"state":"PAID"}')
    else response.writeHead(status).end("no")
  })
  yield* listen(server)
  yield* Effect.addFinalizer(() => close(server))
  const { port } = server.address() as AddressInfo
  return { ...providerApi({ title: "A bank", base: `http://127.0.0.1:${port}`, headers: {} }), requests }
})

describe("a fiat provider", () => {
  it.effect.each([402, 403, 413, 415])(
    "that rejects one customer's request with status %s serves other customers",
    (status) =>
      Effect.gen(function* () {
        const { ask } = yield* provider(status)
        const refusal = ask(Order, { method: "POST", path: "/customers", body: { name: "A name" } })
        for (let refusals = 0; refusals < MANY; refusals++)
          assert.match((yield* Effect.flip(refusal)).message, new RegExp(`HTTP status ${status}`, "u"))
        assert.deepStrictEqual(yield* ask(Order, { method: "GET", path: "/orders/1" }), { state: "PAID" })
      })
  )

  it.live("that fails gets only read requests again", () =>
    Effect.gen(function* () {
      const { ask, requests } = yield* provider(503)
      yield* Effect.flip(ask(Order, { method: "POST", path: "/orders", key: "a key", body: {} }))
      yield* Effect.flip(ask(Order, { method: "PUT", path: "/orders/2", body: {} }))
      yield* Effect.flip(ask(Order, { method: "POST", path: "/rates", body: {}, isReadOnly: true }))
      assert.deepStrictEqual(requests, ["POST /orders", "PUT /orders/2", ...Array(3).fill("POST /rates")])
    })
  )

  it.effect("that still processes a request with the same key has not rejected it, and serves other requests", () =>
    Effect.gen(function* () {
      const { ask } = yield* provider(409)
      const repeatedRequest = ask(Order, { method: "POST", path: "/orders", key: "a key", body: {} })
      for (let conflicts = 0; conflicts < MANY; conflicts++) {
        const error = yield* Effect.flip(repeatedRequest)
        assert.strictEqual(error._tag, "UPSTREAM_UNAVAILABLE")
        assert.match(error.message, /still processes an earlier request/u)
      }
      assert.deepStrictEqual(yield* ask(Order, { method: "GET", path: "/orders/1" }), { state: "PAID" })
      const withoutKey = yield* Effect.flip(ask(Order, { method: "POST", path: "/orders", body: {} }))
      assert.strictEqual(withoutKey._tag, "FIAT_REFUSAL")
    })
  )

  it.effect("that fails for documents still serves orders", () =>
    Effect.gen(function* () {
      const { ask } = yield* provider(503)
      const form = ask(Order, { method: "POST", path: "/upload", body: new FormData() })
      const json = ask(Order, { method: "PUT", path: "/customers/1", body: {}, hasDocuments: true })
      for (let failures = 0; failures < MANY; failures++) yield* Effect.flip(failures % 2 === 0 ? form : json)
      assert.match((yield* Effect.flip(form)).message, /next request is sent in/u)
      assert.deepStrictEqual(yield* ask(Order, { method: "GET", path: "/orders/1" }), { state: "PAID" })
    })
  )
})
