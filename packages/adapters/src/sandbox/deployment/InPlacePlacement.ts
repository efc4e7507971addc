import type { Address } from "@countersign/core/primitives"
import { concatHex, type Hex, numberToHex, pad, size } from "viem"

/**
 * A constructor run at an address of our choice. The creation code is put there as if it were the contract, called, so
 * that it writes its storage, and replaced by the runtime code that it returns. For contracts whose production address
 * hangs on a deployer's key or nonce.
 */
export interface InPlacePlacement {
  readonly address: Address
  readonly initCode: Hex
}

/** Constructor arguments that are addresses alone. */
export const addressArguments = (...addresses: ReadonlyArray<Hex>): Hex =>
  concatHex(addresses.map((address) => pad(address)))

/** PUSH2 of a number. */
export const push = (value: number): Hex => concatHex(["0x61", numberToHex(value, { size: 2 })])

/** A constructor that returns what follows it. */
export const constructorOf = (runtime: Hex): Hex => {
  // PUSH2 size, DUP1, PUSH2 offset, PUSH0, CODECOPY, PUSH0, RETURN
  const prologue = (offset: number): Hex => concatHex([push(size(runtime)), "0x80", push(offset), "0x5f395ff3"])
  return concatHex([prologue(size(prologue(0))), runtime])
}
