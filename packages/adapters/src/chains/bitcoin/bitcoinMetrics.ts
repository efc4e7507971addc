import { type Effect, Metric } from "effect"

const block = Metric.gauge("bitcoin_host_block", { description: "Height that a host of Bitcoin's chain told last" })

export const showBlock = (host: string, height: number): Effect.Effect<void> =>
  Metric.update(Metric.withAttributes(block, { host }), height)
