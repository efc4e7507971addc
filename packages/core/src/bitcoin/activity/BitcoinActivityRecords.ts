import { Context, DateTime, Effect, Layer } from "effect"
import type { Transaction } from "../../accounting/history/index.ts"
import type { UpstreamUnavailable } from "../../foundation/errors/index.ts"
import { UnitOfWork } from "../../foundation/primitives/index.ts"
import { BitcoinChain } from "../chain/index.ts"
import { ConfirmationPolicy, confirmationsFor, mapToUpstream } from "../payments/index.ts"
import { BitcoinActivityStore } from "./BitcoinActivityStore.ts"
import { confirmationsAt, SETTLED_CONFIRMATIONS } from "./confirmations.ts"
import type { StoredBitcoinTransfer } from "./DetectedBitcoinTransfer.ts"
import { confirmedEntry, unconfirmedEntry } from "./foundPayments.ts"
import { foundTransactions } from "./foundTransactions.ts"
import { missingTransactions } from "./missingTransactions.ts"
import { paymentEntries } from "./paymentEntries.ts"

/**
 * Records detected payments in the histories of the projects that registered the address. Reverts the records after a
 * reorg.
 */
export class BitcoinActivityRecords extends Context.Service<
  BitcoinActivityRecords,
  {
    /** Updates the histories to the on-chain state of a detected transfer. `height` is the last block that was read. */
    readonly record: (storedTransfer: StoredBitcoinTransfer, height: number) => Effect.Effect<void, UpstreamUnavailable>
    /** Updates the number of confirmations at this height, for a transfer whose block has not changed. */
    readonly confirm: (storedTransfer: StoredBitcoinTransfer, height: number) => Effect.Effect<void>
    /**
     * Schedules another check, because a reorg may have removed the block. Must run in the unit of work that moves the
     * chain's cursor.
     */
    readonly revert: (storedTransfer: StoredBitcoinTransfer) => Effect.Effect<void>
  }
>()("@countersign/core/bitcoin-activity/BitcoinActivityRecords") {
  static readonly layer = Layer.effect(
    BitcoinActivityRecords,
    Effect.gen(function* () {
      const chain = yield* BitcoinChain
      const store = yield* BitcoinActivityStore
      const unitOfWork = yield* UnitOfWork
      const policy = yield* ConfirmationPolicy
      const { changeAll } = yield* paymentEntries
      const recordFound = yield* foundTransactions
      const recordMissing = yield* missingTransactions

      const neededConfirmationsOf = ({ expected, movements }: Transaction): number =>
        confirmationsFor(
          policy,
          [...movements, ...expected].reduce((sum, { amount, role }) => (role === "GAS" ? sum : sum + amount), 0n)
        )

      const record = Effect.fn("BitcoinActivityRecords.record")(function* (
        storedTransfer: StoredBitcoinTransfer,
        height: number
      ) {
        const bitcoinTransaction = yield* mapToUpstream(chain.findTransaction(storedTransfer.detectedTransfer.txid))
        return yield* bitcoinTransaction === null
          ? recordMissing(storedTransfer, height)
          : recordFound(storedTransfer, bitcoinTransaction, height)
      })

      const confirm = (storedTransfer: StoredBitcoinTransfer, height: number) =>
        unitOfWork.run(
          Effect.gen(function* () {
            const { detectedTransfer, spends } = storedTransfer
            const confirmations = confirmationsAt(detectedTransfer.block, height)
            const update = { block: detectedTransfer.block, confirmations, spends, dueAt: null }
            if (!(yield* store.recordDecision(storedTransfer, update))) return
            const entries = yield* changeAll(storedTransfer, (entry, now) =>
              entry.status === "PROCESSING"
                ? confirmedEntry(entry, confirmations, neededConfirmationsOf(entry), now)
                : entry
            )
            const neededConfirmations = Math.max(SETTLED_CONFIRMATIONS, ...entries.map(neededConfirmationsOf))
            if (confirmations >= neededConfirmations)
              yield* store.remove({ ...storedTransfer, version: storedTransfer.version + 1 })
          })
        )

      const revert = Effect.fnUntraced(function* (storedTransfer: StoredBitcoinTransfer) {
        const now = yield* DateTime.now
        const { spends } = storedTransfer
        if (!(yield* store.recordDecision(storedTransfer, { block: null, confirmations: 0, spends, dueAt: now })))
          return
        yield* changeAll(storedTransfer, (entry, changedAt) =>
          entry.legs.some(({ block }) => block !== null) ? unconfirmedEntry(entry, "REORGED", changedAt) : entry
        )
      })

      return BitcoinActivityRecords.of({ record, confirm, revert })
    })
  )
}
