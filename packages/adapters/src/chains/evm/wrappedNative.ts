import { decimalFromBaseUnits, HexBytes } from "@countersign/core/foundation/primitives"
import type { Token } from "@countersign/core/foundation/tokens"
import type { Call } from "@countersign/core/operations/user-operations"
import { parseAbi } from "viem"
import { encoderOf } from "./encoderOf.ts"

/** Functions of WETH9. The wrapped native tokens of all chains have these functions. */
const abi = parseAbi(["function deposit() payable", "function withdraw(uint256 amount)"])

/** Encodes the calldata of a wrapped native token. */
export const wrappedNativeData = encoderOf(abi)

/** Builds the call that wraps an amount of the native token, in base units. */
export const wrapCall = (native: Token, { address, symbol }: Token, amount: bigint): Call => ({
  to: address,
  value: amount,
  data: HexBytes.make(wrappedNativeData("deposit", [])),
  summary: `Wrap ${decimalFromBaseUnits(amount, native.decimals)} ${native.symbol} into ${symbol}`
})
