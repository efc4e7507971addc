import { readChainflipParameters } from "@countersign/adapters/exchanges/aggregators"
import { Address } from "@countersign/core/foundation/primitives"
import { assert, describe, it } from "@effect/vitest"
import { minPriceOf } from "../../src/verify/lifiChainflip.ts"

/**
 * Compares the verifier's parser with the service's. The verifier has its own, so that it does not rely on code of the
 * service.
 */

const WALLET = Address.make(`0x${"a2".repeat(20)}`)
const PRICE = (1n << 100n) + 7n

const parametersOf = (chainTag: string, refundAddress = WALLET.slice(2)): `0x${string}` => {
  const price = Buffer.from(PRICE.toString(16).padStart(64, "0"), "hex").reverse().toString("hex")
  return `0x0064000000${chainTag}${refundAddress}${price}${"00".repeat(38)}`
}

describe("the refund address in Chainflip's parameters", () => {
  it.each<readonly [string, `0x${string}`, bigint | null]>([
    ["without a tag", parametersOf(""), PRICE],
    ["with the tag of Ethereum", parametersOf("00"), PRICE],
    ["with the tag of Arbitrum", parametersOf("03"), PRICE],
    // A refund would go to a Polkadot account whose first bytes equal the wallet's address.
    ["with the tag of Polkadot", parametersOf("01"), null],
    ["with the tag of Bitcoin", parametersOf("02"), null],
    ["with the tag of Solana", parametersOf("04"), null],
    ["of another account", parametersOf("00", "b3".repeat(20)), null],
    ["that is truncated", "0x0064", null]
  ])("%s is parsed equally by the verifier and the service", (_, parameters, price) => {
    assert.strictEqual(minPriceOf(parameters, WALLET), price)
    assert.strictEqual(readChainflipParameters(parameters, WALLET)?.minPrice ?? null, price)
  })
})
