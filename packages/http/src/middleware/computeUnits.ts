import { ComputeUnitMeter } from "@countersign/core/tenancy/metering"
import type { Caller } from "@countersign/core/tenancy/projects"
import { Context, Effect } from "effect"
import type { HttpApiEndpoint } from "effect/http-api"
import { toErrorBody } from "../errors/index.ts"
import { servedEndpointOf } from "./definitions.ts"

/** Compute units per request, by cost name. */
export const ComputeUnitCosts = Context.Reference("@countersign/http/ComputeUnitCosts", {
  defaultValue: () => ({ read: 1, quote: 5, slowQuote: 25, portfolio: 10 })
})

/**
 * Fails if the project has fewer compute units than the minimum cost of the endpoint. The handler charges the units
 * later, when the request is decoded, because the cost can depend on the request. A malformed request is free.
 */
export const unitsRequirement = Effect.gen(function* () {
  const meter = yield* ComputeUnitMeter
  const costs = yield* ComputeUnitCosts
  return ({ project }: Caller, endpoint: HttpApiEndpoint.Top): Effect.Effect<void> => {
    const { cost } = servedEndpointOf(endpoint)
    if (cost === null) return Effect.void
    // Only endpoints with a cost reach this line, and all of them declare this error.
    return Effect.mapError(meter.requireUnits(project, costs[cost]), (error) => toErrorBody(error) as never)
  }
})
