import type { Address } from "@countersign/core/primitives"
import { encodeFunctionData, type Hex } from "viem"
import { entryPointAbi } from "../abi/entryPoint.ts"

/** Bits of a nonce after its key, which count the operations of that key. */
const SEQUENCE_BITS = 64n

/** Call data of `EntryPoint.getNonce` for the key of a nonce. A nonce below the answer is used. */
export const nextNonceData = (sender: Address, nonce: bigint): Hex =>
  encodeFunctionData({ abi: entryPointAbi, functionName: "getNonce", args: [sender, nonce >> SEQUENCE_BITS] })
