import { Effect, Result } from "effect"
import type { UpstreamUnavailable } from "../../foundation/errors/index.ts"
import type { FiatDirection } from "../orders/orderStates.ts"
import { type FiatAsk, type FiatOffer, type FiatProvider, FiatRefusal } from "../provider/FiatProvider.ts"

/** A provider with its result. */
export interface FiatCandidate {
  readonly provider: string
  /**
   * The output amount: base units of the token for a deposit, the smallest units of the currency for a withdrawal. Null
   * for no offer.
   */
  readonly amount: bigint | null
  /** Why it made no offer; null if it made one. */
  readonly refusal: string | null
}

/** An offer with its provider. */
export interface ProviderOffer {
  readonly offer: FiatOffer
  readonly provider: FiatProvider
}

export interface ProviderChoice {
  /** The offer with the highest output; the first one of equal offers. */
  readonly chosen: Result.Result<ProviderOffer, FiatRefusal | UpstreamUnavailable>
  /** All queried providers, in order. */
  readonly candidates: ReadonlyArray<FiatCandidate>
}

/** The output of an offer: the token amount of a deposit, the fiat amount of a withdrawal. */
const givenBy = (direction: FiatDirection, offer: FiatOffer): bigint =>
  direction === "DEPOSIT" ? offer.tokenAmount : offer.fiatAmount

/** An offer with a zero output counts as a refusal. */
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
 * How informative a failure is for the caller. A provider that is down may serve the same request later, which is more
 * useful than that another provider does not have the individual as a customer.
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
 * Asks all providers concurrently, except those in `unready`, which has the reason of each. A provider that is down or refuses is
 * skipped, and the candidates have the reason.
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
  const answers = yield* Effect.forEach(providers, (provider) => Effect.result(offerOf(provider)), {
    concurrency: "unbounded"
  })
  const candidates = answers.map((answer, nth): FiatCandidate => {
    const provider = providers[nth]!.name
    return Result.isSuccess(answer)
      ? { provider, amount: givenBy(ask.direction, answer.success.offer), refusal: null }
      : { provider, amount: null, refusal: answer.failure.message }
  })
  return { chosen: answers.reduce(better(ask.direction)), candidates } satisfies ProviderChoice
})
