import { Effect } from "effect"
import type { UpstreamUnavailable } from "../../foundation/errors/index.ts"

/** Addresses and transactions that are requested concurrently. */
export const CONCURRENCY = 4
/** Milliseconds until a failed request for an address or a transaction is repeated. */
export const FAILED_MS = 30_000

/** Logs a failure instead of failing. */
export const quietly = (what: string) =>
  Effect.catch((error: UpstreamUnavailable) =>
    Effect.logWarning(`${what} on Bitcoin failed`, { reason: error.message })
  )
