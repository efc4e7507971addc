import { readSetting } from "@countersign/adapters/service/settings"
import { Cause, Effect, Exit, Layer, Predicate, References, Tracer } from "effect"
import { FetchHttpClient } from "effect/http"
import { OtlpSerialization, OtlpTracer } from "effect/observability"

/**
 * Span attributes that are exported: patterns, statuses, and SQL statements without values. URLs, addresses and headers
 * are removed.
 */
const EXPORTED_ATTRIBUTES = /^(?:http\.(?:request\.method|response\.status_code|route)|db\.[a-z.]+|code\.[a-z.]+)$/u

const nameOf = (error: unknown): string =>
  Predicate.hasProperty(error, "_tag") && typeof error._tag === "string"
    ? error._tag
    : error instanceof Error
      ? error.name
      : "Error"

/** Keeps only the name of an error, because its message may contain a wallet address or a host. */
const removeMessages = (exit: Exit.Exit<unknown, unknown>): Exit.Exit<unknown, unknown> => {
  if (Exit.isSuccess(exit) || Cause.hasInterruptsOnly(exit.cause)) return exit
  const error = new Error(nameOf(Cause.squash(exit.cause)))
  error.name = error.message
  delete error.stack
  return Exit.fail(error)
}

/** Wraps a tracer, and removes the attributes that identify callers and wallets. */
const redactingTracer = (tracer: Tracer.Tracer): Tracer.Tracer => ({
  ...tracer,
  span: (options) => {
    const span = tracer.span(options)
    const attribute = span.attribute.bind(span)
    const end = span.end.bind(span)
    return Object.assign(span, {
      attribute: (key: string, value: unknown) => {
        if (EXPORTED_ATTRIBUTES.test(key)) attribute(key, value)
      },
      event: () => undefined,
      end: (endTime: bigint, exit: Exit.Exit<unknown, unknown>) => end(endTime, removeMessages(exit))
    })
  }
})

/**
 * Sends traces to the OTLP collector at OTLP_URL. They contain route patterns instead of paths. Without OTLP_URL no
 * spans are created, because spans cost time.
 */
export const layerTracing = Layer.unwrap(
  Effect.gen(function* () {
    const collector = yield* readSetting("OTLP_URL")
    if (collector === null) return Layer.succeed(References.TracerEnabled, false)
    return Layer.effect(Tracer.Tracer, Effect.map(Tracer.Tracer, redactingTracer)).pipe(
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
