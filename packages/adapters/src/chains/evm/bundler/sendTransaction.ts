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
import type { OperatorLane } from "../operator/OperatorLane.ts"
import { signTransaction, type UnsignedTransaction } from "../operator/signing.ts"
import { type RpcClients, rpcNodeOf } from "../RpcClients.ts"
import { unavailable } from "../rpc/unavailable.ts"

/** Something else may send with the key: where a nonce is taken, the next one is used. */
const ATTEMPTS = 5

export interface Sending {
  readonly unsigned: UnsignedTransaction
  readonly operations: ReadonlyArray<Hash32>
  /** How many transactions of the operator the chain and the node's pool have, as of a moment ago. */
  readonly pendingCount: number
  /** The latest block. */
  readonly head: number
}

/** A node that counts more than the lane knows of is asked what blocks have, before its count is believed. */
const refuseGap = Effect.fnUntraced(function* (
  rpc: RpcClients["Service"],
  { chainId, operator }: OperatorLane["lane"],
  highestNonce: number | null,
  pendingCount: number
) {
  if (pendingCount <= nextNonce(highestNonce, 0)) return
  const latestCount = yield* rpc.call(chainId, (client) =>
    client.getTransactionCount({ address: operator, blockTag: "latest" })
  )
  if (isCredible(pendingCount, latestCount)) return
  const reason = `the pool is said to hold ${pendingCount - latestCount} transactions of the operator ${operator}, which no node holds`
  return yield* new UpstreamUnavailable({ upstream: rpcNodeOf(chainId), reason })
})

/**
 * Signs a transaction with the lane's next nonce, stores it, and then sends it. To be run in the lane's turn. Once it is
 * stored its keeper brings it into a block, whether a node answered or not. Fails where no node would have it.
 */
export const sendTransaction = Effect.fnUntraced(function* (
  rpc: RpcClients["Service"],
  store: OperatorTransactionStore["Service"],
  { account, lane, write }: OperatorLane,
  { head, operations, pendingCount, unsigned }: Sending
) {
  const { chainId, operator } = lane
  const { highestNonce, waiting } = yield* store.usage(lane)
  const bundler = `Bundler of ${chainOf(chainId).name}`
  if (waiting >= POOLED_MAX) {
    const reason = `${waiting} transactions of its operator ${operator} wait for a block, and nodes accept no more`
    return yield* new UpstreamUnavailable({ upstream: bundler, reason })
  }
  yield* refuseGap(rpc, lane, highestNonce, pendingCount)
  let nonce = nextNonce(highestNonce, pendingCount)
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const chosen = nonce
    const transaction: OperatorTransaction = {
      ...lane,
      ...(yield* Effect.promise(() => signTransaction(account, chainId, chosen, unsigned))),
      nonce: chosen,
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
    // No node has it, so that nothing is lost with it; should its nonce stay free, the keeper fills it.
    yield* store.withdraw(transaction)
    if (outcome._tag === "Refused") return yield* unavailable(rpcNodeOf(chainId), outcome.thrown)
    const count = yield* rpc.call(chainId, (client) =>
      client.getTransactionCount({ address: operator, blockTag: "pending" })
    )
    yield* refuseGap(rpc, lane, chosen, count)
    nonce = nextNonce(chosen, count)
  }
  return yield* new UpstreamUnavailable({
    upstream: bundler,
    reason: `another sender uses the key of its operator ${operator} faster than this service does`
  })
})
