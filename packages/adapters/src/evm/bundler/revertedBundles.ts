import type { EvmChainId } from "@countersign/core/chains"
import { operationByHash } from "@countersign/core/intents"
import type { Losses } from "@countersign/core/losses"
import type { BundleTransaction, OperatorTransactionStore } from "@countersign/core/operator"
import type { Hash32 } from "@countersign/core/primitives"
import type { QuoteStore } from "@countersign/core/quotes"
import { Effect, Option } from "effect"
import { versionReceipt } from "../operator/versionReceipt.ts"
import type { RpcClients } from "../RpcClients.ts"
import { type RevertVerdict, revertVerdict } from "./bundleVerdict.ts"

/**
 * What the EntryPoint says of an operation that its wallet can bring about after the bundle was traced: coin or tokens
 * that are gone, a key that was replaced, a nonce that was used. Not what is ours to see to: an end that passed while we
 * waited (AA22, AA32), the paymaster's deposit and signature (AA31, AA34), a race of two of our bundles to deploy (AA10).
 */
const CAUSED_BY_WALLET = /^AA(2[013456]|33)\b/u
const NONCE_USED = /^AA25\b/u

/** Whether a transaction that carried the operation reverted because of it. */
export const isAtFault = (
  operation: Hash32,
  { operations }: Pick<BundleTransaction, "operations">,
  verdict: RevertVerdict,
  isInBlock: boolean
): boolean => {
  // Nothing says because of what; but it was the only one.
  if (verdict._tag === "FailsWhole") return operations.length === 1
  if (operations[verdict.index] !== operation || !CAUSED_BY_WALLET.test(verdict.reason)) return false
  // What another transaction of ours has brought into a block has used its nonce there.
  return !(NONCE_USED.test(verdict.reason) && isInBlock)
}

interface Revert {
  readonly wei: bigint
  readonly verdict: RevertVerdict
}

/** A transaction in a block, where it reverted; null where it is in none, or went through after all. */
const revertOf = async (
  rpc: RpcClients["Service"],
  chainId: EvmChainId,
  { hashes, operations }: BundleTransaction
): Promise<Revert | null> => {
  const receipt = await versionReceipt(rpc.client(chainId), hashes)
  if (receipt?.status !== "0x0") return null
  const options = { tracer: "callTracer" }
  const frame = await rpc.request(chainId, "debug_traceTransaction", [receipt.transactionHash, options])
  return {
    wei: BigInt(receipt.gasUsed) * BigInt(receipt.effectiveGasPrice),
    verdict: revertVerdict(frame, operations.length)
  }
}

interface RevertCounting {
  readonly rpc: RpcClients["Service"]
  readonly store: OperatorTransactionStore["Service"]
  readonly quotes: QuoteStore["Service"]
  readonly losses: Losses["Service"]
}

/**
 * Counts what the operator has paid for transactions that reverted because of an operation. It can be repeated. An
 * operation that this service has not quoted counts for no wallet.
 */
export const countReverts = ({ losses, quotes, rpc, store }: RevertCounting) =>
  Effect.fnUntraced(function* (chainId: EvmChainId, operation: Hash32) {
    const quote = Option.getOrNull(yield* quotes.findByOperationOfAny(operation))
    const intent = quote === null ? null : operationByHash(quote.intents, operation)
    if (quote === null || intent === null) return
    const transactions = yield* store.bundleTransactions(chainId, operation)
    const isInBlock = transactions.some(({ state }) => state === "MINED")
    const reverted = transactions.filter(({ state }) => state === "REVERTED")
    const costs = yield* Effect.forEach(reverted, (transaction) =>
      Effect.map(
        rpc.call(chainId, () => revertOf(rpc, chainId, transaction)),
        (revert) => (revert !== null && isAtFault(operation, transaction, revert.verdict, isInBlock) ? revert.wei : 0n)
      )
    )
    const wei = costs.reduce((sum, cost) => sum + cost, 0n)
    yield* losses.settleReverted({ quote, intent }, wei)
  })
