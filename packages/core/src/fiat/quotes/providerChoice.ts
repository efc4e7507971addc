import { Effect, Result } from "effect"
import type { UpstreamUnavailable } from "../../foundation/errors/index.ts"
import type { FiatDirection } from "../orders/orderStates.ts"
import { type FiatAsk, type FiatOffer, type FiatProvider, FiatRefusal } from "../provider/FiatProvider.ts"

/** A provider with its result. */
export interface FiatCandidate {
  readonly provider: string
  /**
   * The output amount: base units of the token for a deposit, the smallest units of the currency for a withdrawal. Null
   * without an offer.
   */
  readonly amount: bigint | null
  /** The reason why the provider made no offer; null if it made one. */
  readonly refusal: string | null
}

/** An offer with its provider. */
export interface ProviderOffer {
  readonly offer: FiatOffer
  readonly provider: FiatProvider
}

export interface ProviderChoice {
  /** The offer with the highest output. Among equal offers, the first one. */
  readonly chosen: Result.Result<ProviderOffer, FiatRefusal | UpstreamUnavailable>
  /** All queried providers, in order. */
  readonly candidates: ReadonlyArray<FiatCandidate>
}

/** The output of an offer: the token amount of a deposit, the fiat amount of a withdrawal. */
const givenBy = (direction: FiatDirection, offer: FiatOffer): bigint =>
  direction === "DEPOSIT" ? offer.tokenAmount : offer.fiatAmount

/** An offer with a zero output is treated as a refusal. */
const unlessWorthless = (direction: FiatDirection, { offer, provider }: ProviderOffer) =>
  givenBy(direction, offer) > 0n
    ? Effect.succeed({ offer, provider })
    : Effect.fail(
        new FiatRefusal({
          provider: provider.name,
          reason: "the output is zero after the provider's fees and rounding. Request a larger amount"
        })
      )

type Answer = Result.Result<ProviderOffer, FiatRefusal | UpstreamUnavailable>

/**
 * The rank of a failure for the caller. An outage ranks higher than a missing customer record, because a provider that
 * is down may serve the same request later.
 */
const weightOf = (failure: FiatRefusal | UpstreamUnavailable): number => {
  if (failure._tag !== "FIAT_REFUSAL") return 1
  return failure.isCustomerMissing === true ? 0 : 2
}

const better =
  (direction: FiatDirection) =>
  (first: Answer, second: Answer): Answer => {
    if (Result.isFailure(second)) {
      return Result.isFailure(first) && weightOf(second.failure) > weightOf(first.failure) ? second : first
    }
    if (Result.isFailure(first)) return second
    return givenBy(direction, second.success.offer) > givenBy(direction, first.success.offer) ? second : first
  }

/**
 * Requests offers from all providers concurrently, except those in `unready`, which has the reason for each. A provider
 * that is down or refuses is skipped; its reason is in `candidates`.
 */
export const chooseProvider = Effect.fnUntraced(function* (
  providers: readonly [FiatProvider, ...ReadonlyArray<FiatProvider>],
  ask: FiatAsk,
  unready: ReadonlyMap<string, string> = new Map()
) {
  const offerOf = (provider: FiatProvider) => {
    const reason = unready.get(provider.name)
    return reason === undefined
      ? Effect.flatMap(provider.quote(ask), (offer) => unlessWorthless(ask.direction, { offer, provider }))
      : Effect.fail(new FiatRefusal({ provider: provider.name, reason, isCustomerMissing: true }))
  }
  const offerResults = yield* Effect.forEach(providers, (provider) => Effect.result(offerOf(provider)), {
    concurrency: "unbounded"
  })
  const candidates = offerResults.map((answer, nth): FiatCandidate => {
    const provider = providers[nth]!.name
    return Result.isSuccess(answer)
      ? { provider, amount: givenBy(ask.direction, answer.success.offer), refusal: null }
      : { provider, amount: null, refusal: answer.failure.message }
  })
  return { chosen: offerResults.reduce(better(ask.direction)), candidates } satisfies ProviderChoice
})
