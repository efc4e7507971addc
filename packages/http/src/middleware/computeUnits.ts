import { ComputeUnitMeter } from "@countersign/core/tenancy/metering"
import type { Caller } from "@countersign/core/tenancy/projects"
import { Context, Effect } from "effect"
import type { HttpApiEndpoint } from "effect/http-api"
import { toErrorBody } from "../errors/index.ts"
import { servedEndpointOf } from "./definitions.ts"

/** Compute units that each kind of request costs. */
export const ComputeUnitCosts = Context.Reference("@countersign/http/ComputeUnitCosts", {
  defaultValue: () => ({ read: 1, quote: 5, slowQuote: 25, portfolio: 10 })
})

/**
 * Fails where a project lacks the units that a request to an endpoint costs at least. Its handler takes them, once the
 * request is decoded: the cost can depend on it, and a malformed request costs nothing.
 */
export const unitsRequirement = Effect.gen(function* () {
  const meter = yield* ComputeUnitMeter
  const costs = yield* ComputeUnitCosts
  return ({ project }: Caller, endpoint: HttpApiEndpoint.Top): Effect.Effect<void> => {
    const { cost } = servedEndpointOf(endpoint)
    if (cost === null) return Effect.void
    // The endpoints with a cost declare the error.
    return Effect.mapError(meter.requireUnits(project, costs[cost]), (error) => toErrorBody(error) as never)
  }
})
