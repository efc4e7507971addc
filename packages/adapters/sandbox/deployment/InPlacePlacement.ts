import type { Address } from "@countersign/core/foundation/primitives"
import { concatHex, encodeDeployData, type Hex, numberToHex, size } from "viem"
import type { Artifact } from "../contracts/index.ts"

/**
 * A constructor run at an address of our choice. The creation code is put there as if it were the contract, called, so
 * that it writes its storage, and replaced by the runtime code that it returns. For contracts whose production address
 * hangs on a deployer's key or nonce.
 */
export interface InPlacePlacement {
  readonly address: Address
  readonly initCode: Hex
}

/** Creation code with the arguments of the constructor. */
export const initCodeOf = ({ abi, bytecode }: Artifact, ...args: ReadonlyArray<unknown>): Hex =>
  encodeDeployData({ abi, bytecode, args })

/** PUSH2 of a number. */
export const push = (value: number): Hex => concatHex(["0x61", numberToHex(value, { size: 2 })])

/** A constructor that returns what follows it. */
export const constructorOf = (runtime: Hex): Hex => {
  // PUSH2 size, DUP1, PUSH2 offset, PUSH0, CODECOPY, PUSH0, RETURN
  const prologue = (offset: number): Hex => concatHex([push(size(runtime)), "0x80", push(offset), "0x5f395ff3"])
  return concatHex([prologue(size(prologue(0))), runtime])
}
