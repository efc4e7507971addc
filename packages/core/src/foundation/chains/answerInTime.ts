import { Effect } from "effect"
import { UpstreamUnavailable } from "../errors/index.ts"
import { type ChainId, chainOf } from "./Chain.ts"

/** How long an overview waits for a chain: a slow chain must not delay the others. */
const PATIENCE = "4 seconds"

/** Fails if the chain does not answer in time. */
export const answerInTime = <A, E, R>(chainId: ChainId, answer: Effect.Effect<A, E, R>) =>
  Effect.timeoutOrElse(answer, {
    duration: PATIENCE,
    orElse: () =>
      Effect.fail(
        new UpstreamUnavailable({ upstream: `${chainOf(chainId).name} RPC node`, reason: "it did not respond in time" })
      )
  })
