import { Context, DateTime, Effect, Layer, Option } from "effect"
import { Transactions } from "../../accounting/history/index.ts"
import type { UpstreamUnavailable } from "../../foundation/errors/index.ts"
import { NATIVE_TOKEN, UnitOfWork } from "../../foundation/primitives/index.ts"
import { delayForAgeMs } from "../../foundation/work/index.ts"
import { WalletStore, Wallets } from "../registry/index.ts"
import type { DetectedTransfer, Evidence } from "./Activity.ts"
import { ActivityStore, type StoredTransfer } from "./ActivityStore.ts"
import { ChainActivity } from "./ChainActivity.ts"
import { expectedFlowFinder } from "./expectedFlows.ts"
import { detectedHistory } from "./foundHistory.ts"
import { droppedEntry, finalizedEntry, mayLoseLegs, reorgedEntry } from "./foundTransactions.ts"
import { historyParts } from "./historyParts.ts"
import { type OwnOperation, ownOperations } from "./ownOperations.ts"
import { pastValueReader } from "./pastValues.ts"

/** Delay before the next check of a transaction whose evidence is not conclusive yet. */
const WAIT = { shortestMs: 250, longestMs: 60_000, share: 1 / 4 }

/**
 * Evidence on which nodes agree, and the service's own operations in that transaction. None of these operations is
 * pending.
 */
interface ConclusiveEvidence {
  readonly evidence: Evidence
  readonly own: ReadonlyArray<OwnOperation>
}

/** Handles detected transfers that can't be recorded now. */
const unrecordedTransfers = Effect.map(ActivityStore, (store) => ({
  postpone: Effect.fnUntraced(function* (storedTransfer: StoredTransfer) {
    const now = yield* DateTime.now
    const milliseconds = delayForAgeMs(storedTransfer.seenAt, now, WAIT)
    yield* store.postpone(storedTransfer, DateTime.add(now, { milliseconds }))
  }),
  /** Removes a transfer whose transaction is too large to be read. A later attempt would also fail. */
  drop: Effect.fnUntraced(function* (storedTransfer: StoredTransfer) {
    const { address, chainId, transactionHash } = storedTransfer.detectedTransfer
    const reason = "a transfer is not recorded, because its transaction has too many logs"
    yield* Effect.logWarning(reason, { chainId, transactionHash, address })
    yield* store.remove(storedTransfer)
  })
}))

/**
 * Records detected transfers in the histories of the projects that registered the wallet. Reverts the records after a
 * reorg.
 */
export class ActivityRecords extends Context.Service<
  ActivityRecords,
  {
    /**
     * Records transfers that are not recorded yet, if the evidence is conclusive: nodes agree on the transaction, and
     * the history contains the service's own operations in it. Otherwise schedules another check. Also schedules one if
     * a pending transaction will record a transfer, or if past prices can't be read yet. Drops transfers of a
     * transaction that has too many logs. All transfers must belong to the same transaction.
     */
    readonly record: (group: ReadonlyArray<StoredTransfer>) => Effect.Effect<void, UpstreamUnavailable>
    /** Reverts the record of a detected transfer after a reorg removed its block. */
    readonly revert: (storedTransfer: StoredTransfer) => Effect.Effect<void>
    /**
     * Ends the monitoring of a detected transfer whose block is final or was removed by a reorg. Does nothing while a
     * reorg on another chain could still remove legs of its history entry. If the history no longer contains the
     * transfer, checks it again first.
     */
    readonly completeOrRecheck: (storedTransfer: StoredTransfer) => Effect.Effect<void, UpstreamUnavailable>
  }
>()("@countersign/core/chain-activity/ActivityRecords") {
  static readonly layer = Layer.effect(
    ActivityRecords,
    Effect.gen(function* () {
      const chain = yield* ChainActivity
      const store = yield* ActivityStore
      const transactions = yield* Transactions
      const wallets = yield* WalletStore
      const registry = yield* Wallets
      const unitOfWork = yield* UnitOfWork
      const ownOperation = yield* ownOperations
      const readValuesAt = yield* pastValueReader
      const isExpected = yield* expectedFlowFinder
      const { change, entriesInAll, foundInAll, writeParts } = yield* detectedHistory
      const { listedAmong, partsFor } = yield* historyParts
      const { drop, postpone } = yield* unrecordedTransfers

      const recordOne = Effect.fnUntraced(function* (
        storedTransfer: StoredTransfer,
        { evidence, own }: ConclusiveEvidence
      ) {
        const { address, chainId, transactionHash } = storedTransfer.detectedTransfer
        const accountTransfers = evidence.transfers.filter(({ from, to }) => from === address || to === address)
        const tokens = yield* listedAmong(
          storedTransfer,
          new Set([NATIVE_TOKEN, ...accountTransfers.map(({ token }) => token)])
        )
        const usd = yield* readValuesAt([...tokens.values()], evidence.block.at, storedTransfer.seenAt)
        if (usd === null || (yield* isExpected(storedTransfer, evidence))) {
          yield* postpone(storedTransfer)
          return false
        }

        const { hash: blockHash, number: blockNumber } = evidence.block
        const write = Effect.gen(function* () {
          const movedTransfer = { ...storedTransfer.detectedTransfer, blockNumber, blockHash }
          if (!(yield* store.recordDecision(storedTransfer, "RECORDED", movedTransfer))) return false
          for (const { projectId } of yield* wallets.listRegistrations(address)) {
            const parts = yield* partsFor(projectId, storedTransfer, evidence, own, tokens, usd)
            yield* writeParts(projectId, storedTransfer, parts, { chainId, transactionHash, block: evidence.block })
          }
          if (evidence.operations.some(({ sender }) => sender === address)) {
            yield* registry.recordDeployment(address, chainId)
          }
          return true
        })
        return yield* unitOfWork.run(write)
      })

      /** Returns the nodes' evidence of a transaction. Null if it is not conclusive yet. */
      const readConclusiveEvidence = Effect.fnUntraced(function* ({ chainId, transactionHash }: DetectedTransfer) {
        const evidence = Option.getOrNull(yield* chain.readEvidence(chainId, transactionHash))
        if (evidence === "TOO_LARGE") return evidence
        const ownStates = yield* Effect.forEach(evidence?.operations ?? [], ({ hash }) =>
          ownOperation(chainId, transactionHash, hash)
        )
        return evidence === null || ownStates.some(({ _tag }) => _tag === "Pending")
          ? null
          : { evidence, own: ownStates }
      })

      /** Records a detected transfer, schedules another check, or drops it. Returns whether it was recorded. */
      const recordOrPostpone = (storedTransfer: StoredTransfer, evidence: ConclusiveEvidence | "TOO_LARGE" | null) => {
        if (evidence === null) return Effect.as(postpone(storedTransfer), false)
        return evidence === "TOO_LARGE" ? Effect.as(drop(storedTransfer), false) : recordOne(storedTransfer, evidence)
      }

      const record = Effect.fn("ActivityRecords.record")(function* (group: ReadonlyArray<StoredTransfer>) {
        const [first] = group
        if (first === undefined) return
        const conclusiveEvidence = yield* readConclusiveEvidence(first.detectedTransfer)
        yield* Effect.forEach(group, (storedTransfer) => recordOrPostpone(storedTransfer, conclusiveEvidence), {
          discard: true
        })
      })

      /**
       * Checks a detected transfer again. If the evidence is not conclusive yet, schedules another check and returns
       * null.
       */
      const recordAgain = Effect.fnUntraced(function* (storedTransfer: StoredTransfer) {
        const isDecided = yield* recordOrPostpone(
          storedTransfer,
          yield* readConclusiveEvidence(storedTransfer.detectedTransfer)
        )
        return isDecided ? { ...storedTransfer, version: storedTransfer.version + 1 } : null
      })

      const revert = (storedTransfer: StoredTransfer) =>
        unitOfWork.run(
          Effect.gen(function* () {
            if (storedTransfer.state === "WAITING") return yield* store.remove(storedTransfer)
            if (!(yield* store.recordDecision(storedTransfer, "GONE", storedTransfer.detectedTransfer))) return
            const now = yield* DateTime.now
            const recordedEntries = (yield* foundInAll(storedTransfer)).filter(({ status }) => status === "COMPLETED")
            yield* Effect.forEach(recordedEntries, (one) => change(one, reorgedEntry(one, now)), { discard: true })
          })
        )

      const close = Effect.fn("ActivityRecords.close")(function* (storedTransfer: StoredTransfer) {
        const entries = yield* entriesInAll(storedTransfer)
        if (entries.some(mayLoseLegs)) return
        const isUnrecorded = storedTransfer.state === "RECORDED" && entries.length === 0
        const decidedTransfer = isUnrecorded ? yield* recordAgain(storedTransfer) : storedTransfer
        if (decidedTransfer === null) return
        yield* unitOfWork.run(
          Effect.gen(function* () {
            const now = yield* DateTime.now
            yield* store.remove(decidedTransfer)
            for (const entry of yield* foundInAll(storedTransfer)) {
              if (entry.status === "PROCESSING") yield* change(entry, droppedEntry(entry, now))
              else yield* transactions.amend(finalizedEntry(entry))
            }
          })
        )
      })

      return ActivityRecords.of({ record, revert, completeOrRecheck: close })
    })
  )
}
