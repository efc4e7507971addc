import { type Address, maxBigInt, NATIVE_TOKEN } from "../../../foundation/primitives/index.ts"
import type { OperationContext, TokenTransfer } from "../../user-operations/index.ts"

/**
 * Returns the native token transfer with which the EntryPoint charges the account before an operation without a
 * paymaster: the maximum gas cost minus the account's deposit. Empty if nothing is charged. The EntryPoint keeps unused
 * gas as a deposit for the next operation.
 */
export const prefundTransfers = (
  { account, deposit, paymaster }: Pick<OperationContext, "account" | "deposit" | "paymaster">,
  entryPoint: Address,
  maxGasWei: bigint
): ReadonlyArray<TokenTransfer> => {
  const amount = maxBigInt(0n, maxGasWei - deposit)
  return paymaster !== null || amount === 0n
    ? []
    : [{ token: NATIVE_TOKEN, from: account.address, to: entryPoint, amount }]
}
