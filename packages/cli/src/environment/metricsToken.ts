import { Config, Effect, Option } from "effect"

/** What `/metrics` asks for, where the environment says so. */
export const metricsToken = Effect.map(
  Config.option(Config.Redacted("METRICS_TOKEN")),
  Option.match({ onNone: () => ({}), onSome: (metricsToken) => ({ metricsToken }) })
)
