import { originListOrNull, urlOrNull } from "@countersign/adapters/settings"
import { Effect } from "effect"
import { computeUnitCosts } from "./computeUnitCosts.ts"
import { httpLimits } from "./httpLimits.ts"
import { logLevel } from "./logLevel.ts"
import { metricsToken } from "./metricsToken.ts"

/** What only `serve` reads, beside where it listens. */
export const serveSettings = Effect.gen(function* () {
  return {
    http: {
      ...(yield* httpLimits),
      ...(yield* metricsToken),
      corsOrigins: (yield* originListOrNull("CORS_ORIGINS")) ?? []
    },
    publicUrl: yield* urlOrNull("PUBLIC_URL"),
    tracesTo: yield* urlOrNull("OTLP_URL"),
    computeUnitCosts: yield* computeUnitCosts,
    logLevel: yield* logLevel
  }
})
