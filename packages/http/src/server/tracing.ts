import { Config, Effect, Layer, Option, References } from "effect"
import { FetchHttpClient } from "effect/http"
import { OtlpSerialization, OtlpTracer } from "effect/observability"

/** Sends traces to the OTLP collector at OTLP_URL. Without it no span is made, because spans cost time. */
export const layerTracing = Layer.unwrap(
  Effect.gen(function* () {
    const collector = yield* Config.option(Config.URL("OTLP_URL"))
    return Option.match(collector, {
      onNone: () => Layer.succeed(References.TracerEnabled, false),
      onSome: (url) =>
        OtlpTracer.layer({
          url: new URL("v1/traces", url.href.endsWith("/") ? url : `${url.href}/`).toString(),
          resource: { serviceName: "countersign" }
        }).pipe(Layer.provide(OtlpSerialization.layerJson), Layer.provide(FetchHttpClient.layer))
    })
  })
)
