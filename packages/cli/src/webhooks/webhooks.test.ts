import { assert, describe, it } from "@effect/vitest"
import { Effect, Queue } from "effect"
import { eventLine } from "./eventLine.ts"
import { receiveWebhooks } from "./receiveWebhooks.ts"

describe("eventLine", () => {
  it("shows the time, the type, the resource, the sequence and the change", () => {
    const body = JSON.stringify({
      type: "transaction.completed",
      timestamp: "2026-01-01T00:00:00.000Z",
      data: { id: "tx-1", status: "COMPLETED", previousStatus: "PROCESSING", sequence: 2, metadata: {} }
    })
    assert.strictEqual(
      eventLine(body),
      "2026-01-01T00:00:00.000Z  transaction.completed  tx-1  #2  PROCESSING -> COMPLETED"
    )
  })

  it("shows an unknown event unchanged", () => {
    assert.strictEqual(eventLine('{"type":"other"}'), '{"type":"other"}')
  })
})

describe("receiveWebhooks", () => {
  it.live("forwards what is posted, and responds with the chosen status, also when it is stopped right after", () =>
    Effect.gen(function* () {
      const responsePromise = yield* Effect.scoped(
        Effect.gen(function* () {
          const { received, url } = yield* receiveWebhooks(0)
          const rejectedResponse = yield* Effect.promise(() => fetch(url))
          assert.strictEqual(rejectedResponse.status, 405)
          const response = fetch(url, { method: "POST", body: "é", headers: { "webhook-id": "msg_1" } })
          const { body, headers, respond } = yield* Queue.take(received)
          assert.deepStrictEqual([body, headers["webhook-id"]], ["é", "msg_1"])
          respond(204)
          return response
        })
      )
      assert.strictEqual((yield* Effect.promise(() => responsePromise)).status, 204)
    })
  )

  it.live("reports that the port is in use", () =>
    Effect.gen(function* () {
      const { url } = yield* receiveWebhooks(0)
      const error = yield* Effect.flip(receiveWebhooks(Number(new URL(url).port)))
      assert.include(error.message, new URL(url).port)
    })
  )
})
