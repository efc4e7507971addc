import { Clock, Effect } from "effect"
import { UnitOfWork } from "../../foundation/primitives/index.ts"
import { tokenKey, usdValueOrNull } from "../../foundation/tokens/index.ts"
import { pastValueReader } from "../../wallets/chain-activity/index.ts"
import { type BitcoinTransaction, BitcoinTransactions, bitcoinToken } from "../chain/index.ts"
import { ConfirmationPolicy, confirmationsFor } from "../payments/index.ts"
import { BitcoinActivityStore } from "./BitcoinActivityStore.ts"
import { confirmationsAt, SETTLED_CONFIRMATIONS } from "./confirmations.ts"
import type { StoredBitcoinTransfer } from "./DetectedBitcoinTransfer.ts"
import { detectedTransferChecks } from "./detectedTransferChecks.ts"
import type { DetectedPaymentState } from "./foundPayments.ts"
import { ownPayments } from "./ownPayments.ts"
import { paymentEntries } from "./paymentEntries.ts"
import { addressMovementsOf, amountOf } from "./paymentParts.ts"

/** Records a detected transaction that is confirmed or in the mempool, as of a block height. */
export const foundTransactions = Effect.gen(function* () {
  const store = yield* BitcoinActivityStore
  const scripts = yield* BitcoinTransactions
  const unitOfWork = yield* UnitOfWork
  const policy = yield* ConfirmationPolicy
  const ownershipOf = yield* ownPayments
  const valuesAt = yield* pastValueReader
  const { record, withdraw } = yield* paymentEntries
  const { later, nextCheck } = yield* detectedTransferChecks

  /**
   * Returns a function that values amounts in US dollars at the time of the block, or at the current time if there is
   * no block. Null if the price is not available yet.
   */
  const usdAt = Effect.fnUntraced(function* (block: BitcoinTransaction["block"], { seenAt }: StoredBitcoinTransfer) {
    const seconds = Math.floor((block?.minedAtMs ?? (yield* Clock.currentTimeMillis)) / 1_000)
    const values = yield* valuesAt([bitcoinToken], seconds, seenAt)
    if (values === null) return null
    const price = values.get(tokenKey(bitcoinToken))
    return (amount: bigint) => usdValueOrNull(amount, bitcoinToken, price)
  })

  return Effect.fnUntraced(function* (
    storedTransfer: StoredBitcoinTransfer,
    bitcoinTransaction: BitcoinTransaction,
    height: number
  ) {
    const { address, block: reportedBlock, txid } = storedTransfer.detectedTransfer
    const block =
      bitcoinTransaction.block !== null && bitcoinTransaction.block.height <= height ? bitcoinTransaction.block : null
    // The queried server is behind the server that reported the block.
    if (reportedBlock !== null && reportedBlock.hash !== block?.hash) return yield* later(storedTransfer)
    const usdOf = yield* usdAt(block, storedTransfer)
    if (usdOf === null) return yield* later(storedTransfer)
    const script = scripts.scriptOf(address)
    const addressMovements = addressMovementsOf(bitcoinTransaction, {
      address,
      script,
      addressOf: scripts.addressOf,
      usdOf
    })
    if (addressMovements === null) return yield* store.remove(storedTransfer)
    const neededConfirmations = confirmationsFor(policy, amountOf(addressMovements))
    const confirmations = confirmationsAt(block, height)
    const state: DetectedPaymentState = { txid, block, confirmations, needed: neededConfirmations }

    yield* unitOfWork.run(
      Effect.gen(function* () {
        const spends = bitcoinTransaction.inputs.map((input) => ({ txid: input.txid, vout: input.vout }))
        const projects = yield* store.listProjects(address)
        const owners = yield* Effect.forEach(projects, (projectId) =>
          ownershipOf(projectId, address, script, bitcoinTransaction)
        )
        const isUnclear = owners.includes("PENDING")
        const dueAt = block === null || isUnclear ? yield* nextCheck(storedTransfer) : null
        if (!(yield* store.recordDecision(storedTransfer, { block, confirmations, spends, dueAt }))) return
        for (const [index, projectId] of projects.entries()) {
          if (owners[index] === "FOREIGN") yield* record(projectId, storedTransfer, addressMovements, state)
          if (owners[index] === "RECORDED") yield* withdraw(projectId, storedTransfer)
        }
        if (dueAt !== null || confirmations < Math.max(neededConfirmations, SETTLED_CONFIRMATIONS)) return
        yield* store.remove({ ...storedTransfer, version: storedTransfer.version + 1 })
      })
    )
  })
})
