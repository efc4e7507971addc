import type { Address } from "@countersign/core/foundation/primitives"
import type { Hex } from "viem"
import { entryPointAbi } from "../abi/entryPoint.ts"
import { encoderOf } from "../encoderOf.ts"

const entryPointData = encoderOf(entryPointAbi)

/** Number of bits of the sequence number in a nonce. The nonce key is above them. */
const SEQUENCE_BITS = 64n

/** Call data of `EntryPoint.getNonce` for the key of a nonce. All nonces below the result are used. */
export const nextNonceData = (sender: Address, nonce: bigint): Hex =>
  entryPointData("getNonce", [sender, nonce >> SEQUENCE_BITS])
