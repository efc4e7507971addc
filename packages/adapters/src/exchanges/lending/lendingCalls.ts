import { type Address, decimalFromBaseUnits, HexBytes, MAX_UINT256 } from "@countersign/core/foundation/primitives"
import type { Token } from "@countersign/core/foundation/tokens"
import { approveCall, type Call } from "@countersign/core/operations/user-operations"
import type { Hex } from "viem"

export const amountText = (amount: bigint, { decimals, symbol }: Token): string =>
  `${decimalFromBaseUnits(amount, decimals)} ${symbol}`

export const callOf = (to: Address, data: Hex, summary: string): Call => ({
  to,
  value: 0n,
  data: HexBytes.make(data),
  summary
})

const approval = (token: Token, spender: Address, amount: bigint): Call => {
  const call = approveCall(token, spender, amount)
  if (amount === 0n) return { ...call, summary: `Revoke the allowance of ${spender} for ${token.symbol}` }
  if (amount < MAX_UINT256) return call
  return { ...call, summary: `Allow ${spender} to take ${token.symbol} for the next call` }
}

/**
 * Builds the approval and a call that spends it, so that the allowance is zero afterwards. `amount` is the allowance.
 * `takesAll` means that the call uses up the allowance, so that no revocation is needed. A nonzero allowance is reset
 * first, because some tokens do not allow changing it.
 */
export const withAllowance = (
  {
    amount,
    before,
    spender,
    takesAll,
    token
  }: {
    readonly token: Token
    readonly spender: Address
    readonly amount: bigint
    /** The spender's current allowance. */
    readonly before: bigint
    readonly takesAll: boolean
  },
  call: Call
): ReadonlyArray<Call> => [
  ...(before === 0n ? [] : [approval(token, spender, 0n)]),
  approval(token, spender, amount),
  call,
  ...(takesAll ? [] : [approval(token, spender, 0n)])
]
