import type { UnpaidGasScope } from "@countersign/core/operations/unpaid-gas"
import { type Context, Metric } from "effect"
import { metricByLabels } from "./metricByLabels.ts"

const refusals = metricByLabels(
  Metric.counter("unpaid_gas_refusals_total", {
    description: "Number of requests rejected because of unpaid gas, by the scope of the limit",
    incremental: true
  }),
  "scope"
)

/** Counts a request that the service rejected because of unpaid gas of a wallet, an owner or a project. */
export const countUnpaidRefusal = (scope: UnpaidGasScope, context: Context.Context<never>): void =>
  refusals(scope).updateUnsafe(1, context)
