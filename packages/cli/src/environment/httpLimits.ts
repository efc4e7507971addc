import { wholeNumberOrNull } from "@countersign/adapters/composition"
import { Effect } from "effect"

const settings = [
  ["maxBodyBytes", "MAX_BODY_BYTES"],
  ["requestTimeoutMs", "REQUEST_TIMEOUT_MS"],
  ["parallelRequestsMax", "PARALLEL_REQUESTS_MAX"],
  ["connectionsMax", "CONNECTIONS_MAX"],
  ["keepAliveTimeoutMs", "KEEP_ALIVE_TIMEOUT_MS"]
] as const

type HttpLimit = (typeof settings)[number][0]

/** What requests and connections may take of this process, where the environment says so. */
export const httpLimits = Effect.gen(function* () {
  const limits: Partial<Record<HttpLimit, number>> = {}
  for (const [limit, name] of settings) {
    const value = yield* wholeNumberOrNull(name, { from: 1 })
    if (value !== null) limits[limit] = value
  }
  return limits
})
