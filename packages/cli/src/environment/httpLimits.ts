import { wholeNumber } from "@countersign/adapters/settings"
import { Effect } from "effect"

const limit = (name: string, usual: number) => wholeNumber(name, usual, { from: 1 })

/** What requests and connections may take of this process. */
export const httpLimits = Effect.all({
  maxBodyBytes: limit("MAX_BODY_BYTES", 1024 * 1024),
  requestTimeoutMs: limit("REQUEST_TIMEOUT_MS", 30_000),
  parallelRequestsMax: limit("PARALLEL_REQUESTS_MAX", 512),
  connectionsMax: limit("CONNECTIONS_MAX", 10_000),
  keepAliveTimeoutMs: limit("KEEP_ALIVE_TIMEOUT_MS", 5_000)
})
