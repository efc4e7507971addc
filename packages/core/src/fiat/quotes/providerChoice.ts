import { Effect, Result } from "effect"
import type { UpstreamUnavailable } from "../../errors/index.ts"
import type { FiatDirection } from "../orders/orderStates.ts"
import type { FiatAsk, FiatOffer, FiatProvider, FiatRefusal } from "../provider/FiatProvider.ts"

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

type Answer = Result.Result<ProviderOffer, FiatRefusal | UpstreamUnavailable>

/** A refusal says more of the request than that somebody is down. */
const better =
  (direction: FiatDirection) =>
  (first: Answer, second: Answer): Answer => {
    if (Result.isFailure(second)) {
      const saysMore =
        Result.isFailure(first) && first.failure._tag !== "FIAT_REFUSAL" && second.failure._tag === "FIAT_REFUSAL"
      return saysMore ? second : first
    }
    if (Result.isFailure(first)) return second
    return givenBy(direction, second.success.offer) > givenBy(direction, first.success.offer) ? second : first
  }

/** Asks all at once. One that is down or refuses is left out, and the candidates say why. */
export const chooseProvider = Effect.fnUntraced(function* (
  providers: readonly [FiatProvider, ...ReadonlyArray<FiatProvider>],
  ask: FiatAsk
) {
  const answers = yield* Effect.forEach(
    providers,
    (provider) => Effect.result(Effect.map(provider.quote(ask), (offer): ProviderOffer => ({ offer, provider }))),
    { concurrency: "unbounded" }
  )
  const candidates = answers.map((answer, nth): FiatCandidate => {
    const provider = providers[nth]!.name
    return Result.isSuccess(answer)
      ? { provider, amount: givenBy(ask.direction, answer.success.offer), refusal: null }
      : { provider, amount: null, refusal: answer.failure.message }
  })
  return { chosen: answers.reduce(better(ask.direction)), candidates } satisfies ProviderChoice
})
