import { parseAbi } from "viem"
import { encoderOf } from "./encoderOf.ts"

/** The functions of WETH9, which the wrapped native tokens of all chains share. */
const abi = parseAbi(["function deposit() payable", "function withdraw(uint256 amount)"])

/** Calldata of a wrapped native token. */
export const wrappedNativeData = encoderOf(abi)
