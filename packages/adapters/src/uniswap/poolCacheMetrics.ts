import { Context, Metric } from "effect"

/** Decoding happens outside of any fiber: it counts in the registry of the process. */
const context = Context.empty()

const metricsOf = (cache: string) => {
  const lookups = (outcome: "hit" | "miss") =>
    Metric.counter("pool_cache_lookups_total", {
      description: "Pools, and words of their ticks, that were looked for in memory, by whether that spared the work",
      incremental: true,
      attributes: { cache, outcome }
    })
  const [hits, misses] = [lookups("hit"), lookups("miss")]
  const entries = Metric.gauge("pool_cache_entries", {
    description: "Pools, and words of their ticks, that are in memory",
    attributes: { cache }
  })
  return {
    count: (hit: number, miss: number, size: number): void => {
      hits.updateUnsafe(hit, context)
      misses.updateUnsafe(miss, context)
      entries.updateUnsafe(size, context)
    }
  }
}

/** Metrics of the cached pool data. Prices are not cached: they are read again for every block. */
export const poolCacheMetrics = {
  /** Pools that were not there: a hit is not asked for again. */
  absence: metricsOf("absence"),
  /** Where a pool's price was last: on a hit its ticks come along with the price, on a miss in a second request. */
  window: metricsOf("window"),
  /** Words of ticks as the node sends them: a hit was decoded before. */
  ticks: metricsOf("ticks")
}
