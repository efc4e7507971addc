import type { Address } from "@countersign/core/primitives"
import { concatHex, type Hex, pad } from "viem"

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
export const addressArguments = (...addresses: ReadonlyArray<string>): Hex =>
  concatHex(addresses.map((address) => pad(address as Hex)))
