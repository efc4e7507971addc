import { chainOf, type EvmChainId } from "@countersign/core/chains"
import { UpstreamUnavailable } from "@countersign/core/errors"
import { nothingKnown, type PoolRef, PoolStatistics, type PoolStatisticsOverRange } from "@countersign/core/pools"
import { Clock, Effect, Layer, Redacted, Schema } from "effect"
import { baseUnitsRoundingDown } from "./decimalText.ts"

/**
 * Days of a pool by the schema of Uniswap's subgraph (github.com/Uniswap/v3-subgraph, schema.graphql). `txCount` counts
 * events there, and not transactions.
 */
const QUERY = `query ($pool: String!, $from: Int!) {
  pool(id: $pool) { createdAtTimestamp }
  poolDayDatas(first: 400, where: { pool: $pool, date_gte: $from }) {
    txCount volumeUSD feesUSD volumeToken0 volumeToken1
  }
  _meta { hasIndexingErrors block { timestamp } }
}`

const Days = Schema.Struct({
  data: Schema.Struct({
    pool: Schema.NullOr(Schema.Struct({ createdAtTimestamp: Schema.String })),
    poolDayDatas: Schema.Array(
      Schema.Struct({
        txCount: Schema.String,
        volumeUSD: Schema.String,
        feesUSD: Schema.String,
        volumeToken0: Schema.String,
        volumeToken1: Schema.String
      })
    ),
    _meta: Schema.Struct({ hasIndexingErrors: Schema.Boolean, block: Schema.Struct({ timestamp: Schema.Int }) })
  })
})
const decodeDays = Schema.decodeUnknownEffect(Schema.fromJsonString(Days))

const DAY_SECONDS = 86_400
const USD_DECIMALS = 6
const TIMEOUT_MS = 5_000
const ANSWER_BYTES_MAX = 1_000_000
/** An answer is given again for so long, and where the subgraph has none since, for longer. */
const FRESH_MS = 60_000
const USABLE_MS = 900_000
/** A subgraph further behind its chain does not know the end of a range. */
const BEHIND_MAX_SECONDS = 3_600
const ANSWERS_MAX = 1_000
/** Pause after a refusal that names none. */
const PAUSE_SECONDS = 30
const PAUSE_MAX_SECONDS = 600

type Known = typeof Days.Type.data

interface Answer {
  readonly at: number
  readonly known: Known
}

const upstreamOf = (chainId: EvmChainId) => `Subgraph of ${chainOf(chainId).name}`

const unavailable = (chainId: EvmChainId, reason: string) =>
  new UpstreamUnavailable({ upstream: upstreamOf(chainId), reason })

/** UTC days, the current one included. */
const firstDay = (nowMs: number, rangeInDays: number): number =>
  (Math.floor(nowMs / 1_000 / DAY_SECONDS) - rangeInDays + 1) * DAY_SECONDS

const sum = (values: ReadonlyArray<bigint>): bigint => values.reduce((a, b) => a + b, 0n)

/** Seconds that an answer asks to be left alone for. */
const pauseOf = (response: Response): number => {
  const seconds = Number(response.headers.get("retry-after") ?? PAUSE_SECONDS)
  return Number.isFinite(seconds) ? Math.min(PAUSE_MAX_SECONDS, Math.max(1, seconds)) : PAUSE_SECONDS
}

/** Statistics by subgraphs, one for each chain. Where one does not answer, what it said lately holds, and else nothing is known. */
export const layer = (
  urls: ReadonlyMap<EvmChainId, Redacted.Redacted<string>>,
  timeoutMs = TIMEOUT_MS
): Layer.Layer<PoolStatistics> =>
  Layer.sync(PoolStatistics, () => {
    const answers = new Map<string, Answer>()
    const pausedUntil = new Map<EvmChainId, number>()

    const ask = Effect.fnUntraced(function* (pool: PoolRef, from: number, nowMs: number) {
      const { chainId } = pool
      const body = JSON.stringify({ query: QUERY, variables: { pool: pool.address, from } })
      const { response, text } = yield* Effect.tryPromise({
        try: async () => {
          const answer = await fetch(Redacted.value(urls.get(chainId)!), {
            method: "POST",
            headers: { "content-type": "application/json" },
            body,
            signal: AbortSignal.timeout(timeoutMs)
          })
          return { response: answer, text: await answer.text() }
        },
        // An error of fetch may have the URL in it, and that a key.
        catch: () => unavailable(chainId, `no answer within ${timeoutMs} ms`)
      })
      if (response.status === 429 || response.status === 503) {
        pausedUntil.set(chainId, nowMs + pauseOf(response) * 1_000)
      }
      if (!response.ok) return yield* unavailable(chainId, `status ${response.status}`)
      if (text.length > ANSWER_BYTES_MAX) return yield* unavailable(chainId, "its answer is too long")
      const { data } = yield* Effect.mapError(decodeDays(text), () =>
        unavailable(chainId, "its answer has another form")
      )
      return data
    })

    const keep = (key: string, answer: Answer): void => {
      answers.delete(key)
      answers.set(key, answer)
      const [oldest] = answers.keys()
      if (answers.size > ANSWERS_MAX && oldest !== undefined) answers.delete(oldest)
    }

    /** What the subgraph says of the pool since a day, or said lately; null where neither is there. */
    const knownOf = Effect.fnUntraced(function* (pool: PoolRef, from: number, nowMs: number) {
      const key = `${pool.chainId}-${pool.address}-${from}`
      const last = answers.get(key)
      if (last !== undefined && nowMs - last.at < FRESH_MS) return last.known
      const usable = last !== undefined && nowMs - last.at < USABLE_MS ? last.known : null
      if (nowMs < (pausedUntil.get(pool.chainId) ?? 0)) return usable
      return yield* ask(pool, from, nowMs).pipe(
        Effect.tap((known) => Effect.sync(() => keep(key, { at: nowMs, known }))),
        Effect.catchTag("UPSTREAM_UNAVAILABLE", (error) =>
          Effect.as(Effect.logWarning("statistics of a pool could not be read", { reason: error.message }), usable)
        )
      )
    })

    return PoolStatistics.of({
      follow: () => Effect.void,
      over: Effect.fn("SubgraphPoolStatistics.over")(function* ({ pool, tokens }, rangeInDays) {
        const nowMs = yield* Clock.currentTimeMillis
        const known = yield* knownOf(pool, firstDay(nowMs, rangeInDays), nowMs)
        if (known === null || known.pool === null || known._meta.hasIndexingErrors) return nothingKnown(rangeInDays)
        if (known._meta.block.timestamp < nowMs / 1_000 - BEHIND_MAX_SECONDS) return nothingKnown(rangeInDays)
        const days = known.poolDayDatas
        const usd = (texts: ReadonlyArray<string>) =>
          sum(texts.map((text) => baseUnitsRoundingDown(text, USD_DECIMALS)))
        const units = (texts: ReadonlyArray<string>, i: 0 | 1) =>
          sum(texts.map((text) => baseUnitsRoundingDown(text, tokens[i].decimals)))
        const statistics: PoolStatisticsOverRange = {
          rangeInDays,
          transactions: days.reduce((count, { txCount }) => count + Number(txCount), 0),
          volumeUsdE6: usd(days.map(({ volumeUSD }) => volumeUSD)),
          feesUsdE6: usd(days.map(({ feesUSD }) => feesUSD)),
          volumes: [
            units(
              days.map(({ volumeToken0 }) => volumeToken0),
              0
            ),
            units(
              days.map(({ volumeToken1 }) => volumeToken1),
              1
            )
          ],
          fees: null,
          knownFrom: Number(known.pool.createdAtTimestamp),
          isWhole: true
        }
        return statistics
      })
    })
  })
