import type { UpstreamUnavailable } from "@countersign/core/errors"
import type { MarketSource, PastPrice } from "@countersign/core/market-data"
import { type TokenPrices, type TokenRef, tokenKey } from "@countersign/core/tokens"
import { DateTime, Effect, Result } from "effect"
import { isInBounds } from "./inBounds.ts"
import { countRefused } from "./marketMetrics.ts"
import type { NamedSource } from "./NamedSource.ts"

/** The price on the chain now says what a price of the past may have been for this long. */
const WITNESS_MS = 30 * 86_400_000

interface Judged {
  /** Null: not known, or not believed. */
  readonly prices: ReadonlyArray<PastPrice | null>
  /** A source that did not answer while a price was not known. */
  readonly failure: UpstreamUnavailable | null
}

/**
 * Asks the sources in their order. A price needs a witness within a factor of ten: the price on the chain, else the next
 * source. One that contradicts the chain is left out; of two sources that contradict one another neither is believed. A
 * price without any witness is taken.
 */
const judge = Effect.fnUntraced(function* (
  sources: ReadonlyArray<NamedSource>,
  tokens: ReadonlyArray<TokenRef>,
  onChain: ReadonlyArray<bigint | null>,
  ask: (
    source: NamedSource,
    indices: ReadonlyArray<number>
  ) => Effect.Effect<ReadonlyArray<PastPrice | null>, UpstreamUnavailable>
): Effect.fn.Return<Judged> {
  const settled = new Map<number, PastPrice | null>()
  const candidates = new Map<number, PastPrice>()
  let failure: UpstreamUnavailable | null = null

  const refuse = (price: PastPrice, i: number, witness: bigint) =>
    Effect.andThen(
      countRefused(price.source),
      Effect.logWarning("a price was refused: it is far from what is known otherwise", {
        source: price.source,
        token: tokenKey(tokens[i]!),
        at: DateTime.formatIso(price.at),
        usdE18: String(price.usd),
        knownUsdE18: String(witness)
      })
    )

  for (const source of sources) {
    const open = tokens.flatMap((_, i) => (settled.has(i) ? [] : [i]))
    if (open.length === 0) break
    const answer = yield* Effect.result(ask(source, open))
    if (Result.isFailure(answer)) {
      failure = answer.failure
      continue
    }
    for (const [k, i] of open.entries()) {
      const price = answer.success[k] ?? null
      if (price === null) continue
      const candidate = candidates.get(i)
      const witness = onChain[i] ?? candidate?.usd ?? null
      if (witness === null) candidates.set(i, price)
      else if (isInBounds(price.usd, witness)) settled.set(i, candidate ?? price)
      else {
        yield* refuse(price, i, witness)
        if (candidate !== undefined) {
          yield* refuse(candidate, i, price.usd)
          settled.set(i, null)
        }
      }
    }
  }
  const prices = tokens.map((_, i) => settled.get(i) ?? (settled.has(i) ? null : (candidates.get(i) ?? null)))
  const isUnknown = tokens.some((_, i) => !settled.has(i) && !candidates.has(i))
  return { prices, failure: isUnknown ? failure : null }
})

/** The first that has something to say; fails where one did not answer and none has. */
const firstOf = <A>(
  sources: ReadonlyArray<NamedSource>,
  ask: (source: NamedSource) => Effect.Effect<A | null, UpstreamUnavailable>
): Effect.Effect<A | null, UpstreamUnavailable> =>
  Effect.gen(function* () {
    let failure: UpstreamUnavailable | null = null
    for (const source of sources) {
      const answer = yield* Effect.result(ask(source))
      if (Result.isFailure(answer)) failure ??= answer.failure
      else if (answer.success !== null) return answer.success
    }
    return failure === null ? null : yield* failure
  })

/** Several sources as one: in order, each standing in for those before it, and each a witness of the others. */
export const makeComposite = (
  sources: ReadonlyArray<NamedSource>,
  chainPrices: TokenPrices["Service"]
): MarketSource => {
  const onChain = (tokens: ReadonlyArray<TokenRef>) =>
    Effect.map(chainPrices.known(tokens), (known) => tokens.map((token) => known.get(tokenKey(token))?.usd ?? null))

  return {
    prices: Effect.fnUntraced(function* (tokens) {
      if (tokens.length === 0 || sources.length === 0) return new Map()
      const { failure, prices } = yield* judge(sources, tokens, yield* onChain(tokens), (source, indices) => {
        const asked = indices.map((i) => tokens[i]!)
        return Effect.map(source.prices(asked), (found) => asked.map((token) => found.get(tokenKey(token)) ?? null))
      })
      const known = tokens.flatMap((token, i) => (prices[i] == null ? [] : [[tokenKey(token), prices[i]] as const]))
      return known.length === 0 && failure !== null ? yield* failure : new Map(known)
    }),
    pastPrices: Effect.fnUntraced(function* (token, ats) {
      if (ats.length === 0 || sources.length === 0) return ats.map(() => null)
      const nowMs = DateTime.toEpochMillis(yield* DateTime.now)
      const isRecent = ats.map((at) => nowMs - DateTime.toEpochMillis(at) <= WITNESS_MS)
      const [now = null] = isRecent.some(Boolean) ? yield* onChain([token]) : []
      const { failure, prices } = yield* judge(
        sources,
        ats.map(() => token),
        isRecent.map((recent) => (recent ? now : null)),
        (source, indices) =>
          source.pastPrices(
            token,
            indices.map((i) => ats[i]!)
          )
      )
      return failure === null ? prices : yield* failure
    }),
    rates: firstOf(sources, ({ rates }) => rates),
    pastRates: (day) => firstOf(sources, (source) => source.pastRates(day))
  }
}
