import { Schema } from "effect"
import { ChainId } from "../../../foundation/chains/index.ts"
import { Address, MAX_UINT256 } from "../../../foundation/primitives/index.ts"
import type { AllowanceChange } from "../../user-operations/index.ts"

/** A spender's remaining allowance for one of the wallet's tokens, in base units. `MAX_UINT256` means unlimited. */
export const RemainingAllowance = Schema.Struct({
  chainId: ChainId,
  token: Address,
  spender: Address,
  amount: Schema.BigInt
})
export type RemainingAllowance = typeof RemainingAllowance.Type

/**
 * Returns the allowances that a simulation granted and did not use up, in the order of their first grant. Excludes
 * allowances that the simulation did not grant.
 */
export const remainingAllowances = (
  chainId: ChainId,
  changes: ReadonlyArray<AllowanceChange>
): ReadonlyArray<RemainingAllowance> => {
  const allowances = new Map<string, RemainingAllowance>()
  for (const { amount, spender, token, type } of changes) {
    const key = `${token} ${spender}`
    const allowanceBefore = allowances.get(key)
    if (type === "GIVEN") allowances.set(key, { chainId, token, spender, amount })
    // Most tokens treat the maximum allowance as unlimited, so transfers do not decrease it.
    else if (allowanceBefore !== undefined && allowanceBefore.amount !== MAX_UINT256)
      allowances.set(key, {
        ...allowanceBefore,
        amount: allowanceBefore.amount > amount ? allowanceBefore.amount - amount : 0n
      })
  }
  return [...allowances.values()].filter(({ amount }) => amount > 0n)
}
