import { Context, DateTime, Effect, Layer } from "effect"
import { chainOf } from "../../../foundation/chains/index.ts"
import { LendingMarkets } from "../LendingMarket.ts"
import { type DueLoan, LoanStore } from "./LoanStore.ts"

/** Maximum number of loans that one call of `tidy` checks. */
const LOANS_PER_BATCH = 50

/** After this number of blocks, neither a late node nor a reorg can lead to a second detection of a liquidation. */
const DELETE_AFTER_BLOCKS = 50_000n

/**
 * Returns the time of the first check of the debt: two days after `watchedAt`. A quote is valid for at most one day.
 */
export const firstCheckAt = (watchedAt: DateTime.Utc): DateTime.Utc => DateTime.add(watchedAt, { days: 2 })

/**
 * Interval until the second check. It is longer than the reorgs that are to be expected, so a wallet without debt in
 * both checks has most likely repaid its debt for good.
 */
const SECOND_CHECK = { hours: 1 }
const NEXT_CHECK = { days: 1 }

/** Deletes watched loans and records that are no longer needed. */
export class LoanUpkeep extends Context.Service<
  LoanUpkeep,
  {
    /**
     * Checks the due loans. Stops watching a wallet that had no debt in two consecutive checks, until its next loan.
     * Returns the number of removed loans.
     */
    readonly tidy: Effect.Effect<number>
  }
>()("@countersign/core/lending/LoanUpkeep") {
  static readonly layer = Layer.effect(
    LoanUpkeep,
    Effect.gen(function* () {
      const loans = yield* LoanStore
      const { chainIds, providers } = yield* LendingMarkets

      const hasDebt = Effect.fnUntraced(function* ({ chainId, walletAddress }: DueLoan) {
        const positions = yield* Effect.forEach(
          providers.filter((provider) => provider.serves(chainId)),
          (provider) => provider.listPositions(chainId, walletAddress)
        )
        return positions.flat().some(({ type }) => type === "borrow")
      })

      const checkLoan = Effect.fnUntraced(function* (loan: DueLoan) {
        // A chain that is not served now may be served later, so its loans are kept.
        const isOwing = !chainIds().includes(loan.chainId) || (yield* hasDebt(loan))
        const now = yield* DateTime.now
        if (isOwing) yield* loans.recordCheck(loan, DateTime.add(now, NEXT_CHECK), false)
        else if (!loan.wasFree) yield* loans.recordCheck(loan, DateTime.add(now, SECOND_CHECK), true)
        else {
          yield* loans.unwatch(loan)
          return true
        }
        return false
      })

      /**
       * Checks a loan. If its debt can't be read, schedules another check in one hour, so that it does not block other
       * loans.
       */
      const checkOrWait = (loan: DueLoan) =>
        Effect.catch(checkLoan(loan), (error) =>
          Effect.gen(function* () {
            const { name } = chainOf(loan.chainId)
            yield* Effect.logWarning(`a loan on ${name} could not be checked`, { reason: error.message })
            yield* loans.recordCheck(loan, DateTime.add(yield* DateTime.now, SECOND_CHECK), loan.wasFree)
            return false
          })
        )

      return LoanUpkeep.of({
        tidy: Effect.gen(function* () {
          for (const chainId of chainIds()) {
            const cursor = yield* loans.findCursor(chainId)
            if (cursor !== null) yield* loans.deleteBefore(chainId, cursor - DELETE_AFTER_BLOCKS)
          }
          const dueLoans = yield* loans.listDue(yield* DateTime.now, LOANS_PER_BATCH)
          const unwatchResults = yield* Effect.forEach(dueLoans, checkOrWait, { concurrency: 4 })
          return unwatchResults.filter((isEnded) => isEnded).length
        })
      })
    })
  )
}
