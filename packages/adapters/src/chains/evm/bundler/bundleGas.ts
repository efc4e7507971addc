import type { UserOperation } from "@countersign/core/operations/user-operations"

/** Gas of `handleOps` outside of the operations' own limits. */
const HANDLE_OPS_OVERHEAD = 60_000n

/**
 * `handleOps` calls `innerHandleOp`, which calls the account. Each call retains one 64th of the gas, and the second
 * fails if its gas is below its limits (AA95). The retained gas exceeds the overhead if an operation creates a
 * contract.
 */
const gasOfOperation = ({
  callGasLimit,
  paymaster,
  preVerificationGas,
  verificationGasLimit
}: UserOperation): bigint => {
  const limits =
    verificationGasLimit +
    callGasLimit +
    (paymaster === null ? 0n : paymaster.verificationGasLimit + paymaster.postOpGasLimit)
  return preVerificationGas + (limits * 64n * 64n) / (63n * 63n)
}

/** Gas limit of the transaction with these operations. */
export const bundleGas = (operations: ReadonlyArray<UserOperation>): bigint =>
  operations.reduce((gas, operation) => gas + gasOfOperation(operation), HANDLE_OPS_OVERHEAD)
