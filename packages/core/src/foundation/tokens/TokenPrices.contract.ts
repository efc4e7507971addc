import { assert, layer as withLayer } from "@effect/vitest"
import { Effect, type Layer } from "effect"
import type { EvmChainId } from "../chains/index.ts"
import { Address } from "../primitives/index.ts"
import { tokenKey } from "./TokenKey.ts"
import { TokenPrices, valuesOf } from "./TokenPrices.ts"

export interface TokenPricesSample {
  readonly chainId: EvmChainId
  /** Tokens with a known price, each with its approximate price in US dollars. */
  readonly near: ReadonlyArray<readonly [Address, number]>
}

/** Contract tests that every `TokenPrices` source must pass. */
export const tokenPricesContract = <E>(name: string, layer: Layer.Layer<TokenPrices, E>, sample: TokenPricesSample) =>
  withLayer(layer, { excludeTestServices: true })(`TokenPrices: ${name}`, (it) => {
    const ref = (address: Address) => ({ chainId: sample.chainId, address })
    const tokens = sample.near.map(([token]) => ref(token))

    it.effect("returns dollars per token unit scaled by 10^18, for any number of decimals", () =>
      Effect.gen(function* () {
        const prices = valuesOf(yield* (yield* TokenPrices).findPrices(tokens))
        for (const [token, dollars] of sample.near) {
          assert.closeTo(Number(prices.get(tokenKey(ref(token)))) / 1e18 / dollars, 1, 0.02, token)
        }
      })
    )

    it.effect("returns no entry for an unknown token, and not zero", () =>
      Effect.gen(function* () {
        const unlistedAddress = Address.make(`0x${"12".repeat(20)}`)
        const prices = yield* (yield* TokenPrices).findPrices([ref(unlistedAddress), ...tokens])
        assert.isFalse(prices.has(tokenKey(ref(unlistedAddress))))
        assert.strictEqual(prices.size, tokens.length)
      })
    )

    it.effect("returns a lower and an upper bound of each price", () =>
      Effect.gen(function* () {
        for (const { high, low, usd } of (yield* (yield* TokenPrices).findPrices(tokens)).values()) {
          assert.isTrue(low <= usd && usd <= high)
        }
      })
    )

    it.effect("returns prices of the requested tokens only", () =>
      Effect.gen(function* () {
        assert.strictEqual((yield* (yield* TokenPrices).findPrices([])).size, 0)
      })
    )
  })
