import { assert, layer as withLayer } from "@effect/vitest"
import { Effect, type Layer, Option } from "effect"
import type { EvmChainId } from "../../foundation/chains/index.ts"
import { Address } from "../../foundation/primitives/index.ts"
import { PoolMarket } from "./PoolMarket.ts"

/** A contract that returns its input, so that it answers every function with the four bytes of the function. */
const IDENTITY_PRECOMPILE = Address.make(`0x${"4".padStart(40, "0")}`)

export interface PoolMarketSample {
  readonly chainId: EvmChainId
  /** Two tokens with pools in several fee tiers. */
  readonly tokens: readonly [Address, Address]
  /** The address of a contract that is not a pool. */
  readonly contract: Address
}

/** Contract tests that every `PoolMarket` must pass. */
export const poolMarketContract = <E>(
  name: string,
  layer: Layer.Layer<PoolMarket, E>,
  { chainId, contract, tokens: [a, b] }: PoolMarketSample
): void => {
  withLayer(layer, { excludeTestServices: true })(`PoolMarket: ${name}`, (it) => {
    const searchPools = Effect.flatMap(PoolMarket, (market) => market.search(chainId, [[a, b]], null))

    it.effect("finds the pools of two tokens in any order, each pool once, with its balances", () =>
      Effect.gen(function* () {
        const market = yield* PoolMarket
        const { feeTiers, pools } = yield* searchPools
        assert.isAtLeast(pools.length, 2)
        assert.deepStrictEqual(
          (yield* market.search(
            chainId,
            [
              [b, a],
              [a, b]
            ],
            null
          )).pools,
          pools
        )
        for (const pool of pools) {
          assert.sameMembers([pool.token0, pool.token1], [a, b])
          assert.isTrue(pool.token0 < pool.token1)
          assert.include(feeTiers, pool.feePips)
          assert.isTrue(pool.balances[0] > 0n && pool.balances[1] > 0n && pool.liquidity > 0n)
          assert.deepStrictEqual((yield* market.search(chainId, [[a, b]], pool.feePips)).pools, [pool])
          assert.deepStrictEqual(yield* market.find(pool), Option.some(pool))
        }
      })
    )

    it.effect("finds nothing at an address without a pool, for a fee without pools, and for two equal tokens", () =>
      Effect.gen(function* () {
        const market = yield* PoolMarket
        const emptyAccount = Address.make(`0x${"5e".repeat(20)}`)
        for (const address of [contract, emptyAccount, IDENTITY_PRECOMPILE, a]) {
          assert.isTrue(Option.isNone(yield* market.find({ chainId, address })))
        }
        assert.deepStrictEqual((yield* market.search(chainId, [[a, b]], 7)).pools, [])
        assert.deepStrictEqual((yield* market.search(chainId, [[a, a]], null)).pools, [])
      })
    )
  })
}
