import { type BridgeFill, BridgeFillStore, MAX_FILLS } from "@countersign/core/trading/swap"
import { Effect, Layer } from "effect"
import { instantOf, millisOf } from "./codec.ts"
import { Db } from "./Db.ts"
import type { Tables } from "./migrations/index.ts"

const fillOf = (from: BridgeFill["from"], to: BridgeFill["to"], row: Tables["bridge_fills"]): BridgeFill => ({
  from,
  to,
  transferId: row.transfer_id,
  seconds: row.seconds,
  saidSeconds: row.said_seconds,
  filledAt: instantOf(row.filled_at)
})

export const layer = Layer.effect(
  BridgeFillStore,
  Effect.gen(function* () {
    const db = yield* Db
    const { query } = db

    const selectFills = (from: number, to: number) =>
      query
        .selectFrom("bridge_fills")
        .where(({ and }) => and({ from_chain: from, to_chain: to }))
        .orderBy("filled_at", "desc")
        .orderBy("transfer_id")
        .limit(MAX_FILLS)

    return BridgeFillStore.of({
      record: Effect.fnUntraced(function* ({ filledAt, from, saidSeconds, seconds, to, transferId }) {
        const times = {
          seconds: Math.round(seconds),
          said_seconds: Math.round(saidSeconds),
          filled_at: millisOf(filledAt)
        }
        yield* db.run(
          query
            .insertInto("bridge_fills")
            .values({ from_chain: from, to_chain: to, transfer_id: transferId, ...times })
            .onConflict((conflict) => conflict.columns(["from_chain", "to_chain", "transfer_id"]).doUpdateSet(times))
        )
        yield* db.run(
          query
            .deleteFrom("bridge_fills")
            .where(({ and }) => and({ from_chain: from, to_chain: to }))
            .where("transfer_id", "not in", selectFills(from, to).select("transfer_id"))
        )
      }),
      listLatest: (from, to) =>
        Effect.map(db.all(selectFills(from, to).selectAll()), (rows) => rows.map((row) => fillOf(from, to, row)))
    })
  })
)
