import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { ChainId } from "../chains/index.ts"
import { anAddress } from "../primitives/ids.fixture.ts"
import { NATIVE_TOKEN } from "../primitives/index.ts"
import { type TokenKey, tokenKey } from "./TokenKey.ts"
import { pricesOf, StoredPrices, storedPrices } from "./TokenPrices.ts"

describe("tokenKey", () => {
  it("differs between two chains for the same address, such as the native token's", () => {
    const address = anAddress()
    const keys = ChainId.literals.flatMap((chainId) => [
      tokenKey({ chainId, address }),
      tokenKey({ chainId, address: NATIVE_TOKEN })
    ])
    assert.strictEqual(new Set(keys).size, 2 * ChainId.literals.length)
  })
})

describe("Stored prices", () => {
  it("are decoded as they were encoded, also with JSON in between", () => {
    const address = anAddress()
    const prices = new Map<TokenKey, bigint>([
      [tokenKey({ chainId: 1, address }), 10n ** 18n],
      [tokenKey({ chainId: 137, address }), 2n ** 100n]
    ])
    const codec = Schema.fromJsonString(Schema.toCodecJson(StoredPrices))
    const decodedPrices = Schema.decodeSync(codec)(Schema.encodeSync(codec)(storedPrices(prices)))
    assert.deepStrictEqual(pricesOf(decodedPrices), prices)
  })
})
