import { chainOf } from "@countersign/core/foundation/chains"
import { UpstreamUnavailable } from "@countersign/core/foundation/errors"
import type { Hash32 } from "@countersign/core/foundation/primitives"
import {
  isCredible,
  nextNonce,
  type OperatorTransaction,
  type OperatorTransactionStore,
  POOLED_MAX
} from "@countersign/core/operations/operator"
import { DateTime, Effect } from "effect"
import { broadcast } from "../operator/broadcast.ts"
import type { ClaimedOperatorAccount } from "../operator/ClaimedOperatorAccount.ts"
import { signTransaction, type UnsignedTransaction } from "../operator/signing.ts"
import { type RpcClients, rpcNodeOf } from "../RpcClients.ts"
import { unavailable } from "../rpc/unavailable.ts"

/** Another program may send with the same key. If a nonce is used, the next nonce is tried. */
const ATTEMPTS = 5

export interface Sending {
  readonly unsigned: UnsignedTransaction
  readonly operations: ReadonlyArray<Hash32>
  /** The operator's transaction count, including pending transactions, as the node has reported it recently. */
  readonly pendingCount: number
  /** The latest block. */
  readonly head: number
}

/**
 * If a node reports a higher count than the stored transactions, its count at the latest block is queried before the
 * count is trusted.
 */
const refuseGap = Effect.fnUntraced(function* (
  rpc: RpcClients["Service"],
  { chainId, operator }: ClaimedOperatorAccount["id"],
  highestNonce: number | null,
  pendingCount: number
) {
  if (pendingCount <= nextNonce(highestNonce, 0)) return
  const latestCount = yield* rpc.call(chainId, (client) =>
    client.getTransactionCount({ address: operator, blockTag: "latest" })
  )
  if (isCredible(pendingCount, latestCount)) return
  const reason = `the reported pending nonce implies ${pendingCount - latestCount} transactions of the operator ${operator}, but no node has them`
  return yield* new UpstreamUnavailable({ upstream: rpcNodeOf(chainId), reason })
})

/**
 * Signs a transaction with the operator account's next nonce, stores it, and then broadcasts it. Must run in the
 * account's turn. A stored transaction is broadcast again until it is included, even if no node responded. Fails if all
 * nodes reject it.
 */
export const sendTransaction = Effect.fnUntraced(function* (
  rpc: RpcClients["Service"],
  store: OperatorTransactionStore["Service"],
  { account, id: operatorAccount, write }: ClaimedOperatorAccount,
  { head, operations, pendingCount, unsigned }: Sending
) {
  const { chainId, operator } = operatorAccount
  const { highestNonce, waiting } = yield* store.usage(operatorAccount)
  const bundler = `Bundler of ${chainOf(chainId).name}`
  if (waiting >= POOLED_MAX) {
    const reason = `${waiting} transactions of its operator ${operator} wait for a block, and nodes accept no further ones`
    return yield* new UpstreamUnavailable({ upstream: bundler, reason })
  }
  yield* refuseGap(rpc, operatorAccount, highestNonce, pendingCount)
  let nonce = nextNonce(highestNonce, pendingCount)
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const chosenNonce = nonce
    const transaction: OperatorTransaction = {
      ...operatorAccount,
      ...(yield* Effect.promise(() => signTransaction(account, chainId, chosenNonce, unsigned))),
      nonce: chosenNonce,
      maxFeePerGas: unsigned.maxFeePerGas,
      maxPriorityFeePerGas: unsigned.maxPriorityFeePerGas,
      replaced: [],
      operations,
      state: "SENT",
      block: head,
      sentAt: yield* DateTime.now
    }
    yield* write([transaction])
    const outcome = yield* broadcast(rpc, transaction)
    if (outcome._tag === "Accepted" || outcome._tag === "Unanswered") return
    // No node has the transaction, so nothing is lost. If its nonce stays free, a filler uses it later.
    yield* store.withdraw(transaction)
    if (outcome._tag === "Refused") return yield* unavailable(rpcNodeOf(chainId), outcome.thrown)
    const count = yield* rpc.call(chainId, (client) =>
      client.getTransactionCount({ address: operator, blockTag: "pending" })
    )
    yield* refuseGap(rpc, operatorAccount, chosenNonce, count)
    nonce = nextNonce(chosenNonce, count)
  }
  return yield* new UpstreamUnavailable({
    upstream: bundler,
    reason: `another process also sends transactions with the operator key of ${operator}. Use an operator key in one service only`
  })
})
