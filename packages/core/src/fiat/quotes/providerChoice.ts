import { Effect, Result } from "effect"
import type { UpstreamUnavailable } from "../../foundation/errors/index.ts"
import type { FiatDirection } from "../orders/orderStates.ts"
import { type FiatOffer, type FiatProvider, type FiatProviderRequest, FiatRefusal } from "../provider/FiatProvider.ts"

/** The result of one provider. */
export interface FiatCandidate {
  readonly provider: string
  /**
   * Output amount: in base units of the token for a deposit, in the smallest units of the currency for a withdrawal.
   * Null if there is no offer.
   */
  readonly amount: bigint | null
  /** Why the provider made no offer. Null if it made one. */
  readonly refusal: string | null
}

/** An offer, and the provider that made it. */
export interface ProviderOffer {
  readonly offer: FiatOffer
  readonly provider: FiatProvider
}

export interface ProviderChoice {
  /** The offer with the highest output. Between equal offers, the first one. */
  readonly chosen: Result.Result<ProviderOffer, FiatRefusal | UpstreamUnavailable>
  /** All providers that serve the request, in order. */
  readonly candidates: ReadonlyArray<FiatCandidate>
}

/** Returns the output of an offer: the token amount of a deposit, or the fiat amount of a withdrawal. */
const outputOf = (direction: FiatDirection, offer: FiatOffer): bigint =>
  direction === "DEPOSIT" ? offer.tokenAmount : offer.fiatAmount

/** Treats an offer with an amount of zero as a rejection. */
const requireOutput = ({ offer, provider }: ProviderOffer) =>
  offer.fiatAmount > 0n && offer.tokenAmount > 0n
    ? Effect.succeed({ offer, provider })
    : Effect.fail(
        new FiatRefusal({
          provider: provider.name,
          reason: "the output is zero after the provider's fees and rounding. Request a larger amount"
        })
      )

type ProviderResult = Result.Result<ProviderOffer, FiatRefusal | UpstreamUnavailable>

/**
 * Returns the rank of a failure: the highest one is reported to the caller. An outage ranks above a missing customer
 * record, because an unavailable provider may serve the same request later.
 */
const failureRank = (failure: FiatRefusal | UpstreamUnavailable): number => {
  if (failure._tag !== "FIAT_REFUSAL") return 1
  return failure.isCustomerMissing === true ? 0 : 2
}

const chooseBetter =
  (direction: FiatDirection) =>
  (first: ProviderResult, second: ProviderResult): ProviderResult => {
    if (Result.isFailure(second)) {
      return Result.isFailure(first) && failureRank(second.failure) > failureRank(first.failure) ? second : first
    }
    if (Result.isFailure(first)) return second
    return outputOf(direction, second.success.offer) > outputOf(direction, first.success.offer) ? second : first
  }

/**
 * Requests offers from all providers concurrently, except from those in `unreadyReasons`, which contains the reason for each.
 * Skips a provider that is unavailable or rejects the request, and adds the reason to `candidates`.
 */
export const chooseProvider = Effect.fnUntraced(function* (
  providers: readonly [FiatProvider, ...ReadonlyArray<FiatProvider>],
  request: FiatProviderRequest,
  unreadyReasons: ReadonlyMap<string, string> = new Map()
) {
  const offerOf = (provider: FiatProvider) => {
    const reason = unreadyReasons.get(provider.name)
    return reason === undefined
      ? Effect.flatMap(provider.quote(request), (offer) => requireOutput({ offer, provider }))
      : Effect.fail(new FiatRefusal({ provider: provider.name, reason, isCustomerMissing: true }))
  }
  const offerResults = yield* Effect.forEach(providers, (provider) => Effect.result(offerOf(provider)), {
    concurrency: "unbounded"
  })
  const candidates = offerResults.map((response, index): FiatCandidate => {
    const provider = providers[index]!.name
    return Result.isSuccess(response)
      ? { provider, amount: outputOf(request.direction, response.success.offer), refusal: null }
      : { provider, amount: null, refusal: response.failure.message }
  })
  return { chosen: offerResults.reduce(chooseBetter(request.direction)), candidates } satisfies ProviderChoice
})
