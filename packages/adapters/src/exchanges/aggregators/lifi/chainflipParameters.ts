import type { Address } from "@countersign/core/foundation/primitives"
import type { Hex } from "viem"
import { addressFromHex } from "../../../chains/evm/index.ts"

/** What Chainflip's parameters say of a deposit, as far as they are read. */
export interface ChainflipParameters {
  /** Gets back what is not swapped. */
  readonly refundTo: Address
  /** Base units given for one base unit of the deposit, times 2^128: for less it is paid back. */
  readonly minPrice: bigint
}

/** Of versions 0 and 1 without data for a call: a version, blocks to retry for in four bytes, who is paid back, the price in 32. */
const ADDRESS_AT = 5
const [ADDRESS_BYTES, PRICE_BYTES] = [20, 32]
const VERSIONS: ReadonlyArray<number> = [0, 1]
/** A chain's number before an address, where it is written for all chains: Ethereum's and Arbitrum's. */
const CHAIN_TAGS: ReadonlyArray<number> = [0, 3]
const PRICE_BITS = 128n

/** The least, in base units, that an amount gives at a price, before what its payment costs on the other chain. */
export const leastAtPrice = (amount: bigint, minPrice: bigint): bigint => (amount * minPrice) >> PRICE_BITS

/** The lowest price that gives so much for an amount. */
export const priceForLeast = (amount: bigint, least: bigint): bigint => ((least << PRICE_BITS) + amount - 1n) / amount

/**
 * Reads the beginning of `cfParameters` (chainflip-io/chainflip-backend, `cf_parameters.rs`, in SCALE). `wallet` tells which of
 * the two forms an address has. Null where neither has the wallet's.
 */
export const readChainflipParameters = (parameters: Hex, wallet: Address): ChainflipParameters | null => {
  const bytes = Buffer.from(parameters.slice(2), "hex")
  if (!VERSIONS.includes(bytes[0] ?? -1)) return null
  for (const at of CHAIN_TAGS.includes(bytes[ADDRESS_AT] ?? -1) ? [ADDRESS_AT, ADDRESS_AT + 1] : [ADDRESS_AT]) {
    const refundTo = `0x${bytes.subarray(at, at + ADDRESS_BYTES).toString("hex")}`
    const price = bytes.subarray(at + ADDRESS_BYTES, at + ADDRESS_BYTES + PRICE_BYTES)
    if (refundTo !== wallet || price.length < PRICE_BYTES) continue
    return {
      refundTo: addressFromHex(refundTo as Hex),
      minPrice: BigInt(`0x${Buffer.from(price).reverse().toString("hex")}`)
    }
  }
  return null
}
