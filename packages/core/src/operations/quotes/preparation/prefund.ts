import { type Address, greater, NATIVE_COIN } from "../../../foundation/primitives/index.ts"
import type { OperationContext, TokenTransfer } from "../../user-operations/index.ts"

/**
 * The coin that the EntryPoint takes from the account before an operation without a paymaster: the most that its gas can cost,
 * less the account's deposit there. What gas does not use stays there, as the deposit for the next operation.
 */
export const prefundTransfers = (
  { account, deposit, paymaster }: Pick<OperationContext, "account" | "deposit" | "paymaster">,
  entryPoint: Address,
  maxGasWei: bigint
): ReadonlyArray<TokenTransfer> => {
  const amount = greater(0n, maxGasWei - deposit)
  return paymaster !== null || amount === 0n
    ? []
    : [{ token: NATIVE_COIN, from: account.address, to: entryPoint, amount }]
}
