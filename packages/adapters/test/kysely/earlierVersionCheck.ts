import { EventOutbox } from "@countersign/core/events"
import { ExecutionStore } from "@countersign/core/executions"
import { HistoryStore, transactionEvents } from "@countersign/core/history"
import { IdempotencyStore } from "@countersign/core/idempotency"
import { ComputeUnitStore, RateLimitStore } from "@countersign/core/metering"
import { Hash32 } from "@countersign/core/primitives"
import { ProjectStore } from "@countersign/core/projects"
import { QuoteStore } from "@countersign/core/quotes"
import { RetentionStore } from "@countersign/core/retention"
import { WalletStore, walletEvents } from "@countersign/core/wallets"
import { WebhookDeliveryQueue, WebhookDeliveryStore, WebhookEndpointStore } from "@countersign/core/webhooks"
import { assert } from "@effect/vitest"
import { DateTime, Effect, Option } from "effect"
import { Db } from "../../src/kysely/index.ts"
import * as earlier from "./earlierValues.ts"

const projectId = earlier.project.id

const hasFullRows = (versions: ReadonlyArray<string>) => versions.includes("0007_answer_scope")

const firstOperation = Effect.fnUntraced(function* (versions: ReadonlyArray<string>) {
  const projects = yield* ProjectStore
  const { key, project, wallet } = earlier
  assert.deepStrictEqual(yield* projects.list, [project])
  assert.deepStrictEqual(yield* projects.findKey(key.id), Option.some({ key, project }))
  assert.deepStrictEqual(yield* projects.listKeys(projectId), [key])
  assert.strictEqual(yield* ComputeUnitStore.use((store) => store.remaining(projectId)), 1_000)

  assert.deepStrictEqual(yield* (yield* WalletStore).list(projectId), [wallet])

  const quotes = yield* QuoteStore
  const executions = yield* ExecutionStore
  assert.deepStrictEqual(yield* quotes.find(projectId, earlier.unsigned.id), Option.some(earlier.unsigned))
  assert.deepStrictEqual(yield* executions.findByQuote(projectId, earlier.unsigned.id), Option.none())
  const accepted = [earlier.submitted, earlier.settled].concat(hasFullRows(versions) ? [earlier.reverted] : [])
  for (const { execution, quote } of accepted) {
    assert.deepStrictEqual(yield* quotes.find(projectId, quote.id), Option.some(quote))
    assert.deepStrictEqual(yield* quotes.findByOperation(projectId, Hash32.make(quote.id)), Option.some(quote))
    assert.deepStrictEqual(yield* executions.find(projectId, execution.id), Option.some(execution))
    assert.deepStrictEqual(yield* executions.findByQuote(projectId, quote.id), Option.some(execution))
    assert.isFalse(yield* quotes.accept(projectId, quote.id, quote.createdAt))
  }
  const retention = yield* RetentionStore
  const { expiresAt } = earlier.unsigned
  assert.strictEqual(yield* retention.count("quotes", expiresAt), 0)
  assert.strictEqual(yield* retention.count("quotes", DateTime.add(expiresAt, { milliseconds: 1 })), 1)

  const history = yield* HistoryStore
  const page = { projectId, walletAddress: wallet.account.address, after: null, take: 10 }
  // Of two that were made at once, the greater id is the newer.
  const all = [
    ...(hasFullRows(versions) ? [earlier.revertedTransaction, earlier.watchedTransaction] : []),
    earlier.completed,
    earlier.processing
  ]
  assert.deepStrictEqual(yield* history.list({ ...page, filter: {} }), all)
  assert.deepStrictEqual(yield* history.list({ ...page, filter: { chains: [137] } }), all)
  for (const transaction of all) {
    const [{ hash } = { hash: null }] = transaction.legs
    const filter = {
      ...(hash === null ? {} : { transactionHash: hash }),
      userOperationHash: transaction.userOperationHash!
    }
    assert.deepStrictEqual(yield* history.list({ ...page, filter }), [transaction])
  }
  // What callers wrote on operations that came without it is not there to be found.
  const marked = [earlier.completed, earlier.processing]
  for (const [key, value] of Object.entries(wallet.metadata)) {
    assert.deepStrictEqual(yield* history.list({ ...page, filter: { metadata: { key, value } } }), marked)
  }
})

/** What is at work goes on: it is claimed as it was left. */
const claimedExecutions = (versions: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const now = earlier.submitted.execution.acceptedAt
    const claimed = yield* (yield* ExecutionStore).claim({
      worker: "w",
      now,
      leaseUntil: DateTime.add(now, { seconds: 30 }),
      limit: 10
    })
    assert.deepStrictEqual(claimed, [
      { ...earlier.submitted, version: 0 },
      ...(versions.includes("0003_finality") ? [{ ...earlier.included, version: 0 }] : []),
      ...(hasFullRows(versions) ? [{ ...earlier.watched, version: 0 }] : [])
    ])
  })

/** What nobody has been told of yet is told as it was. */
const snapshots = Effect.gen(function* () {
  const db = yield* Db
  const snapshotOf = (id: string) =>
    Effect.map(db.all(db.query.selectFrom("events").select("snapshot").where("id", "=", id)), ([row]) => row!.snapshot)
  assert.deepStrictEqual(transactionEvents.resourceOf(yield* snapshotOf("msg_3")), earlier.toldTransaction)
  assert.deepStrictEqual(walletEvents.resourceOf(yield* snapshotOf("msg_4")), earlier.toldWallet)
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
  yield* firstOperation(versions)
  yield* claimedExecutions(versions)
  if (versions.includes("0002_webhooks")) yield* webhooks
  if (versions.includes("0004_metering")) yield* metering
  if (hasFullRows(versions)) yield* snapshots
})
