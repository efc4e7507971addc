import type { SignedBy } from "@countersign/core/operations/user-operations"
import type { ExecutionResult } from "./simulationTrace.ts"

const UINT48 = 2n ** 48n - 1n

/**
 * Decodes ERC-4337 `validationData`: uint48 validAfter ‖ uint48 validUntil ‖ address, where 0 means valid and 1 an
 * invalid signature.
 */
const hasWrongSignature = (validationData: bigint): boolean => (validationData & (2n ** 160n - 1n)) !== 0n

const lastTime = (validationData: bigint): bigint => (validationData >> 160n) & UINT48

const isOutsideValidity = (validationData: bigint, now: bigint): boolean => {
  const validUntil = lastTime(validationData)
  const validAfter = validationData >> 208n
  return (validUntil !== 0n && now > validUntil) || (validAfter !== 0n && now <= validAfter)
}

/**
 * Returns the last block timestamp, in Unix seconds, at which the operation can be included; null if there is no limit.
 */
export const validUntilOf = ({ accountValidationData, paymasterValidationData }: ExecutionResult): number | null => {
  const times = [accountValidationData, paymasterValidationData].map(lastTime).filter((time) => time !== 0n)
  return times.length === 0 ? null : Math.min(...times.map(Number))
}

/**
 * Returns why `handleOps` would reject an operation although its simulation ran; null if it would not. Simulations
 * report an invalid signature or an expired time range instead of reverting. An invalid stub signature is ignored.
 * `now` is the block timestamp in Unix seconds.
 */
export const validationRefusal = (result: ExecutionResult, now: bigint, signedBy: SignedBy): string | null => {
  const signatureFailed = (validationData: bigint) => signedBy === "OWNER" && hasWrongSignature(validationData)
  const { accountValidationData: account, paymasterValidationData: paymaster } = result
  if (signatureFailed(account)) return "AA24 signature error"
  if (isOutsideValidity(account, now)) return "AA22 expired or not due"
  if (signatureFailed(paymaster)) return "AA34 signature error"
  return isOutsideValidity(paymaster, now) ? "AA32 paymaster expired or not due" : null
}
