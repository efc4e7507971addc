import { urlOrNull } from "@countersign/adapters/settings"
import { Effect, Layer, References, Tracer } from "effect"
import { FetchHttpClient } from "effect/http"
import { OtlpSerialization, OtlpTracer } from "effect/observability"
import { discreetTracer } from "./discreetTracer.ts"

/** Sends traces to the OTLP collector at OTLP_URL, with route patterns and without addresses. Without it no span is made, because spans cost time. */
export const layerTracing = Layer.unwrap(
  Effect.gen(function* () {
    const collector = yield* urlOrNull("OTLP_URL")
    if (collector === null) return Layer.succeed(References.TracerEnabled, false)
    return Layer.effect(Tracer.Tracer, Effect.map(Tracer.Tracer, discreetTracer)).pipe(
      Layer.provide(
        OtlpTracer.layer({
          url: new URL("v1/traces", collector.endsWith("/") ? collector : `${collector}/`).toString(),
          resource: { serviceName: "countersign" }
        })
      ),
      Layer.provide(OtlpSerialization.layerJson),
      Layer.provide(FetchHttpClient.layer)
    )
  })
)
