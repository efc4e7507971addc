import type { Hash32 } from "@countersign/core/foundation/primitives"
import type { NativeTokenTransfer } from "@countersign/core/wallets/chain-activity"
import { HostFailure } from "../../outbound/json-api/index.ts"
import { accountContracts } from "../deployments/index.ts"
import {
  addressFromHex,
  type BlockResponse,
  type CallFrame,
  eventsOf,
  type FlatTrace,
  hash32FromHex,
  type TracedTransaction
} from "../evm/index.ts"

/** Payments to and from an EntryPoint are gas fees, not transfers. */
const entryPoints: ReadonlySet<string> = new Set([accountContracts.entryPoint07, accountContracts.entryPoint08])

/** A native token transfer that a transaction made. */
export interface MovedNativeToken {
  readonly transactionHash: Hash32
  readonly transfer: NativeTokenTransfer
}

interface NativeTokenCall {
  readonly from?: string | null | undefined
  readonly to?: string | null | undefined
  readonly value?: string | null | undefined
}

const NOTHING = /^0x0*$/u

const transferOf = ({ from, to, value }: NativeTokenCall): NativeTokenTransfer | null => {
  if (from == null || to == null || value == null || NOTHING.test(value)) return null
  const transfer = { from: addressFromHex(from), to: addressFromHex(to), amount: BigInt(value) }
  if (transfer.from === transfer.to) return null
  return entryPoints.has(transfer.from) || entryPoints.has(transfer.to) ? null : transfer
}

const nativeTokenMovementsIn = (hash: string, calls: Iterable<NativeTokenCall>): ReadonlyArray<MovedNativeToken> => {
  const transfers = Array.from(calls, transferOf).filter((transfer) => transfer !== null)
  if (transfers.length === 0) return []
  const transactionHash = hash32FromHex(hash)
  return transfers.map((transfer) => ({ transactionHash, transfer }))
}

const isOwnCode = ({ type }: CallFrame): boolean => type === "DELEGATECALL" || type === "CALLCODE"

const callsIn = function* (frame: CallFrame): Generator<NativeTokenCall> {
  for (const event of eventsOf(frame)) if (!("topics" in event) && !isOwnCode(event)) yield event
}

/** Returns the hashes of a block's transactions, which the block contains as objects or as hashes. */
export const transactionHashes = ({ transactions }: BlockResponse): ReadonlyArray<string> =>
  transactions.map((each) => String(typeof each === "string" ? each : Object(each).hash).toLowerCase())

/** Returns the hashes of the transactions that geth could not trace, for example because of its time limit. */
export const untracedHashes = (block: BlockResponse, traces: ReadonlyArray<TracedTransaction>): ReadonlySet<string> => {
  const hashes = transactionHashes(block)
  return new Set(traces.flatMap(({ result }, index) => (result === undefined ? [hashes[index]!] : [])))
}

/** Reads the transfers from geth's traces, which are in the order of the transactions. */
export const nativeTransfersInTraces = (
  block: BlockResponse,
  traces: ReadonlyArray<TracedTransaction>
): ReadonlyArray<MovedNativeToken> => {
  const hashes = transactionHashes(block)
  const isOfBlock =
    traces.length === hashes.length &&
    traces.every(({ txHash }, index) => txHash === undefined || txHash.toLowerCase() === hashes[index])
  if (!isOfBlock) throw new HostFailure("it returned the trace of another block")
  return traces.flatMap(({ result }, index) =>
    result === undefined ? [] : nativeTokenMovementsIn(hashes[index]!, callsIn(result))
  )
}

/** Whether a call failed or is inside a failed call, and so had no effect. */
const isReverted = (trace: FlatTrace, failedAddresses: ReadonlyArray<ReadonlyArray<number>>): boolean =>
  failedAddresses.some((outer) => outer.every((step, depth) => trace.traceAddress[depth] === step))

const flatCall = ({ action, result, type }: FlatTrace): NativeTokenCall | null => {
  switch (type) {
    case "call":
      return action.callType === "delegatecall" || action.callType === "callcode" ? null : action
    case "create":
      return { from: action.from, to: result?.address, value: action.value }
    case "suicide":
      return { from: action.address, to: action.refundAddress, value: action.balance }
    default:
      return null
  }
}

/** Reads the transfers from the result of `trace_block`. */
export const nativeTransfersInFlatTraces = (
  block: BlockResponse,
  traces: ReadonlyArray<FlatTrace>
): ReadonlyArray<MovedNativeToken> => {
  const hashes = new Set(transactionHashes(block))
  const byTransaction = Map.groupBy(traces, ({ transactionHash }) => transactionHash?.toLowerCase() ?? "")
  byTransaction.delete("")
  if (byTransaction.size !== hashes.size || [...byTransaction.keys()].some((hash) => !hashes.has(hash))) {
    throw new HostFailure("it returned the trace of another block")
  }
  return [...byTransaction].flatMap(([hash, steps]) => {
    const failedAddresses = steps.filter(({ error }) => error !== undefined).map(({ traceAddress }) => traceAddress)
    return nativeTokenMovementsIn(
      hash,
      steps.flatMap((step) => (isReverted(step, failedAddresses) ? [] : (flatCall(step) ?? [])))
    )
  })
}

/**
 * Reads the transfers from the transactions only. Includes transfers of failed transactions, because only a receipt
 * shows whether a transaction succeeded.
 */
export const nativeTransfersInTransactions = ({ transactions }: BlockResponse): ReadonlyArray<MovedNativeToken> =>
  transactions.flatMap((each) => {
    const { from, hash, to, value } = Object(each) as NativeTokenCall & { readonly hash: string }
    return nativeTokenMovementsIn(hash, [{ from, to, value }])
  })
