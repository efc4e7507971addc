import type { EvmChainId } from "@countersign/core/foundation/chains"
import type { Hash32 } from "@countersign/core/foundation/primitives"
import { operationByHash, type UserOperationIntent } from "@countersign/core/operations/intents"
import type { BundleTransaction, OperatorTransactionStore } from "@countersign/core/operations/operator"
import type { QuoteStore } from "@countersign/core/operations/quotes"
import type { UnpaidGasLedger } from "@countersign/core/operations/unpaid-gas"
import { Effect, Option } from "effect"
import { isHex, type RpcTransaction } from "viem"
import type { RpcClients } from "../RpcClients.ts"
import { jsonRpcErrorIn, revertDataOf } from "../rpc/JsonRpcError.ts"
import type { ReceiptResponse } from "../rpc/nodeResponses.ts"
import { requestFromEach, type Witness, type Witnesses } from "../rpc/Witnesses.ts"
import { type RevertVerdict, revertVerdict } from "./bundleVerdict.ts"
import { RANGE_HEAD_AGE_MS } from "./operationSearch.ts"
import { judgeRevert, readRevertReport } from "./revertEvidence.ts"

/**
 * EntryPoint errors that the wallet can cause after the bundle was traced: a spent balance, a replaced key, a used
 * nonce. The operator must prevent the other errors: an expiry while waiting (AA22, AA32), an insufficient deposit or a
 * wrong signature of the paymaster (AA31, AA34), two bundles that deploy concurrently (AA10).
 */
const CAUSED_BY_WALLET = /^AA(2[013456]|33)\b/u
const NONCE_USED = /^AA25\b/u

/** The facts about a reverted transaction that contains an operation. */
interface BundledOperations extends Pick<BundleTransaction, "operations"> {
  /** Whether all operations of the transaction belong to one wallet. */
  readonly isOfOneWallet: boolean
}

/** Whether an operation made its transaction revert. */
export const isAtFault = (
  operation: Hash32,
  { isOfOneWallet, operations }: BundledOperations,
  verdict: RevertVerdict,
  isInBlock: boolean
): boolean => {
  // The cause is unknown, but only one wallet can have caused it. The cost is assigned to its first operation.
  if (verdict._tag === "FailsWhole") return isOfOneWallet && operations[0] === operation
  if (operations[verdict.index] !== operation || !CAUSED_BY_WALLET.test(verdict.reason)) return false
  // If another transaction of the operator has included the operation, the wallet did not cause the used nonce.
  return !(NONCE_USED.test(verdict.reason) && isInBlock)
}

/** The trace succeeded, although the receipt reports a revert. */
const PASSES = { _tag: "Passes" } as const

/** Determines why a transaction reverted, from a node's trace, or from the same call on the state of its block. */
const nodeVerdict = async (
  { request }: Witness,
  { blockNumber, transactionHash }: ReceiptResponse,
  size: number
): Promise<RevertVerdict | typeof PASSES | null> => {
  try {
    const frame = await request("debug_traceTransaction", [transactionHash, { tracer: "callTracer" }])
    return frame.error === undefined ? PASSES : revertVerdict(frame, size)
  } catch {
    // The node does not support traces, or has pruned the state. The call is executed again instead.
  }
  const output = await request("eth_getTransactionByHash", [transactionHash])
    .then((transaction) => request("eth_call", [callOf(transaction), blockNumber]))
    .then(
      () => null,
      (thrown: unknown) => {
        const error = jsonRpcErrorIn(thrown)
        return error === null ? null : revertDataOf(error)
      }
    )
  const frame = { type: "CALL", from: "0x", gasUsed: "0x0", input: "0x", error: "reverted" } as const
  return isHex(output) ? revertVerdict({ ...frame, output }, size) : null
}

/** Returns the call of a transaction without its gas price, because the operator's balance may be lower now. */
const callOf = (transaction: object | null) => {
  const { from, gas, input, to } = (transaction ?? {}) as Partial<RpcTransaction>
  return { from, gas, data: input, to }
}

/**
 * Combines the verdicts of all nodes that have one. The result refers to an operation only if all verdicts refer to the
 * same one. Null if a trace shows that the transaction did not revert.
 */
const agreedVerdict = async (
  witnesses: Witnesses,
  receipt: ReceiptResponse,
  size: number
): Promise<RevertVerdict | null> => {
  const verdicts = await requestFromEach(witnesses, (node) => nodeVerdict(node, receipt, size))
  if (verdicts.some((verdict) => verdict?._tag === "Passes")) return null
  const [first, ...others] = verdicts.flatMap((verdict) =>
    verdict === null || verdict._tag === "Passes" ? [] : [verdict]
  )
  const isAgreed = others.every(
    (other) => other._tag === "Fails" && first?._tag === "Fails" && other.index === first.index
  )
  return first !== undefined && isAgreed
    ? first
    : { _tag: "FailsWhole", reason: "it is unknown which operation made the bundle fail" }
}

interface RevertCounting {
  readonly rpc: RpcClients["Service"]
  readonly store: OperatorTransactionStore["Service"]
  readonly quotes: QuoteStore["Service"]
  readonly unpaidGasLedger: UnpaidGasLedger["Service"]
}

/**
 * Counts the operator's costs for transactions that reverted because of an operation, once the nodes agree. If they do
 * not agree yet, changes nothing and returns false, so that the caller retries. An operation without a quote of this
 * service is not charged to any wallet.
 */
export const countReverts = ({ unpaidGasLedger, quotes, rpc, store }: RevertCounting) => {
  /**
   * Returns the cost, in wei, of one transaction that the operation made revert. Zero if the transaction succeeded or
   * the operation is not the cause. Null if it is unclear whether the transaction reverted.
   */
  const costOf = async (
    { hash, operation }: UserOperationIntent,
    transaction: BundleTransaction & BundledOperations,
    isInBlock: boolean
  ): Promise<bigint | null> => {
    const witnesses = rpc.witnesses(operation.chainId)
    const { number } = await rpc.latestBlock(operation.chainId, RANGE_HEAD_AGE_MS)
    const reports = await requestFromEach(witnesses, (node) =>
      readRevertReport(node, transaction.hashes, { operation, hash }, number)
    )
    const judgement = judgeRevert(reports, witnesses.required)
    if (judgement._tag !== "Reverted") return judgement._tag === "Unclear" ? null : 0n
    const verdict = await agreedVerdict(witnesses, judgement.receipt, transaction.operations.length)
    if (verdict === null) return null
    return isAtFault(hash, transaction, verdict, isInBlock) ? judgement.wei : 0n
  }

  const withBundledOperations = Effect.fnUntraced(function* (transaction: BundleTransaction) {
    const { operations } = transaction
    const operationQuotes = yield* Effect.forEach(
      operations.length === 1 ? [] : operations,
      quotes.findByOperationInAnyProject
    )
    const wallets = new Set(
      operationQuotes.map(Option.match({ onNone: () => null, onSome: (quote) => quote.walletAddress }))
    )
    return { ...transaction, isOfOneWallet: operations.length === 1 || (wallets.size === 1 && !wallets.has(null)) }
  })

  return Effect.fnUntraced(function* (chainId: EvmChainId, hash: Hash32) {
    const quote = Option.getOrNull(yield* quotes.findByOperationInAnyProject(hash))
    const intent = quote === null ? null : operationByHash(quote.intents, hash)
    if (quote === null || intent === null) return true
    const transactions = yield* store.listBundles(chainId, hash)
    const isInBlock = transactions.some(({ state }) => state === "MINED")
    const revertedTransactions = yield* Effect.forEach(
      transactions.filter(({ state }) => state === "REVERTED"),
      withBundledOperations
    )
    const costs = yield* rpc.call(chainId, () =>
      Promise.all(revertedTransactions.map((transaction) => costOf(intent, transaction, isInBlock)))
    )
    if (costs.includes(null)) return false
    yield* unpaidGasLedger.settleReverted(
      { quote, intent },
      costs.reduce<bigint>((sum, cost) => sum + (cost ?? 0n), 0n)
    )
    return true
  })
}
