import { Clock, DateTime, Effect } from "effect"
import type { Transaction } from "../../accounting/history/index.ts"
import { type Hash32, UnitOfWork } from "../../foundation/primitives/index.ts"
import { BitcoinChain } from "../chain/index.ts"
import { upstream } from "../payments/index.ts"
import { BitcoinActivityStore } from "./BitcoinActivityStore.ts"
import type { BitcoinSighted } from "./BitcoinSighting.ts"
import { confirmationsAt, SETTLED_CONFIRMATIONS } from "./confirmations.ts"
import { lost, waiting } from "./foundPayments.ts"
import { paymentEntries } from "./paymentEntries.ts"
import { sightingChecks } from "./sightingChecks.ts"

/** How long to wait for a transaction that one host reported once and no host has now. */
const RUMOUR_MS = 600_000
/** Nodes drop unconfirmed transactions after this time (Bitcoin Core, `DEFAULT_MEMPOOL_EXPIRY_HOURS`). */
const MEMPOOL_MS = 336 * 3_600_000

const isPending = ({ status }: Transaction): boolean => status === "PROCESSING"

/** Records a detected transaction that no host has: it was replaced, dropped or has not propagated yet. */
export const missingTransactions = Effect.gen(function* () {
  const chain = yield* BitcoinChain
  const store = yield* BitcoinActivityStore
  const unitOfWork = yield* UnitOfWork
  const { changeAll } = yield* paymentEntries
  const { later } = yield* sightingChecks

  /** Ends all pending entries. */
  const end = (sighted: BitcoinSighted, code: "DROPPED" | "REPLACED", message: string) =>
    unitOfWork.run(
      Effect.andThen(
        store.forget(sighted),
        changeAll(sighted, (entry, now) => (isPending(entry) ? lost(entry, code, message, now) : entry))
      )
    )

  const report = (sighted: BitcoinSighted, substatus: string) =>
    unitOfWork.run(
      Effect.andThen(
        later(sighted),
        changeAll(sighted, (entry, now) => (isPending(entry) ? waiting(entry, substatus, now) : entry))
      )
    )

  /** The transaction that spends a coin of a missing one. */
  const conflictOf = Effect.fnUntraced(function* (spends: NonNullable<BitcoinSighted["spends"]>, txid: Hash32) {
    for (const output of spends) {
      const spender = yield* upstream(chain.spender(output))
      if (spender !== null && spender !== txid) return yield* upstream(chain.transaction(spender))
    }
    return null
  })

  return Effect.fnUntraced(function* (sighted: BitcoinSighted, height: number) {
    const { seenAt, sighting, spends } = sighted
    const waitedMs = (yield* Clock.currentTimeMillis) - DateTime.toEpochMillis(seenAt)
    if (sighting.block !== null) return yield* later(sighted)
    if (spends === null) return yield* waitedMs > RUMOUR_MS ? store.forget(sighted) : later(sighted)
    const conflict = yield* conflictOf(spends, sighting.txid)
    if (conflict !== null) {
      const isOver = confirmationsAt(conflict.block, height) >= SETTLED_CONFIRMATIONS
      if (!isOver) return yield* report(sighted, "COINS_TAKEN")
      return yield* end(sighted, "REPLACED", `Another transaction spent the same coins: ${conflict.txid}`)
    }
    return yield* waitedMs > MEMPOOL_MS
      ? end(sighted, "DROPPED", "No block contains the transaction, and nodes have dropped it from their mempools.")
      : report(sighted, "DROPPED")
  })
})
