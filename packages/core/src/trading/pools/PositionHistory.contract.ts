import { assert, layer as withLayer } from "@effect/vitest"
import { Effect, type Layer } from "effect"
import { LiquidityMarket } from "../liquidity/index.ts"
import { PositionHistory } from "./PositionHistory.ts"

/**
 * Contract tests that every `PositionHistory` must pass. The tests use the first position on Ethereum, which has never
 * changed.
 */
export const positionHistoryContract = <E>(
  name: string,
  layer: Layer.Layer<PositionHistory | LiquidityMarket, E>
): void => {
  withLayer(layer, { excludeTestServices: true })(`PositionHistory: ${name}`, (it) => {
    const readPosition = Effect.flatMap(LiquidityMarket, (market) => market.readPosition(1, 1n))

    it.effect("returns when a position was created, and that nothing was withdrawn from it", () =>
      Effect.gen(function* () {
        const lifetime = (yield* (yield* PositionHistory).readLifetime(yield* readPosition))!
        const noAmounts = { amount0: 0n, amount1: 0n }
        assert.deepStrictEqual([lifetime.removed, lifetime.collected], [noAmounts, noAmounts])
        assert.isAbove(lifetime.since, 1_600_000_000)
      })
    )

    it.effect("returns null for a position that does not exist", () =>
      Effect.gen(function* () {
        const unknownPosition = { ...(yield* readPosition), tokenId: 10n ** 30n }
        assert.isNull(yield* (yield* PositionHistory).readLifetime(unknownPosition))
      })
    )
  })
}
