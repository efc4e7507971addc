import { Schema } from "effect"
import { Address, decimalFromBaseUnits, HexBytes, isNativeToken } from "../../foundation/primitives/index.ts"
import type { Token } from "../../foundation/tokens/index.ts"

/** One call of the account, with a description for the signer. */
export const Call = Schema.Struct({
  to: Address,
  /** Native token amount in wei. */
  value: Schema.BigInt,
  data: HexBytes,
  /** A short description of the call's effect. */
  summary: Schema.String
})
export type Call = typeof Call.Type

const abiWord = (value: bigint): string => value.toString(16).padStart(64, "0")
const addressWord = (address: Address): string => address.slice(2).padStart(64, "0")

/** Builds an ERC-20 `approve(address,uint256)` call. */
export const approveCall = (token: Token, spender: Address, amount: bigint): Call => ({
  to: token.address,
  value: 0n,
  data: HexBytes.make(`0x095ea7b3${addressWord(spender)}${abiWord(amount)}`),
  summary: `Allow ${spender} to take ${decimalFromBaseUnits(amount, token.decimals)} ${token.symbol}`
})

/** Builds an ERC-20 `transfer(address,uint256)` call, or a plain transfer of the native token. */
export const transferCall = (token: Token, recipient: Address, amount: bigint): Call => ({
  ...(isNativeToken(token.address)
    ? { to: recipient, value: amount, data: HexBytes.make("0x") }
    : { to: token.address, value: 0n, data: HexBytes.make(`0xa9059cbb${addressWord(recipient)}${abiWord(amount)}`) }),
  summary: `Send ${decimalFromBaseUnits(amount, token.decimals)} ${token.symbol} to ${recipient}`
})
