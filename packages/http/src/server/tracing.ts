import { Config, Effect, Layer, Option, References, Tracer } from "effect"
import { FetchHttpClient } from "effect/http"
import { OtlpSerialization, OtlpTracer } from "effect/observability"
import { discreetTracer } from "./discreetTracer.ts"

/** Sends traces to the OTLP collector at OTLP_URL, with route patterns and without addresses. Without it no span is made, because spans cost time. */
export const layerTracing = Layer.unwrap(
  Effect.gen(function* () {
    const collector = yield* Config.option(Config.URL("OTLP_URL"))
    return Option.match(collector, {
      onNone: () => Layer.succeed(References.TracerEnabled, false),
      onSome: (url) =>
        Layer.effect(Tracer.Tracer, Effect.map(Tracer.Tracer, discreetTracer)).pipe(
          Layer.provide(
            OtlpTracer.layer({
              url: new URL("v1/traces", url.href.endsWith("/") ? url : `${url.href}/`).toString(),
              resource: { serviceName: "countersign" }
            })
          ),
          Layer.provide(OtlpSerialization.layerJson),
          Layer.provide(FetchHttpClient.layer)
        )
    })
  })
)
