import { EventOutbox } from "@countersign/core/events"
import { HistoryStore } from "@countersign/core/history"
import { IdempotencyStore } from "@countersign/core/idempotency"
import { ComputeUnitStore, RateLimitStore } from "@countersign/core/metering"
import { ProjectStore } from "@countersign/core/projects"
import { RetentionStore } from "@countersign/core/retention"
import { UserOperationStore } from "@countersign/core/user-operations"
import { WalletStore } from "@countersign/core/wallets"
import { WebhookDeliveryQueue, WebhookDeliveryStore, WebhookEndpointStore } from "@countersign/core/webhooks"
import { assert } from "@effect/vitest"
import { DateTime, Effect, Option } from "effect"
import * as earlier from "./earlierValues.ts"

const projectId = earlier.project.id

const firstOperation = Effect.gen(function* () {
  const projects = yield* ProjectStore
  const { key, project, wallet } = earlier
  assert.deepStrictEqual(yield* projects.list, [project])
  assert.deepStrictEqual(yield* projects.findKey(key.id), Option.some({ key, project }))
  assert.deepStrictEqual(yield* projects.listKeys(projectId), [key])
  assert.strictEqual(yield* ComputeUnitStore.use((store) => store.remaining(projectId)), 1_000)

  assert.deepStrictEqual(yield* (yield* WalletStore).list(projectId), [wallet])

  const operations = yield* UserOperationStore
  for (const operation of [earlier.unsigned, earlier.submitted, earlier.settled]) {
    assert.deepStrictEqual(yield* operations.find(projectId, operation.hash), Option.some(operation))
  }
  const retention = yield* RetentionStore
  const { expiresAt } = earlier.unsigned
  assert.strictEqual(yield* retention.count("quotes", expiresAt), 0)
  assert.strictEqual(yield* retention.count("quotes", DateTime.add(expiresAt, { milliseconds: 1 })), 1)

  const history = yield* HistoryStore
  const page = { projectId, walletAddress: wallet.account.address, after: null, take: 10 }
  // Of two that were made at once, the greater id is the newer.
  const all = [earlier.completed, earlier.processing]
  assert.deepStrictEqual(yield* history.list({ ...page, filter: {} }), all)
  for (const [key, value] of Object.entries(wallet.metadata)) {
    assert.deepStrictEqual(yield* history.list({ ...page, filter: { metadata: { key, value } } }), all)
  }
})

/** What is at work goes on: it is claimed as it was left. */
const claimedOperations = (inclusions: boolean) =>
  Effect.gen(function* () {
    const { submission } = earlier.submitted
    const now = submission!.submittedAt
    const claimed = yield* (yield* UserOperationStore).claim({
      worker: "w",
      now,
      leaseUntil: DateTime.add(now, { seconds: 30 }),
      limit: 10
    })
    assert.deepStrictEqual(claimed, [
      { record: earlier.submitted, inclusion: null },
      ...(inclusions ? [{ record: earlier.included, inclusion: earlier.inclusion }] : [])
    ])
  })

const webhooks = Effect.gen(function* () {
  const queue = yield* WebhookDeliveryQueue
  const endpointStore = yield* WebhookEndpointStore
  const deliveryStore = yield* WebhookDeliveryStore
  const { delivered, endpoint, events, pending, sentBody } = earlier
  assert.deepStrictEqual(yield* endpointStore.list(projectId), [endpoint])
  const deliveries = { endpointId: endpoint.id, after: null, take: 10 }
  assert.deepStrictEqual(yield* deliveryStore.list(deliveries), [pending, delivered])
  const now = pending.nextAttemptAt!
  const claim = { worker: "w", now, leaseUntil: DateTime.add(now, { seconds: 30 }), limit: 10, except: [] }
  assert.deepStrictEqual(yield* queue.claim(claim), [{ delivery: pending, endpoint, event: events[1], body: null }])
  assert.strictEqual(yield* queue.keepBody(events[0].id, "another"), sentBody)
  const { id, sequence, ...next } = events[1]
  const appended = yield* (yield* EventOutbox).append(next)
  assert.strictEqual(appended.sequence, 3)
})

const metering = Effect.gen(function* () {
  const { answer, answeredAt, counted, request } = earlier
  assert.strictEqual(yield* (yield* RateLimitStore).count(counted.keyId, counted.windowStart), counted.requests + 1)
  const admission = yield* (yield* IdempotencyStore).admit(request, {
    now: DateTime.add(answeredAt, { hours: 1 }),
    lockedUntil: DateTime.add(answeredAt, { hours: 2 }),
    forgetBefore: answeredAt
  })
  assert.deepStrictEqual(admission, { _tag: "Answered", answer })
})

/** All that a database held which was at the version of the last of these migrations, as today's stores read it. */
export const checkRowsOf = Effect.fnUntraced(function* (versions: ReadonlyArray<string>) {
  yield* firstOperation
  yield* claimedOperations(versions.includes("0003_finality"))
  if (versions.includes("0002_webhooks")) yield* webhooks
  if (versions.includes("0004_metering")) yield* metering
})
