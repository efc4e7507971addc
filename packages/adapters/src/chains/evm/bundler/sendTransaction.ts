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
import { toUpstreamUnavailable } from "../rpc/unavailable.ts"

/**
 * Maximum number of nonces that are tried. Another program may send with the same key, so a nonce may be used already.
 */
const ATTEMPTS = 5

export interface SendRequest {
  readonly unsigned: UnsignedTransaction
  readonly operations: ReadonlyArray<Hash32>
  /** The operator's transaction count, including pending transactions, as the node reported it recently. */
  readonly pendingCount: number
  /** Number of the latest block. */
  readonly head: number
}

/**
 * Fails if a node reports an implausibly high transaction count, because a skipped nonce would block later
 * transactions.
 */
const requireNoNonceGap = Effect.fnUntraced(function* (
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
  const reason = `the reported pending nonce implies ${pendingCount - latestCount} pending transactions of the operator ${operator}, which is more than nodes keep for one account`
  return yield* new UpstreamUnavailable({ upstream: rpcNodeOf(chainId), reason })
})

/**
 * Signs a transaction with the operator account's next nonce, stores it, and then broadcasts it. Must run in the
 * account's turn. Even if no node responded, a stored transaction is broadcast again until it is included. Fails if a
 * node rejects the transaction, if too many transactions are pending, or if all tried nonces are used.
 */
export const sendTransaction = Effect.fnUntraced(function* (
  rpc: RpcClients["Service"],
  store: OperatorTransactionStore["Service"],
  { account, id: operatorAccount, write }: ClaimedOperatorAccount,
  { head, operations, pendingCount, unsigned }: SendRequest
) {
  const { chainId, operator } = operatorAccount
  const { highestNonce, waiting } = yield* store.readUsage(operatorAccount)
  const bundler = `Bundler of ${chainOf(chainId).name}`
  if (waiting >= POOLED_MAX) {
    const reason = `${waiting} transactions of its operator ${operator} are pending, which is the limit of nodes for one account`
    return yield* new UpstreamUnavailable({ upstream: bundler, reason })
  }
  yield* requireNoNonceGap(rpc, operatorAccount, highestNonce, pendingCount)
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
    // A node rejected the transaction or its nonce, so it is withdrawn. If its nonce stays unused, a filler transaction
    // uses it later.
    yield* store.remove(transaction)
    if (outcome._tag === "Refused") return yield* toUpstreamUnavailable(rpcNodeOf(chainId), outcome.thrown)
    const count = yield* rpc.call(chainId, (client) =>
      client.getTransactionCount({ address: operator, blockTag: "pending" })
    )
    yield* requireNoNonceGap(rpc, operatorAccount, chosenNonce, count)
    nonce = nextNonce(chosenNonce, count)
  }
  return yield* new UpstreamUnavailable({
    upstream: bundler,
    reason: `another process also sends transactions with the operator key of ${operator}. Use an operator key in only one service`
  })
})
