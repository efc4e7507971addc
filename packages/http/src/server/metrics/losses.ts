import { evmChainIds } from "@countersign/core/chains"
import type { ChainLosses, LossScope } from "@countersign/core/losses"
import { type Context, Effect, Metric } from "effect"
import { metricByLabels } from "./labelled.ts"

const refusals = metricByLabels(
  Metric.counter("unpaid_gas_refusals_total", {
    description: "Requests refused because of unpaid gas, by whose it was",
    incremental: true
  }),
  "scope"
)

/** Counts a request that was refused on account of a wallet's, an owner's or a project's unpaid gas. */
export const countUnpaidRefusal = (scope: LossScope, context: Context.Context<never>): void =>
  refusals(scope).updateUnsafe(1, context)

const lostUsd = metricByLabels(
  Metric.gauge("unpaid_gas_lost_usd", {
    description: "US dollars of gas that nobody paid back in the last two days and that is not forgiven"
  }),
  "chain"
)
const lostWei = metricByLabels(
  Metric.gauge("unpaid_gas_lost_wei", { description: "The same in the wei of the chain" }),
  "chain"
)
const losses = metricByLabels(Metric.gauge("unpaid_gas_losses", { description: "The number of these losses" }), "chain")

/** Sets the gauges of every chain. Without a reading it removes them, because an old value would look like a new one. */
export const setLossGauges = (totals: ReadonlyArray<ChainLosses> | null) =>
  Effect.forEach(
    evmChainIds,
    (chainId) => {
      const chain = String(chainId)
      const gauges = [lostUsd(chain), lostWei(chain), losses(chain)] as const
      if (totals === null) return Effect.forEach(gauges, Metric.remove, { discard: true })
      const total = totals.find((each) => each.chainId === chainId)
      return Effect.all(
        [
          Metric.update(gauges[0], Number(total?.usdE6 ?? 0n) / 1e6),
          Metric.update(gauges[1], Number(total?.wei ?? 0n)),
          Metric.update(gauges[2], total?.count ?? 0)
        ],
        { discard: true }
      )
    },
    { discard: true }
  )
