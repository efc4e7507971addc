import { aTransaction } from "@countersign/core/contracts/history/HistoryStore"
import { anOperation, aSubmission } from "@countersign/core/contracts/user-operations/UserOperationStore"
import { HistoryStore, Transactions } from "@countersign/core/history"
import { Entropy } from "@countersign/core/primitives"
import {
  AccountOperations,
  Bundler,
  ChainReader,
  type OperationOutcome,
  UserOperationStore,
  UserOperations
} from "@countersign/core/user-operations"
import { Wallets } from "@countersign/core/wallets"
import { assert, describe, it } from "@effect/vitest"
import { DateTime, Effect, Layer, Option } from "effect"
import { TestClock } from "effect/testing"
import { layerTemporaryPostgres, layerTemporarySqlite } from "../support/databases.ts"

/** A worker dies with an operation in its hands, and another finishes it once the lease is over. */

const LEASE_MS = 30_000

const unused = (): never => {
  throw new Error("unused")
}

const outcome: OperationOutcome = {
  success: true,
  transactionHash: anOperation().hash,
  blockNumber: 7n,
  blockHash: anOperation().hash,
  blockTimestamp: 0,
  actualGasCost: 1n,
  revert: null,
  transfers: []
}

/** A chain on which the operation is in a block. */
const chain = Layer.mergeAll(
  Layer.mock(Bundler, { outcome: () => Effect.succeedSome(outcome) }),
  Layer.mock(ChainReader, {}),
  Layer.mock(Entropy, {}),
  Layer.mock(Wallets, { factories: [], recordDeployment: () => Effect.void }),
  Layer.mock(AccountOperations, {
    entryPointOf: unused,
    deployment: unused,
    encodeCalls: unused,
    stubSignature: unused,
    hash: unused,
    authorization: unused,
    signData: unused,
    wrapSignature: unused
  })
)

const suite = <E>(name: string, database: Layer.Layer<Layer.Success<typeof layerTemporarySqlite>, E>) =>
  it.effect(name, () =>
    Effect.gen(function* () {
      const store = yield* UserOperationStore
      const history = yield* HistoryStore
      const operations = yield* UserOperations
      const submittedAt = yield* DateTime.now
      const record = anOperation()
      const submission = aSubmission({ submittedAt, deadline: DateTime.add(submittedAt, { hours: 1 }) })
      yield* store.insert(record)
      yield* store.submit(record.projectId, record.hash, submission)
      yield* history.insert(
        aTransaction({
          ...record.transaction,
          id: submission.transactionId,
          projectId: record.projectId,
          status: "PROCESSING"
        })
      )
      const status = Effect.map(history.find(record.projectId, submission.transactionId), (found) =>
        Option.match(found, { onNone: () => "missing", onSome: (transaction) => transaction.status })
      )

      const leaseUntil = DateTime.add(submittedAt, { milliseconds: LEASE_MS })
      const taken = yield* store.claim({ worker: "dead", now: submittedAt, leaseUntil, limit: 10 })
      assert.strictEqual(taken.length, 1)
      yield* TestClock.adjust(LEASE_MS - 1)
      assert.strictEqual(yield* operations.followDue("heir"), 0)
      assert.strictEqual(yield* status, "PROCESSING")
      yield* TestClock.adjust(1)
      assert.strictEqual(yield* operations.followDue("heir"), 1)
      assert.strictEqual(yield* status, "COMPLETED")
      assert.strictEqual(yield* operations.followDue("third"), 0)
    }).pipe(
      Effect.provide(
        UserOperations.layer.pipe(
          Layer.provide(Layer.mergeAll(chain, Transactions.layer)),
          Layer.provideMerge(database)
        )
      )
    )
  )

describe("an operation in a dead worker's hands is finished by another after the lease", () => {
  suite("on SQLite", layerTemporarySqlite)
  suite("on Postgres", layerTemporaryPostgres)
})
