import { workSignalsContract } from "@countersign/core/contracts/foundation/work/WorkSignals"
import { aProject } from "@countersign/core/contracts/tenancy/projects/ProjectStore"
import { Address } from "@countersign/core/foundation/primitives"
import { WorkSignals } from "@countersign/core/foundation/work"
import { LoanStore } from "@countersign/core/trading/lending"
import { assert, it, layer } from "@effect/vitest"
import { DateTime, Effect, Layer } from "effect"
import { type Database, Db } from "../../src/storage/kysely/index.ts"

const aLoan = {
  loan: { projectId: aProject().id, walletAddress: Address.make(`0x${"a1".repeat(20)}`) },
  chainId: 10,
  lookAt: DateTime.makeUnsafe(0)
} as const

/** Signals of a new database. */
export const signalsSuite = <E>(name: string, database: Layer.Layer<Database, E>): void => {
  workSignalsContract(name, Layer.fresh(database))

  layer(Layer.fresh(database))(`Announcements of transactions on ${name}`, (it) => {
    it.effect("wait for the commit, and are dropped by a rollback", () =>
      Effect.gen(function* () {
        const db = yield* Db
        const { take } = db.work.signals
        yield* take("LOANS")
        const watch = LoanStore.use((store) => store.watch(aLoan.loan, aLoan.chainId, aLoan.lookAt))
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
