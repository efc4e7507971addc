import { Context, Metric } from "effect"

/** Reads are decoded outside of any fiber, and so count in the registry of the process. */
const context = Context.empty()

const metricsOf = (cache: string) => {
  const lookups = (outcome: "hit" | "miss") =>
    Metric.counter("pool_cache_lookups_total", {
      description: "Lookups of pools in memory, by hit or miss",
      incremental: true,
      attributes: { cache, outcome }
    })
  const [hits, misses] = [lookups("hit"), lookups("miss")]
  const entries = Metric.gauge("pool_cache_entries", {
    description: "Pools that are in memory",
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

/** Metrics of what is remembered of pools. */
export const poolCacheMetrics = {
  /** Pools that were not there: a hit is not asked for again. */
  absence: metricsOf("absence"),
  /** Pools as they are in the latest block: a hit is not asked for at all. */
  state: metricsOf("state"),
  /** Ticks of earlier blocks: a hit holds still, a miss is read in a further request. */
  ticks: metricsOf("ticks")
}
