import {
  type ExchangeRates,
  type PastPrice,
  type PastPriceKey,
  PastPriceStore
} from "@countersign/core/accounting/market-data"
import { jsonText } from "@countersign/core/foundation/primitives"
import { type FiatCode, tokenKey } from "@countersign/core/foundation/tokens"
import { Array, Effect, Layer, Schema } from "effect"
import { instantOf, millisOf } from "./codec.ts"
import { Db } from "./Db.ts"
import type { Tables } from "./migrations/index.ts"

/** Keys per statement. Postgres allows 65,535 values, SQLite 32,766. */
const KEYS_PER_BATCH = 500

const ratesText = jsonText(Schema.Record(Schema.String, Schema.BigInt))

const textOf = ({ hour, token }: PastPriceKey) => `${tokenKey(token)}@${hour}`

const priceOf = (row: Pick<Tables["past_prices"], "usd_e18" | "figure_at" | "source">): PastPrice => ({
  usd: BigInt(row.usd_e18),
  at: instantOf(row.figure_at),
  source: row.source
})

const ratesOf = (row: Tables["past_rates"]): ExchangeRates => ({
  at: instantOf(row.figure_at),
  source: row.source,
  perUsdE18: new Map(Object.entries(ratesText.decode(row.per_usd_e18)) as Array<[FiatCode, bigint]>)
})

export const layer = Layer.effect(
  PastPriceStore,
  Effect.gen(function* () {
    const db = yield* Db
    const { query } = db

    const tokenPrices = Effect.fnUntraced(function* (keys: ReadonlyArray<PastPriceKey>) {
      const storedPrices: Array<readonly [string, PastPrice]> = []
      const { token } = keys[0]!
      for (const chunk of Array.chunksOf(keys, KEYS_PER_BATCH)) {
        const rows = yield* db.all(
          query
            .selectFrom("past_prices")
            .select(["hour", "usd_e18", "figure_at", "source"])
            .where(({ and }) => and({ chain_id: token.chainId, address: token.address }))
            .where(
              "hour",
              "in",
              chunk.map(({ hour }) => hour)
            )
        )
        for (const row of rows) storedPrices.push([textOf({ token, hour: row.hour }), priceOf(row)])
      }
      return storedPrices
    })

    return PastPriceStore.of({
      findPrices: Effect.fnUntraced(function* (keys) {
        const byToken = Map.groupBy(keys, ({ token }) => tokenKey(token))
        const storedPrices = new Map((yield* Effect.forEach(byToken.values(), tokenPrices)).flat())
        return keys.map((key) => storedPrices.get(textOf(key)) ?? null)
      }),
      storePrices: (prices) =>
        Effect.forEach(
          Array.chunksOf(prices, KEYS_PER_BATCH),
          (chunk) =>
            db.run(
              query
                .insertInto("past_prices")
                .values(
                  chunk.map(({ hour, price, token }) => ({
                    chain_id: token.chainId,
                    address: token.address,
                    hour,
                    usd_e18: String(price.usd),
                    figure_at: millisOf(price.at),
                    source: price.source
                  }))
                )
                .onConflict((conflict) => conflict.columns(["chain_id", "address", "hour"]).doNothing())
            ),
          { discard: true }
        ),
      findRates: Effect.fnUntraced(function* (days) {
        const rateRows = yield* Effect.forEach(Array.chunksOf(days, KEYS_PER_BATCH), (chunk) =>
          db.all(query.selectFrom("past_rates").selectAll().where("day_at", "in", chunk.map(millisOf)))
        )
        const byDay = new Map(rateRows.flat().map((row) => [row.day_at, ratesOf(row)]))
        return days.map((day) => byDay.get(millisOf(day)) ?? null)
      }),
      storeRates: (day, { at, perUsdE18, source }) =>
        Effect.asVoid(
          db.run(
            query
              .insertInto("past_rates")
              .values({
                day_at: millisOf(day),
                per_usd_e18: ratesText.encode(Object.fromEntries(perUsdE18)),
                figure_at: millisOf(at),
                source
              })
              .onConflict((conflict) => conflict.column("day_at").doNothing())
          )
        )
    })
  })
)
