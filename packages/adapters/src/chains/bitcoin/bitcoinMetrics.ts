import { type Effect, Metric } from "effect"

const block = Metric.gauge("bitcoin_host_block", { description: "Latest block height that a Bitcoin host reported" })

export const recordBlockHeight = (host: string, height: number): Effect.Effect<void> =>
  Metric.update(Metric.withAttributes(block, { host }), height)
