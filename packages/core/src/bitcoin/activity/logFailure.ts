import { Effect } from "effect"
import type { UpstreamUnavailable } from "../../foundation/errors/index.ts"

/** Maximum number of concurrent requests for addresses and transactions. */
export const CONCURRENCY = 4
/** Delay in milliseconds before a failed request for an address or a transaction is retried. */
export const FAILED_MS = 30_000

/** Logs a failure, and then succeeds. */
export const logFailure = (action: string) =>
  Effect.catch((error: UpstreamUnavailable) =>
    Effect.logWarning(`${action} on Bitcoin failed`, { reason: error.message })
  )
