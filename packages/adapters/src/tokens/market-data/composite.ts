import type { MarketSource, PastPrice } from "@countersign/core/accounting/market-data"
import type { UpstreamUnavailable } from "@countersign/core/foundation/errors"
import { type TokenPrices, type TokenRef, tokenKey } from "@countersign/core/foundation/tokens"
import { DateTime, Effect, Result } from "effect"
import { isInBounds } from "./inBounds.ts"
import { countRefused } from "./marketMetrics.ts"
import type { NamedSource } from "./NamedSource.ts"

/** Maximum age in milliseconds at which a past price may be confirmed by the current on-chain price. */
const WITNESS_MS = 30 * 86_400_000

interface JudgedPrices {
  /** Null for a price that is unknown or rejected. */
  readonly prices: ReadonlyArray<PastPrice | null>
  /** Failure of a source, if there is a token for which no source returned a price; null otherwise. */
  readonly failure: UpstreamUnavailable | null
}

/** Logs a source's price, and the price that contradicts it. */
const rejectPrice = (token: TokenRef, price: PastPrice, knownUsd: bigint) =>
  Effect.andThen(
    countRefused(price.source),
    Effect.logWarning("a price was rejected: it is far from other known prices", {
      source: price.source,
      token: tokenKey(token),
      at: DateTime.formatIso(price.at),
      usdE18: String(price.usd),
      knownUsdE18: String(knownUsd)
    })
  )

/**
 * Queries the sources in order, until each price is confirmed within a factor of ten by the on-chain price or by
 * another source. A price that nothing confirms is accepted if no other price contradicts it; otherwise the price is
 * unknown.
 */
const judgePrices = Effect.fnUntraced(function* (
  sources: ReadonlyArray<NamedSource>,
  tokens: ReadonlyArray<TokenRef>,
  onChain: ReadonlyArray<bigint | null>,
  requestSource: (
    source: NamedSource,
    indices: ReadonlyArray<number>
  ) => Effect.Effect<ReadonlyArray<PastPrice | null>, UpstreamUnavailable>
): Effect.fn.Return<JudgedPrices> {
  const acceptedPrices = new Map<number, PastPrice>()
  const reportedPrices = tokens.map((): Array<PastPrice> => [])
  let failure: UpstreamUnavailable | null = null

  for (const source of sources) {
    const openIndexes = tokens.flatMap((_, i) => (acceptedPrices.has(i) ? [] : [i]))
    if (openIndexes.length === 0) break
    const response = yield* Effect.result(requestSource(source, openIndexes))
    if (Result.isFailure(response)) {
      failure = response.failure
      continue
    }
    for (const [k, i] of openIndexes.entries()) {
      const price = response.success[k] ?? null
      if (price === null) continue
      const chainUsd = onChain[i] ?? null
      const isOnChain = chainUsd !== null && isInBounds(price.usd, chainUsd)
      const confirmedPrice = isOnChain ? price : reportedPrices[i]!.find(({ usd }) => isInBounds(usd, price.usd))
      if (confirmedPrice !== undefined) acceptedPrices.set(i, confirmedPrice)
      reportedPrices[i]!.push(price)
    }
  }

  const prices: Array<PastPrice | null> = []
  for (const [i, token] of tokens.entries()) {
    const chainUsd = onChain[i] ?? null
    const [first = null, ...others] = reportedPrices[i]!
    const price = acceptedPrices.get(i) ?? (chainUsd === null && others.length === 0 ? first : null)
    prices.push(price)
    for (const reportedPrice of reportedPrices[i]!) {
      const knownUsd =
        price?.usd ?? chainUsd ?? reportedPrices[i]!.find((other) => other !== reportedPrice)?.usd ?? reportedPrice.usd
      if (!isInBounds(reportedPrice.usd, knownUsd)) yield* rejectPrice(token, reportedPrice, knownUsd)
    }
  }
  return { prices, failure: reportedPrices.some(({ length }) => length === 0) ? failure : null }
})

/** Returns the first result that is not empty. Fails if a source did not respond and no other source has a result. */
const firstResultOf = <A>(
  sources: ReadonlyArray<NamedSource>,
  requestSource: (source: NamedSource) => Effect.Effect<A | null, UpstreamUnavailable>
): Effect.Effect<A | null, UpstreamUnavailable> =>
  Effect.gen(function* () {
    let failure: UpstreamUnavailable | null = null
    for (const source of sources) {
      const response = yield* Effect.result(requestSource(source))
      if (Result.isFailure(response)) failure ??= response.failure
      else if (response.success !== null) return response.success
    }
    return failure === null ? null : yield* failure
  })

/** Combines several sources. Queries them in failover order, and compares their prices with each other. */
export const makeComposite = (
  sources: ReadonlyArray<NamedSource>,
  chainPrices: TokenPrices["Service"]
): MarketSource => {
  const readOnChain = (tokens: ReadonlyArray<TokenRef>) =>
    Effect.map(chainPrices.findPrices(tokens), (onChainPrices) =>
      tokens.map((token) => onChainPrices.get(tokenKey(token))?.usd ?? null)
    )

  return {
    prices: Effect.fnUntraced(function* (tokens) {
      if (tokens.length === 0 || sources.length === 0) return new Map()
      const { failure, prices } = yield* judgePrices(sources, tokens, yield* readOnChain(tokens), (source, indices) => {
        const requestedTokens = indices.map((i) => tokens[i]!)
        return Effect.map(source.prices(requestedTokens), (sourcePrices) =>
          requestedTokens.map((token) => sourcePrices.get(tokenKey(token)) ?? null)
        )
      })
      const priceEntries = tokens.flatMap((token, i) =>
        prices[i] == null ? [] : [[tokenKey(token), prices[i]] as const]
      )
      return priceEntries.length === 0 && failure !== null ? yield* failure : new Map(priceEntries)
    }),
    pastPrices: Effect.fnUntraced(function* (token, ats) {
      if (ats.length === 0 || sources.length === 0) return ats.map(() => null)
      const nowMs = DateTime.toEpochMillis(yield* DateTime.now)
      const isRecent = ats.map((at) => nowMs - DateTime.toEpochMillis(at) <= WITNESS_MS)
      const [now = null] = isRecent.some(Boolean) ? yield* readOnChain([token]) : []
      const { failure, prices } = yield* judgePrices(
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
    rates: firstResultOf(sources, ({ rates }) => rates),
    pastRates: (day) => firstResultOf(sources, (source) => source.pastRates(day))
  }
}
