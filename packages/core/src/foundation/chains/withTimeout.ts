import { Effect } from "effect"
import { UpstreamUnavailable } from "../errors/index.ts"
import { type ChainId, chainOf } from "./Chain.ts"

/** Maximum time that an overview waits for a chain, so that a slow chain does not delay the others. */
const MAX_WAIT = "4 seconds"

/** Fails if the chain does not respond in time. */
export const withTimeout = <A, E, R>(chainId: ChainId, read: Effect.Effect<A, E, R>) =>
  Effect.timeoutOrElse(read, {
    duration: MAX_WAIT,
    orElse: () =>
      Effect.fail(
        new UpstreamUnavailable({ upstream: `${chainOf(chainId).name} RPC node`, reason: "it did not respond in time" })
      )
  })
