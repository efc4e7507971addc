import { Effect, Result } from "effect"
import type { UpstreamUnavailable } from "../../foundation/errors/index.ts"
import type { FiatDirection } from "../orders/orderStates.ts"
import { type FiatAsk, type FiatOffer, type FiatProvider, FiatRefusal } from "../provider/FiatProvider.ts"

/** A provider that was asked, and what it said. */
export interface FiatCandidate {
  readonly provider: string
  /** What it gives: base units of the token of a deposit, the smallest units of the currency of a withdrawal. Null for no offer. */
  readonly amount: bigint | null
  /** Why it made no offer; null where it made one. */
  readonly refusal: string | null
}

/** An offer, and who makes it. */
export interface ProviderOffer {
  readonly offer: FiatOffer
  readonly provider: FiatProvider
}

export interface ProviderChoice {
  /** Of all offers the one that gives most, and of equal ones the first. */
  readonly chosen: Result.Result<ProviderOffer, FiatRefusal | UpstreamUnavailable>
  /** Everybody who was asked, in order. */
  readonly candidates: ReadonlyArray<FiatCandidate>
}

/** A deposit is worth what it gives of the token, a withdrawal what it pays. */
const givenBy = (direction: FiatDirection, offer: FiatOffer): bigint =>
  direction === "DEPOSIT" ? offer.tokenAmount : offer.fiatAmount

/** An offer that gives nothing is a refusal: nobody would pay for it. */
const unlessWorthless = (direction: FiatDirection, { offer, provider }: ProviderOffer) =>
  givenBy(direction, offer) > 0n
    ? Effect.succeed({ offer, provider })
    : Effect.fail(
        new FiatRefusal({
          provider: provider.name,
          reason: "after its fees and rounding the amount gives nothing. Request a larger amount"
        })
      )

type Answer = Result.Result<ProviderOffer, FiatRefusal | UpstreamUnavailable>

/**
 * How much a failure says about the request. A provider that is down may serve the same request later, which says more than that another
 * one does not have the individual as a customer.
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
