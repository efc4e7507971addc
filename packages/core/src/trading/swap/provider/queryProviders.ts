import { Clock, Deferred, Effect, Result } from "effect"
import type { BadRequest, UpstreamUnavailable } from "../../../foundation/errors/index.ts"
import type { Candidate } from "../SwapContent.ts"
import type { RouteProfile } from "../SwapRequest.ts"
import { RouteNotFound, type SkippedPool, type SwapProvider } from "./Offer.ts"

/** The output of a provider's quote, and whether the quote can be executed. */
export interface ResponseSummary {
  readonly amountOut: bigint
  /** Why the result can't be executed now. Null if it can. */
  readonly refusal: string | null
}

/** A queried provider and its response. `response` is null if the provider returned none. */
export interface ProviderResponse<A> {
  readonly candidate: Candidate
  readonly response: A | null
}

export interface ProviderQuery<A extends ResponseSummary> {
  readonly provider: SwapProvider
  readonly request: Effect.Effect<A, BadRequest | RouteNotFound | UpstreamUnavailable>
  /** Returns the pools that the provider does not use. It must be called after the provider's response. */
  readonly skippedPools: () => ReadonlyArray<SkippedPool>
}

const timeoutError = (provider: SwapProvider, timeoutMs: number) =>
  new RouteNotFound({ provider: provider.name, reason: `no response within ${timeoutMs} ms` })

/** Builds the error for a provider that threw an unexpected exception. */
const unexpectedError = (provider: SwapProvider) =>
  new RouteNotFound({ provider: provider.name, reason: "it failed with an unexpected error" })

const candidateOf = (
  { id, name }: SwapProvider,
  latencyMs: number,
  response: ResponseSummary | null,
  refusal: string | null,
  skippedPools: ReadonlyArray<SkippedPool>
): Candidate => ({ provider: id, name, latencyMs, amountOut: response?.amountOut ?? null, refusal, skippedPools })

/** Queries one provider and measures its latency. A rejection is a result as well. A bad request is an error. */
const queryProvider = Effect.fnUntraced(function* <A extends ResponseSummary>(
  { request: ask, provider, skippedPools }: ProviderQuery<A>,
  timeoutMs: number
): Effect.fn.Return<ProviderResponse<A>, BadRequest> {
  const startedAt = yield* Clock.currentTimeMillis
  const result = yield* ask.pipe(
    Effect.timeoutOrElse({ duration: timeoutMs, orElse: () => Effect.fail(timeoutError(provider, timeoutMs)) }),
    Effect.catchDefect((defect) =>
      Effect.andThen(
        Effect.logError("a swap provider failed", defect).pipe(Effect.annotateLogs({ provider: provider.id })),
        Effect.fail(unexpectedError(provider))
      )
    ),
    Effect.result
  )
  const latencyMs = (yield* Clock.currentTimeMillis) - startedAt
  if (Result.isFailure(result) && result.failure._tag === "BAD_REQUEST") return yield* result.failure
  const response = Result.isSuccess(result) ? result.success : null
  const refusal = Result.isFailure(result) ? result.failure.message : (response?.refusal ?? null)
  return { candidate: candidateOf(provider, latencyMs, response, refusal, skippedPools()), response }
})

export interface ProviderQueryLimits {
  /** Timeout for each provider. */
  readonly timeoutMs: number
  /** After this time, QUICKEST_QUOTE uses the available quotes, if there are any. */
  readonly quickestMs: number
}

const isExecutable = <A extends ResponseSummary>({ response }: ProviderResponse<A>): boolean =>
  response !== null && response.refusal === null

/**
 * Queries all providers concurrently. QUICKEST_QUOTE ends with the first executable result. If there is none after
 * `quickestMs`, it ends with all available quotes, or with the first one that arrives later. If no quote arrives, it
 * returns all rejections. The other profiles wait for all providers. The result lists every provider, including those
 * whose requests were cancelled.
 */
export const queryProviders = Effect.fnUntraced(function* <A extends ResponseSummary>(
  profile: RouteProfile,
  queries: ReadonlyArray<ProviderQuery<A>>,
  { quickestMs, timeoutMs }: ProviderQueryLimits
) {
  const startedAt = yield* Clock.currentTimeMillis
  const responses = new Map<SwapProvider, ProviderResponse<A>>()
  const executableFound = yield* Deferred.make<void>()
  const quoteFound = yield* Deferred.make<void>()
  const collect = (query: ProviderQuery<A>) =>
    Effect.flatMap(queryProvider(query, timeoutMs), (response) => {
      responses.set(query.provider, response)
      return Effect.all([
        response.response === null ? Effect.void : Deferred.succeed(quoteFound, undefined),
        isExecutable(response) ? Deferred.succeed(executableFound, undefined) : Effect.void
      ])
    })
  const queryAll = Effect.forEach(queries, collect, { concurrency: "unbounded", discard: true })
  const quickestResponse = Effect.andThen(Effect.sleep(quickestMs), Deferred.await(quoteFound))
  yield* profile === "QUICKEST_QUOTE"
    ? Effect.raceAllFirst([queryAll, Deferred.await(executableFound), quickestResponse])
    : queryAll
  const latencyMs = (yield* Clock.currentTimeMillis) - startedAt
  const unansweredQueries = queries.filter(({ provider }) => !responses.has(provider))
  const refusal = `no response within ${latencyMs} ms, when the quotes were returned`
  return [
    ...responses.values(),
    ...unansweredQueries.map(({ provider }) => ({
      candidate: candidateOf(provider, latencyMs, null, refusal, []),
      response: null
    }))
  ]
})
