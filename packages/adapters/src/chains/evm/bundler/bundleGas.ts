import type { UserOperation } from "@countersign/core/operations/user-operations"

/** Gas that `handleOps` uses outside of the operations' own limits. */
const HANDLE_OPS_OVERHEAD = 60_000n

/**
 * Returns the gas that an operation needs in a bundle. `handleOps` calls `innerHandleOp`, which calls the account. Each
 * call retains 1/64 of the gas, and `innerHandleOp` fails if its gas is below the limits of the operation (AA95). If an
 * operation creates a contract, the retained gas exceeds the overhead.
 */
const operationGas = ({ callGasLimit, paymaster, preVerificationGas, verificationGasLimit }: UserOperation): bigint => {
  const limits =
    verificationGasLimit +
    callGasLimit +
    (paymaster === null ? 0n : paymaster.verificationGasLimit + paymaster.postOpGasLimit)
  return preVerificationGas + (limits * 64n * 64n) / (63n * 63n)
}

/** Returns the gas limit of the transaction that contains these operations. */
export const bundleGas = (operations: ReadonlyArray<UserOperation>): bigint =>
  operations.reduce((gas, operation) => gas + operationGas(operation), HANDLE_OPS_OVERHEAD)
