import { workSignalsContract } from "@countersign/core/contracts/foundation/work/WorkSignals"
import { anExecution } from "@countersign/core/contracts/operations/executions/ExecutionStore"
import { aQuote } from "@countersign/core/contracts/operations/quotes/QuoteStore"
import { aProject } from "@countersign/core/contracts/tenancy/projects/ProjectStore"
import { Address } from "@countersign/core/foundation/primitives"
import { WorkSignals } from "@countersign/core/foundation/work"
import { ExecutionStore } from "@countersign/core/operations/executions"
import { QuoteStore } from "@countersign/core/operations/quotes"
import { LoanStore } from "@countersign/core/trading/lending"
import { assert, it, layer } from "@effect/vitest"
import { DateTime, Effect, Layer } from "effect"
import { type Database, Db } from "../../src/storage/kysely/index.ts"

const aLoan = {
  loan: { projectId: aProject().id, walletAddress: Address.make(`0x${"a1".repeat(20)}`) },
  chainId: 10,
  checkAt: DateTime.makeUnsafe(0)
} as const

/** Stores an accepted quote with its execution. */
const accept = Effect.fnUntraced(function* (acceptedAt: DateTime.Utc) {
  const quotes = yield* QuoteStore
  const quote = aQuote()
  yield* quotes.insert([quote])
  yield* quotes.accept(quote.projectId, quote.id, acceptedAt)
  yield* ExecutionStore.use((store) => store.insert(anExecution({ acceptedAt }, quote)))
})

export const signalsSuite = <E>(name: string, database: Layer.Layer<Database, E>): void => {
  workSignalsContract(name, Layer.fresh(database))

  layer(Layer.fresh(database))(`Announcements of transactions on ${name}`, (it) => {
    it.effect("wait for the commit, and are dropped by a rollback", () =>
      Effect.gen(function* () {
        const db = yield* Db
        const { take } = db.work.signals
        yield* take("LOANS")
        const watch = LoanStore.use((store) => store.watch(aLoan.loan, aLoan.chainId, aLoan.checkAt))
        yield* Effect.flip(db.transaction(Effect.andThen(watch, Effect.fail("refused"))))
        assert.isFalse(yield* take("LOANS"))
        yield* db.transaction(
          Effect.gen(function* () {
            yield* db.transaction(watch)
            assert.isFalse(yield* take("LOANS"))
          })
        )
        assert.isTrue(yield* take("LOANS"))
      })
    )
  })

  layer(Layer.fresh(database))(`Claims of executions on ${name}`, (it) => {
    it.effect("wake another worker if more executions may be due", () =>
      Effect.gen(function* () {
        const { take } = (yield* Db).work.signals
        const store = yield* ExecutionStore
        const now = yield* DateTime.now
        const leaseUntil = DateTime.add(now, { seconds: 30 })
        const claim = (acceptedAfter?: DateTime.Utc) =>
          store.claim({ worker: "worker", now, leaseUntil, limit: 2, ...(acceptedAfter && { acceptedAfter }) })
        for (const [kind, acceptedAfter] of [
          ["EXECUTIONS", undefined],
          ["NEW_EXECUTIONS", DateTime.subtract(now, { seconds: 1 })]
        ] as const) {
          for (let i = 0; i < 3; i++) yield* accept(now)
          yield* take(kind)
          assert.lengthOf(yield* claim(acceptedAfter), 2)
          assert.isTrue(yield* take(kind), kind)
          assert.lengthOf(yield* claim(acceptedAfter), 1)
          assert.isFalse(yield* take(kind), kind)
        }
      })
    )
  })

  it.live(`WorkSignals on ${name} wake the worker of recent acceptances if the announcement was lost`, () =>
    Effect.gen(function* () {
      const { work } = yield* Db
      yield* accept(yield* DateTime.now)
      yield* work.signals.take("NEW_EXECUTIONS")
      yield* WorkSignals.use((signals) => signals.await("NEW_EXECUTIONS"))
    }).pipe(Effect.provide(Layer.fresh(database)))
  )

  it.live(`WorkSignals on ${name} wake a worker for work that was stored without an announcement`, () =>
    Effect.gen(function* () {
      const db = yield* Db
      const signals = yield* WorkSignals
      yield* signals.take("LOANS")
      yield* db.run(
        db.query.insertInto("watched_loans").values({
          chain_id: aLoan.chainId,
          wallet_address: aLoan.loan.walletAddress,
          project_id: aLoan.loan.projectId,
          look_at: 0,
          was_free: 0
        })
      )
      yield* signals.await("LOANS")
    }).pipe(Effect.provide(Layer.fresh(database)))
  )
}
