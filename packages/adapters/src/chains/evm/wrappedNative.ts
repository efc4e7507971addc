import { decimalFromBaseUnits, HexBytes } from "@countersign/core/foundation/primitives"
import type { Token } from "@countersign/core/foundation/tokens"
import type { Call } from "@countersign/core/operations/user-operations"
import { parseAbi } from "viem"
import { encoderOf } from "./encoderOf.ts"

/** The functions of WETH9, which the wrapped native tokens of all chains share. */
const abi = parseAbi(["function deposit() payable", "function withdraw(uint256 amount)"])

/** Calldata of a wrapped native token. */
export const wrappedNativeData = encoderOf(abi)

/** The call that wraps an amount of the native token, in base units. */
export const wrapCall = (native: Token, { address, symbol }: Token, amount: bigint): Call => ({
  to: address,
  value: amount,
  data: HexBytes.make(wrappedNativeData("deposit", [])),
  summary: `Wrap ${decimalFromBaseUnits(amount, native.decimals)} ${native.symbol} into ${symbol}`
})
