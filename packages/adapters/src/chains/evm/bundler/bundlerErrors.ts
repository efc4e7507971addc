import type { RevertReason } from "@countersign/core/operations/user-operations"
import { isHex, size } from "viem"
import { bytesFromHex } from "../hex.ts"
import { revertReason } from "../revertReason.ts"
import { type JsonRpcError, revertDataOf } from "../rpc/JsonRpcError.ts"

/** Error codes of ERC-7769. */
export const BundlerErrorCode = {
  invalidFields: -32602,
  rejectedByEntryPoint: -32500,
  rejectedByPaymaster: -32501,
  opcodeViolation: -32502,
  outOfTimeRange: -32503,
  throttledOrBanned: -32504,
  stakeTooLow: -32505,
  unsupportedAggregator: -32506,
  invalidSignature: -32507,
  paymasterDepositTooLow: -32508,
  executionReverted: -32521
} as const

/** Temporary rejections: a reputation can recover, and a deposit can be refilled. */
const temporaryErrorCodes: ReadonlySet<number> = new Set([
  BundlerErrorCode.throttledOrBanned,
  BundlerErrorCode.paymasterDepositTooLow
])

const codes: ReadonlySet<number> = new Set(Object.values(BundlerErrorCode))

/** Whether the error concerns the operation itself and is permanent. */
export const isRejection = ({ code }: JsonRpcError): boolean => codes.has(code) && !temporaryErrorCodes.has(code)

/** Returns the revert reason in a rejection: from its data if it has any, otherwise from its message. */
export const rejectionRevert = (error: JsonRpcError): RevertReason => {
  const data = revertDataOf(error)
  if (data !== null && isHex(data) && size(data) >= 4) return revertReason(bytesFromHex(data))
  return { raw: bytesFromHex("0x"), decoded: error.shortMessage, utf8: "" }
}
