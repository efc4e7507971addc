import type { Address } from "@countersign/core/foundation/primitives"
import type { Hex } from "viem"
import { addressFromHex } from "../../../chains/evm/index.ts"

/** The fields of a deposit's Chainflip parameters that the service decodes. */
export interface ChainflipParameters {
  /** The receiver of a refund. */
  readonly refundTo: Address
  /**
   * Output base units per base unit of the deposit, times 2^128. Chainflip refunds the deposit if the price is lower.
   */
  readonly minPrice: bigint
}

/**
 * Versions 0 and 1 without call data: a version, the number of retry blocks in four bytes, the refund address, the
 * price in 32 bytes.
 */
const ADDRESS_AT = 5
const [ADDRESS_BYTES, PRICE_BYTES] = [20, 32]
const VERSIONS: ReadonlyArray<number> = [0, 1]
/** The chain tag before an address in the multi-chain format: Ethereum's and Arbitrum's. */
const CHAIN_TAGS: ReadonlyArray<number> = [0, 3]
const PRICE_BITS = 128n

/**
 * The minimum output of an amount at a price in base units, before the payment cost on the destination chain is
 * deducted.
 */
export const minAtPrice = (amount: bigint, minPrice: bigint): bigint => (amount * minPrice) >> PRICE_BITS

/** The lowest price at which an amount has at least this output. */
export const priceForLeast = (amount: bigint, minAmount: bigint): bigint =>
  ((minAmount << PRICE_BITS) + amount - 1n) / amount

/**
 * Decodes the beginning of `cfParameters` (chainflip-io/chainflip-backend, `cf_parameters.rs`, in SCALE). `wallet`
 * determines the address format. Null if the wallet's address matches neither format.
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
