import { WorkSignals } from "@countersign/core/foundation/work"
import { PoolIndexing } from "@countersign/core/trading/pools"
import { Effect, Layer, Metric } from "effect"
import { forkRounds } from "./forkRounds.ts"

const countedEvents = Metric.counter("pool_events_counted_total", {
  description: "Number of liquidity pool events that the indexer has counted",
  incremental: true
})

/**
 * Indexes the events of requested pools while the layer exists. Several processes may run this worker, because each
 * process claims different pools.
 */
export const layer: Layer.Layer<never, never, PoolIndexing | WorkSignals> = Layer.effectDiscard(
  Effect.gen(function* () {
    const indexing = yield* PoolIndexing
    const signals = yield* WorkSignals
    const round = Effect.flatMap(indexing.indexDue, (eventCount) =>
      eventCount === null ? signals.await("POOLS") : Metric.update(countedEvents, eventCount)
    )
    yield* forkRounds(round, "counting the events of pools failed")
  })
)
