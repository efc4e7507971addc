import type { Address, Hash32 } from "@countersign/core/foundation/primitives"
import type { MintedNft, TokenTransfer, UserOperation } from "@countersign/core/operations/user-operations"

import { tokenChargeIn } from "../paymaster/singletonPaymaster.ts"
import { type CallFrame, findFrame, isCallTo, type TracedLog } from "./simulation/CallFrame.ts"
import { BEFORE_EXECUTION } from "./simulation/eventedOperations.ts"
import { INNER_HANDLE_OP, POST_OP, USER_OPERATION_EVENT, VALIDATE_PAYMASTER } from "./simulation/simulationTrace.ts"
import {
  mintsInLogs,
  mintsInTrace,
  netPayment,
  transferInLog,
  transfersInTrace,
  wrappingInLog
} from "./simulation/transfers.ts"

/** The movements of one operation in a transaction that may contain several operations. */
export interface OperationEffects {
  /** Transfers that the account's calls made, in order. */
  readonly transfers: ReadonlyArray<TokenTransfer>
  readonly mintedNfts: ReadonlyArray<MintedNft>
  /** The paymaster's charge minus its refund; null if the paymaster charged no token. */
  readonly tokenPayment: TokenTransfer | null
}

/** Whether a frame is the EntryPoint's call for this operation: the operation's hash is among the arguments. */
const isOwnCall = (frame: CallFrame, to: Address, selector: string, hash: Hash32): boolean =>
  isCallTo(frame, to) && frame.input.startsWith(selector) && frame.input.toLowerCase().includes(hash.slice(2))

/** Finds the frame that executes an operation; undefined if the trace does not contain it. */
export const executionFrame = (trace: CallFrame, entryPoint: Address, hash: Hash32): CallFrame | undefined =>
  findFrame(trace, (frame) => isOwnCall(frame, entryPoint, INNER_HANDLE_OP, hash))

/**
 * Reads the movements from the frames that the EntryPoint calls for the operation; null if the trace does not contain
 * them.
 */
export const effectsInTrace = (operation: UserOperation, hash: Hash32, trace: CallFrame): OperationEffects | null => {
  const { chainId, entryPoint, paymaster, sender } = operation
  const executionCall = executionFrame(trace, entryPoint, hash)
  if (executionCall === undefined) return null
  const calls =
    executionCall.error === undefined ? executionCall.calls?.find((frame) => isCallTo(frame, sender)) : undefined
  const transfersIn = (frame: CallFrame | undefined) =>
    frame === undefined ? [] : transfersInTrace(chainId, frame, entryPoint)
  const payment =
    paymaster === null
      ? []
      : [
          ...transfersIn(findFrame(trace, (frame) => isOwnCall(frame, paymaster.address, VALIDATE_PAYMASTER, hash))),
          ...transfersIn(
            executionCall.calls?.find((frame) => isCallTo(frame, paymaster.address) && frame.input.startsWith(POST_OP))
          )
        ]
  return {
    transfers: transfersIn(calls),
    mintedNfts: calls === undefined ? [] : mintsInTrace(calls),
    tokenPayment: netPayment(sender, payment)
  }
}

type OwnLog = Pick<TracedLog, "address" | "topics" | "data">

/**
 * Returns the logs of one operation: those after the previous operation's event and before its own
 * `UserOperationEvent`. For the first operation of a bundle they start after `BeforeExecution`.
 */
const ownLogs = (logs: ReadonlyArray<OwnLog>, hash: Hash32): ReadonlyArray<OwnLog> => {
  const end = logs.findIndex(({ topics }) => topics[0] === USER_OPERATION_EVENT && topics[1]?.toLowerCase() === hash)
  const start = logs
    .slice(0, end)
    .findLastIndex(({ topics }) => topics[0] === USER_OPERATION_EVENT || topics[0] === BEFORE_EXECUTION)
  return logs.slice(start + 1, end)
}

/** Reads the movements from logs, for nodes without traces. Logs show no native token transfers except wrapping. */
export const effectsInLogs = (
  operation: UserOperation,
  hash: Hash32,
  logs: ReadonlyArray<OwnLog>
): OperationEffects => {
  const { chainId, paymaster, sender } = operation
  const operationLogs = ownLogs(logs, hash)
  const mintedNfts = mintsInLogs(operationLogs)
  const transfers = operationLogs.map((log) => transferInLog(chainId, log)).filter((transfer) => transfer !== null)
  const wrappings = operationLogs.map((log) => wrappingInLog(chainId, log)).filter((transfer) => transfer !== null)
  if (paymaster === null) return { transfers: [...wrappings, ...transfers], mintedNfts, tokenPayment: null }
  const charge = tokenChargeIn(paymaster.data)
  // Paymasters charge in `postOp`, after the calls: the last transfer between the account and the treasury is the
  // charge or the refund. If the format of the paymaster's data is unknown, the last transfer from the account counts
  // as the charge.
  const settlementIndex = transfers.findLastIndex(({ from, to, token }) =>
    charge === null
      ? from === sender
      : token === charge.token &&
        ((from === sender && to === charge.treasury) || (from === charge.treasury && to === sender))
  )
  const settlement = settlementIndex < 0 ? [] : [transfers[settlementIndex]!]
  const prefund =
    charge === null || charge.prefund === 0n
      ? []
      : [{ token: charge.token, from: sender, to: charge.treasury, amount: charge.prefund }]
  return {
    transfers: [...wrappings, ...(settlementIndex < 0 ? transfers : transfers.toSpliced(settlementIndex, 1))],
    mintedNfts,
    tokenPayment: netPayment(sender, [...prefund, ...settlement])
  }
}
