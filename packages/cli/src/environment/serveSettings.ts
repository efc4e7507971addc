import { readSetting } from "@countersign/adapters/service/settings"
import { Effect } from "effect"

const LEVELS = { debug: "Debug", info: "Info", warn: "Warn", error: "Error" } as const

/** The limits of requests and connections. */
export const httpLimits = Effect.all({
  maxBodyBytes: readSetting("MAX_BODY_BYTES"),
  requestTimeoutMs: readSetting("REQUEST_TIMEOUT_MS"),
  parallelRequestsMax: readSetting("PARALLEL_REQUESTS_MAX"),
  connectionsMax: readSetting("CONNECTIONS_MAX"),
  keepAliveTimeoutMs: readSetting("KEEP_ALIVE_TIMEOUT_MS")
})

/** Compute units per request. They apply to projects with a budget. */
const computeUnitCosts = Effect.all({
  read: readSetting("COMPUTE_UNITS_READ"),
  quote: readSetting("COMPUTE_UNITS_QUOTE"),
  slowQuote: readSetting("COMPUTE_UNITS_SLOW_QUOTE"),
  portfolio: readSetting("COMPUTE_UNITS_PORTFOLIO")
})

/** The settings of the HTTP server, of logs and of traces, except the listening address. */
export const serveSettings = Effect.gen(function* () {
  const metricsToken = yield* readSetting("METRICS_TOKEN")
  return {
    http: {
      ...(yield* httpLimits),
      ...(metricsToken === null ? {} : { metricsToken }),
      appPage: yield* readSetting("APP_PAGE"),
      adminConsole: yield* readSetting("ADMIN_CONSOLE"),
      corsOrigins: (yield* readSetting("CORS_ORIGINS")) ?? []
    },
    publicUrl: yield* readSetting("PUBLIC_URL"),
    tracesTo: yield* readSetting("OTLP_URL"),
    computeUnitCosts: yield* computeUnitCosts,
    logLevel: LEVELS[yield* readSetting("LOG_LEVEL")]
  }
})
