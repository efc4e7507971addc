import { RouteNotFound } from "@countersign/core/trading/swap"
import { Effect, Metric } from "effect"
import type { RouteFault } from "./RouteFault.ts"

const refusedRoutes = Metric.counter("swap_routes_refused_total", {
  description: "Routes of aggregators that were rejected because they differ from the request, by fault",
  incremental: true
})

/**
 * Fails if a route has a fault, and counts the fault. Does not log a failed simulation, because this fault is common.
 */
export const requireFaultless = (
  provider: { readonly id: string; readonly name: string },
  routeFault: RouteFault | null
): Effect.Effect<void, RouteNotFound> => {
  if (routeFault === null) return Effect.void
  const { kind, reason } = routeFault
  const log = kind === "REVERT" ? Effect.void : Effect.logWarning(`a route was rejected: ${reason}`)
  return Metric.update(Metric.withAttributes(refusedRoutes, { provider: provider.id, fault: kind }), 1).pipe(
    Effect.andThen(log.pipe(Effect.annotateLogs({ provider: provider.id, fault: kind }))),
    Effect.andThen(Effect.fail(new RouteNotFound({ provider: provider.name, reason })))
  )
}
