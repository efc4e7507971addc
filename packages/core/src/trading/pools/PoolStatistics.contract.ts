import { assert, layer as withLayer } from "@effect/vitest"
import { Effect, type Layer } from "effect"
import type { PricedPoolRef } from "./PoolRef.ts"
import { emptyStatistics, PoolStatistics } from "./PoolStatistics.ts"

export interface PoolStatisticsSample {
  /** A pool with complete statistics, which had swaps today and ten days ago. */
  readonly known: PricedPoolRef
  /** A pool without statistics. */
  readonly unknown: PricedPoolRef
}

/** Contract tests that every `PoolStatistics` source must pass. */
export const poolStatisticsContract = <E>(
  name: string,
  layer: Layer.Layer<PoolStatistics, E>,
  { known, unknown }: PoolStatisticsSample
): void => {
  withLayer(layer, { excludeTestServices: true })(`PoolStatistics: ${name}`, (it) => {
    it.effect("returns more data for a longer range, and reports when the data start", () =>
      Effect.gen(function* () {
        const statistics = yield* PoolStatistics
        yield* statistics.startIndexing(known.pool)
        const [day, month] = [yield* statistics.readStatistics(known, 1), yield* statistics.readStatistics(known, 30)]
        assert.strictEqual(day.rangeInDays, 1)
        assert.strictEqual(month.rangeInDays, 30)
        assert.isTrue(day.transactions! > 0 && month.transactions! > day.transactions!)
        assert.isTrue(day.volumeUsdE6! > 0n && month.volumeUsdE6! > day.volumeUsdE6!)
        assert.isTrue(day.feesUsdE6! > 0n && month.feesUsdE6! > day.feesUsdE6!)
        assert.isTrue(month.volumes![0] > day.volumes![0] && month.volumes![1] > day.volumes![1])
        assert.isTrue(month.feesUsdE6! < month.volumeUsdE6!)
        assert.isTrue(month.isWhole && month.knownFrom! > 0)
      })
    )

    it.effect("returns null for unknown values, and never zero", () =>
      Effect.gen(function* () {
        const statistics = yield* PoolStatistics
        assert.deepStrictEqual(yield* statistics.readStatistics(unknown, 7), emptyStatistics(7))
      })
    )
  })
}
