import type { Address } from "@countersign/core/foundation/primitives"
import type { Hex } from "viem"
import { addressFromHex } from "../../../chains/evm/index.ts"

/** The fields of Chainflip's deposit parameters that the service decodes. */
export interface ChainflipParameters {
  /** Address that receives a refund. */
  readonly refundTo: Address
  /**
   * Minimum price: output base units per deposited base unit, times 2^128. Chainflip refunds the deposit if the price
   * is lower.
   */
  readonly minPrice: bigint
}

/**
 * Byte offsets in versions 0 and 1 without calldata: a version, the number of retry blocks (4 bytes), the refund
 * address, the price (32 bytes).
 */
const ADDRESS_AT = 5
const [ADDRESS_BYTES, PRICE_BYTES] = [20, 32]
const VERSIONS: ReadonlyArray<number> = [0, 1]
/** Chain tags of Ethereum and Arbitrum, which precede an address in the multi-chain format. */
const CHAIN_TAGS: ReadonlyArray<number> = [0, 3]
const PRICE_BITS = 128n

/**
 * Returns the minimum output of an amount at a price in base units, before Chainflip deducts the payment cost on the
 * destination chain.
 */
export const minAmountAtPrice = (amount: bigint, minPrice: bigint): bigint => (amount * minPrice) >> PRICE_BITS

/** Returns the lowest price at which an amount results in at least this output. */
export const minPriceForAmount = (amount: bigint, minAmount: bigint): bigint =>
  ((minAmount << PRICE_BITS) + amount - 1n) / amount

/**
 * Decodes the beginning of `cfParameters` (SCALE; chainflip-io/chainflip-backend, `cf_parameters.rs`). `wallet`
 * determines which of the two address formats is used. Null if the version is not supported, or if the refund address
 * is not the wallet in either format.
 */
export const readChainflipParameters = (parameters: Hex, wallet: Address): ChainflipParameters | null => {
  const bytes = Buffer.from(parameters.slice(2), "hex")
  if (!VERSIONS.includes(bytes[0] ?? -1)) return null
  for (const offset of CHAIN_TAGS.includes(bytes[ADDRESS_AT] ?? -1) ? [ADDRESS_AT, ADDRESS_AT + 1] : [ADDRESS_AT]) {
    const refundTo = `0x${bytes.subarray(offset, offset + ADDRESS_BYTES).toString("hex")}`
    const price = bytes.subarray(offset + ADDRESS_BYTES, offset + ADDRESS_BYTES + PRICE_BYTES)
    if (refundTo !== wallet || price.length < PRICE_BYTES) continue
    return {
      refundTo: addressFromHex(refundTo as Hex),
      minPrice: BigInt(`0x${Buffer.from(price).reverse().toString("hex")}`)
    }
  }
  return null
}
