import { Effect } from "effect"
import type { UpstreamUnavailable } from "../../foundation/errors/index.ts"

/** Addresses and transactions that are asked for at once. */
export const CONCURRENCY = 4
/** What failed for one address or transaction alone is tried again so soon. */
export const FAILED_MS = 30_000

/** Logs a failure in place of failing. */
export const quietly = (what: string) =>
  Effect.catch((error: UpstreamUnavailable) =>
    Effect.logWarning(`${what} of Bitcoin's chain failed`, { reason: error.message })
  )
