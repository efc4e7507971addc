import { monitorEventLoopDelay } from "node:perf_hooks"
import { Effect, Metric } from "effect"
import { VERSION } from "../../api/version.ts"

const residentBytes = Metric.gauge("process_resident_memory_bytes", {
  description: "Resident memory of the process in bytes"
})
const heapUsedBytes = Metric.gauge("nodejs_heap_size_used_bytes", { description: "Used heap in bytes" })
const heapTotalBytes = Metric.gauge("nodejs_heap_size_total_bytes", { description: "Allocated heap in bytes" })
const startTime = Metric.gauge("process_start_time_seconds", {
  description: "Start time of the process in Unix seconds"
})
const cpuSeconds = Metric.counter("process_cpu_seconds_total", {
  description: "User and system CPU time of the process in seconds",
  incremental: true
})
const eventLoopLag = Metric.gauge("nodejs_eventloop_lag_p99_seconds", {
  description: "99th percentile of the event loop delay since the previous scrape"
})
const buildInfo = Metric.gauge("countersign_build_info", {
  description: "Always 1; the label `version` is the running version",
  attributes: { version: VERSION }
})

/** Sampling interval of the event loop, in milliseconds. */
const RESOLUTION_MS = 10

/**
 * Returns the event loop lag in seconds. A sample is the time between two timer ticks, so the lag is its excess over
 * the interval.
 */
const lagSeconds = (nanoseconds: number): number => Math.max(0, nanoseconds / 1e6 - RESOLUTION_MS) / 1000

/** Measures this process until the scope closes. */
export const processMeter = Effect.gen(function* () {
  const delays = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
  yield* Effect.acquireRelease(
    Effect.sync(() => delays.enable()),
    () => Effect.sync(() => delays.disable())
  )
  yield* Metric.update(buildInfo, 1)
  yield* Metric.update(startTime, performance.timeOrigin / 1000)

  return Effect.gen(function* () {
    const { heapTotal, heapUsed, rss } = process.memoryUsage()
    yield* Metric.update(residentBytes, rss)
    yield* Metric.update(heapUsedBytes, heapUsed)
    yield* Metric.update(heapTotalBytes, heapTotal)

    const { system, user } = process.cpuUsage()
    const { count } = yield* Metric.value(cpuSeconds)
    yield* Metric.update(cpuSeconds, (system + user) / 1e6 - count)

    yield* Metric.update(eventLoopLag, lagSeconds(delays.percentile(99)))
    delays.reset()
  })
})
