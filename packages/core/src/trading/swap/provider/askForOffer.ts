import { Clock, Effect, Exit, Option } from "effect"
import { type Offer, type OfferError, type OfferRequest, RouteNotFound, type SwapProvider } from "./Offer.ts"
import { hedgeAfterMs, type OfferOutcome, type ProvidersHealth } from "./ProviderHealth.ts"

const outcomeOf = (exit: Exit.Exit<Offer, OfferError>, isLate: boolean): OfferOutcome => {
  if (Exit.isSuccess(exit)) return "OFFERED"
  if (Exit.hasInterrupts(exit)) return isLate ? "FAILED" : "ABANDONED"
  const error = Option.getOrNull(Exit.findErrorOption(exit))
  return error instanceof RouteNotFound ? "REFUSED" : "FAILED"
}

/**
 * Requests a provider's offer, and records a health sample. If the response takes longer than usual, sends a hedged
 * request and uses the first response. Ignores errors of the hedged request. The caller cancels the requests after
 * `timeoutMs`.
 */
export const askForOffer = Effect.fnUntraced(function* (
  healths: ProvidersHealth,
  provider: SwapProvider,
  request: OfferRequest,
  timeoutMs: number
) {
  const hedgeMs = hedgeAfterMs(healths.of(provider.id))
  const requestOffer = Effect.suspend(() => provider.offer(request))
  const hedgedRequest = Effect.suspend(() => (healths.mayHedge(provider.id) ? requestOffer : Effect.never)).pipe(
    Effect.delay(hedgeMs ?? 0),
    Effect.catchCause(() => Effect.never)
  )
  const startedAt = yield* Clock.currentTimeMillis
  return yield* (hedgeMs === null ? requestOffer : Effect.raceFirst(requestOffer, hedgedRequest)).pipe(
    Effect.onExit((exit) =>
      Effect.map(Clock.currentTimeMillis, (now) => {
        const latencyMs = now - startedAt
        healths.record(provider.id, { outcome: outcomeOf(exit, latencyMs >= timeoutMs), latencyMs })
      })
    )
  )
})
