import { isOn, originListOrNull, SettingInvalid, urlOrNull, wholeNumber } from "@countersign/adapters/service/settings"
import { Config, Effect, Option } from "effect"

const levels = new Map<string, "Debug" | "Info" | "Warn" | "Error">([
  ["debug", "Debug"],
  ["info", "Info"],
  ["warn", "Warn"],
  ["error", "Error"]
])

/** The least level that is logged. */
const logLevel = Effect.gen(function* () {
  const setting = Option.getOrElse(yield* Config.option(Config.String("LOG_LEVEL")), () => "info")
  const level = levels.get(setting.trim().toLowerCase())
  return (
    level ?? (yield* new SettingInvalid({ name: "LOG_LEVEL", expected: `one of ${[...levels.keys()].join(", ")}` }))
  )
})

const limit = (name: string, usual: number) => wholeNumber(name, usual, { from: 1 })

/** The limits of requests and connections. */
export const httpLimits = Effect.all({
  maxBodyBytes: limit("MAX_BODY_BYTES", 1024 * 1024),
  requestTimeoutMs: limit("REQUEST_TIMEOUT_MS", 30_000),
  parallelRequestsMax: limit("PARALLEL_REQUESTS_MAX", 512),
  connectionsMax: limit("CONNECTIONS_MAX", 10_000),
  keepAliveTimeoutMs: limit("KEEP_ALIVE_TIMEOUT_MS", 5_000)
})

/** Nothing is a price too. */
const priceOf = (name: string, usual: number) => wholeNumber(name, usual, { from: 0 })

/** The cost of each kind of request for a project that has a budget. */
const computeUnitCosts = Effect.all({
  read: priceOf("COMPUTE_UNITS_READ", 1),
  quote: priceOf("COMPUTE_UNITS_QUOTE", 5),
  slowQuote: priceOf("COMPUTE_UNITS_SLOW_QUOTE", 25),
  portfolio: priceOf("COMPUTE_UNITS_PORTFOLIO", 10)
})

/** The token that `/metrics` asks for, where the environment sets one. */
const metricsToken = Effect.map(
  Config.option(Config.Redacted("METRICS_TOKEN")),
  Option.match({ onNone: () => ({}), onSome: (metricsToken) => ({ metricsToken }) })
)

/** The settings that only `serve` reads, beside where it listens. */
export const serveSettings = Effect.gen(function* () {
  return {
    http: {
      ...(yield* httpLimits),
      ...(yield* metricsToken),
      appPage: yield* isOn("APP_PAGE", true),
      corsOrigins: (yield* originListOrNull("CORS_ORIGINS")) ?? []
    },
    publicUrl: yield* urlOrNull("PUBLIC_URL"),
    tracesTo: yield* urlOrNull("OTLP_URL"),
    computeUnitCosts: yield* computeUnitCosts,
    logLevel: yield* logLevel
  }
})
