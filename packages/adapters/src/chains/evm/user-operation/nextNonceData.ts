import type { Address } from "@countersign/core/foundation/primitives"
import type { Hex } from "viem"
import { entryPointAbi } from "../abi/entryPoint.ts"
import { encoderOf } from "../encoderOf.ts"

const entryPointData = encoderOf(entryPointAbi)

/** Number of bits of the sequence number in a nonce. The bits above are the nonce key. */
const SEQUENCE_BITS = 64n

/**
 * Encodes the calldata of `EntryPoint.getNonce` for a nonce's key. All nonces of this key below the result are used.
 */
export const nextNonceData = (sender: Address, nonce: bigint): Hex =>
  entryPointData("getNonce", [sender, nonce >> SEQUENCE_BITS])
