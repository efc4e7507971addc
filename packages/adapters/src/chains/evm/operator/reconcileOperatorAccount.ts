import type {
  OperatorAccountAction,
  OperatorTransaction,
  OperatorTransactionStore
} from "@countersign/core/operations/operator"
import { DateTime, Effect } from "effect"
import { type RpcClients, rpcNodeOf } from "../RpcClients.ts"
import { toUpstreamUnavailable } from "../rpc/unavailable.ts"
import { broadcast, broadcastToOthers } from "./broadcast.ts"
import type { ClaimedOperatorAccount } from "./ClaimedOperatorAccount.ts"
import { type SignedBytes, signFiller, signWithNewFees } from "./signing.ts"

type Correction = Exclude<OperatorAccountAction, { readonly _tag: "Settle" }>

const nonceOf = (action: Correction): number => (action._tag === "Fill" ? action.nonce : action.before.nonce)

const isSame = (row: OperatorTransaction | null, knownRow: OperatorTransaction | null): boolean =>
  row?.hash === knownRow?.hash && row?.state === knownRow?.state && row?.block === knownRow?.block

const signOrDie = (sign: () => Promise<SignedBytes>): Effect.Effect<SignedBytes> => Effect.promise(sign)

/** Corrects a transaction. Returns the version to store, and whether to broadcast it afterwards. */
const correctTransaction = Effect.fnUntraced(function* (
  { account, id: operatorAccount }: ClaimedOperatorAccount,
  action: Correction,
  head: number
) {
  switch (action._tag) {
    case "Record":
      return { transaction: action.after, mustBroadcast: false }
    case "Rebroadcast":
      return { transaction: action.after, mustBroadcast: true }
    case "Replace": {
      const { before, fees } = action
      const version: OperatorTransaction = {
        ...before,
        ...(yield* signOrDie(() => signWithNewFees(account, before.raw, fees))),
        maxFeePerGas: fees.maxFeePerGas,
        maxPriorityFeePerGas: fees.maxPriorityFeePerGas,
        replaced: [...before.replaced, before.hash],
        state: "SENT",
        block: head,
        sentAt: yield* DateTime.now
      }
      return { transaction: version, mustBroadcast: true }
    }
    case "Fill": {
      const { before, fees, nonce } = action
      const fillerTransaction: OperatorTransaction = {
        ...operatorAccount,
        ...(yield* signOrDie(() => signFiller(account, operatorAccount.chainId, nonce, fees))),
        nonce,
        maxFeePerGas: fees.maxFeePerGas,
        maxPriorityFeePerGas: fees.maxPriorityFeePerGas,
        replaced: before === null ? [] : [...before.replaced, before.hash],
        operations: [],
        state: "SENT",
        block: head,
        sentAt: yield* DateTime.now
      }
      return { transaction: fillerTransaction, mustBroadcast: true }
    }
  }
})

/**
 * Performs the actions of a check while no other sender uses the operator account. Stores everything before it sends
 * anything. Changes since the check are handled by the next check.
 */
export const reconcileOperatorAccount = (
  rpc: RpcClients["Service"],
  store: OperatorTransactionStore["Service"],
  operatorAccount: ClaimedOperatorAccount,
  actions: ReadonlyArray<Correction>,
  head: number
) =>
  operatorAccount.runExclusively(
    Effect.gen(function* () {
      const rows = new Map((yield* store.listTracked(operatorAccount.id)).map((row) => [row.nonce, row]))
      const validActions = actions.filter((action) => isSame(rows.get(nonceOf(action)) ?? null, action.before))
      const corrections = yield* Effect.forEach(validActions, (action) =>
        correctTransaction(operatorAccount, action, head)
      )
      yield* operatorAccount.write(corrections.map(({ transaction }) => transaction))
      const transactionsToBroadcast = corrections.filter(({ mustBroadcast }) => mustBroadcast)
      yield* Effect.forEach(transactionsToBroadcast, ({ transaction }) => broadcastTransaction(rpc, transaction), {
        concurrency: "unbounded",
        discard: true
      })
    })
  )

const broadcastTransaction = Effect.fnUntraced(function* (
  rpc: RpcClients["Service"],
  transaction: OperatorTransaction
) {
  const [outcome] = yield* Effect.all([broadcast(rpc, transaction), broadcastToOthers(rpc, transaction)], {
    concurrency: 2
  })
  if (outcome._tag !== "Refused") return
  const { chainId, nonce, operator } = transaction
  const { reason } = toUpstreamUnavailable(rpcNodeOf(chainId), outcome.thrown)
  yield* Effect.logWarning("a transaction of the operator was rejected", { chainId, operator, nonce, reason })
})
