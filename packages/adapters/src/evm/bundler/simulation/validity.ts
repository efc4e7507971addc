import type { ExecutionResult } from "./simulationTrace.ts"

const UINT48 = 2n ** 48n - 1n

/** ERC-4337 `validationData`: uint48 validAfter ‖ uint48 validUntil ‖ address, where 0 is valid and 1 a wrong signature. */
const signatureFailed = (validationData: bigint): boolean => (validationData & (2n ** 160n - 1n)) !== 0n

const outOfTime = (validationData: bigint, now: bigint): boolean => {
  const validUntil = (validationData >> 160n) & UINT48
  const validAfter = validationData >> 208n
  return (validUntil !== 0n && now > validUntil) || (validAfter !== 0n && now <= validAfter)
}

/**
 * What `handleOps` would refuse although the simulation ran: simulations report a wrong signature or a passed time range
 * instead of reverting. Null when it is valid. `now` is the block's time in unix seconds.
 */
export const validationRefusal = (result: ExecutionResult, now: bigint): string | null => {
  const { accountValidationData: account, paymasterValidationData: paymaster } = result
  if (signatureFailed(account)) return "AA24 signature error"
  if (outOfTime(account, now)) return "AA22 expired or not due"
  if (signatureFailed(paymaster)) return "AA34 signature error"
  return outOfTime(paymaster, now) ? "AA32 paymaster expired or not due" : null
}
