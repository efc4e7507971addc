import { Context, Metric } from "effect"

/** Results are decoded outside of any fiber, so the metrics use the default registry of the process. */
const context = Context.empty()

const metricsOf = (cache: string) => {
  const lookups = (outcome: "hit" | "miss") =>
    Metric.counter("pool_cache_lookups_total", {
      description: "Lookups in the pool cache, by hit or miss",
      incremental: true,
      attributes: { cache, outcome }
    })
  const [hits, misses] = [lookups("hit"), lookups("miss")]
  const entries = Metric.gauge("pool_cache_entries", {
    description: "Entries in the pool cache",
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

export const poolCacheMetrics = {
  /** Cache of pools that do not exist. A hit avoids a request. */
  absence: metricsOf("absence"),
  /** Cache of pool states at the latest block. A hit avoids any request. */
  state: metricsOf("state"),
  /** Cache of ticks from earlier blocks. A hit means that the ticks are still valid; a miss needs another request. */
  ticks: metricsOf("ticks")
}
