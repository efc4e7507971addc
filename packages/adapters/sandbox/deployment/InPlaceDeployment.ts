import type { Address } from "@countersign/core/foundation/primitives"
import { concatHex, encodeDeployData, type Hex, numberToHex, size } from "viem"
import type { Artifact } from "../contracts/index.ts"

/**
 * A deployment that runs a constructor at an existing address. The creation code is set at the address and called, so
 * that it writes the storage. Its returned runtime code then replaces it. This is for contracts whose production
 * address depends on a deployer's key or nonce.
 */
export interface InPlaceDeployment {
  readonly address: Address
  readonly initCode: Hex
}

/** Encodes creation code with constructor arguments. */
export const initCodeOf = ({ abi, bytecode }: Artifact, ...args: ReadonlyArray<unknown>): Hex =>
  encodeDeployData({ abi, bytecode, args })

/** Encodes a PUSH2 instruction. */
export const push = (value: number): Hex => concatHex(["0x61", numberToHex(value, { size: 2 })])

/** Builds creation code that returns `runtime`. */
export const constructorOf = (runtime: Hex): Hex => {
  // PUSH2 size, DUP1, PUSH2 offset, PUSH0, CODECOPY, PUSH0, RETURN
  const prologue = (offset: number): Hex => concatHex([push(size(runtime)), "0x80", push(offset), "0x5f395ff3"])
  return concatHex([prologue(size(prologue(0))), runtime])
}
