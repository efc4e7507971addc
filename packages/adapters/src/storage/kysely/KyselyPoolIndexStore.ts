import { jsonText } from "@countersign/core/foundation/primitives"
import {
  addHours,
  type IndexedPool,
  IndexProgress,
  type IndexStep,
  type PoolAddress,
  type PoolHour,
  PoolIndexStore,
  PoolRef
} from "@countersign/core/trading/pools"
import { Array, Effect, Layer, Option } from "effect"
import { claimDue } from "./claims.ts"
import { checkType, instantOf, millisOf } from "./codec.ts"
import { Db } from "./Db.ts"
import type { Tables } from "./migrations/index.ts"

const RECENT = 1
const COUNTED = 0
/** Number of pools that are removed at a time. More than one, because several may be requested concurrently. */
const REMOVED_PER_BATCH = 10
/** Rows per statement. Postgres allows 65,535 values, SQLite 32,766. */
const ROWS_PER_BATCH = 500

const progressText = jsonText(IndexProgress)
const toPool = checkType(PoolRef)

const indexedPool = (row: Omit<Tables["indexed_pools"], "due_at" | "claimed_until">): IndexedPool => ({
  pool: toPool({
    chainId: row.chain_id,
    address: row.address,
    token0: row.token0,
    token1: row.token1,
    feePips: row.fee_pips
  }),
  progress: row.progress === null ? null : progressText.decode(row.progress),
  askedAt: instantOf(row.asked_at),
  version: row.version
})

const poolHour = (row: Omit<Tables["pool_hours"], "chain_id" | "address" | "recent">): PoolHour => ({
  hour: row.hour,
  transactions: row.transactions,
  volume0: BigInt(row.volume0),
  volume1: BigInt(row.volume1),
  fees0: BigInt(row.fees0),
  fees1: BigInt(row.fees1)
})

const hourRow = ({ address, chainId }: PoolAddress, recent: number, hour: PoolHour): Tables["pool_hours"] => ({
  chain_id: chainId,
  address,
  recent,
  hour: hour.hour,
  transactions: hour.transactions,
  volume0: String(hour.volume0),
  volume1: String(hour.volume1),
  fees0: String(hour.fees0),
  fees1: String(hour.fees1)
})

const POOL = ["chain_id", "address", "token0", "token1", "fee_pips", "asked_at", "version", "progress"] as const
const HOUR = ["hour", "transactions", "volume0", "volume1", "fees0", "fees1"] as const

export const layer = Layer.effect(
  PoolIndexStore,
  Effect.gen(function* () {
    const db = yield* Db
    const { query } = db

    const selectHoursFrom = db.prepare((builder, parameters: { chainId: number; address: string; from: number }) =>
      builder
        .selectFrom("pool_hours")
        .select([...HOUR])
        .where(({ and }) => and({ chain_id: parameters.chainId, address: parameters.address }))
        .where("hour", ">=", parameters.from)
        .orderBy("hour")
    )

    const claimOne = db.prepare((_, { now, until }: { now: number; until: number }) =>
      claimDue<Pick<Tables["indexed_pools"], (typeof POOL)[number]>>(db, "indexed_pools", {
        limit: 1,
        now,
        until,
        returning: POOL
      })
    )

    const deleteHoursQuery = ({ address, chainId }: PoolAddress, recent: number) =>
      query.deleteFrom("pool_hours").where(({ and }) => and({ chain_id: chainId, address, recent }))

    const insertHours = Effect.fnUntraced(function* (
      pool: PoolAddress,
      recent: number,
      hours: ReadonlyArray<PoolHour>
    ) {
      for (const chunk of Array.chunksOf(hours, ROWS_PER_BATCH)) {
        const rows = chunk.map((hour) => hourRow(pool, recent, hour))
        yield* db.run(
          query
            .insertInto("pool_hours")
            .values(rows)
            .onConflict((conflict) =>
              conflict.columns(["chain_id", "address", "hour", "recent"]).doUpdateSet((row) => ({
                transactions: row.ref("excluded.transactions"),
                volume0: row.ref("excluded.volume0"),
                volume1: row.ref("excluded.volume1"),
                fees0: row.ref("excluded.fees0"),
                fees1: row.ref("excluded.fees1")
              }))
            )
        )
      }
    })

    /** Adds sums in code, because they are stored as text, which a database can't add. */
    const addStoredHours = Effect.fnUntraced(function* (pool: PoolAddress, hours: ReadonlyArray<PoolHour>) {
      if (hours.length === 0) return
      const hourNumbers = hours.map(({ hour }) => hour)
      const existingHours = yield* db.all(
        query
          .selectFrom("pool_hours")
          .select([...HOUR])
          .where(({ and }) => and({ chain_id: pool.chainId, address: pool.address }))
          .where("hour", ">=", Math.min(...hourNumbers))
          .where("hour", "<=", Math.max(...hourNumbers))
          .where("recent", "=", COUNTED)
      )
      const storedHours = new Map(existingHours.map((row) => [row.hour, poolHour(row)]))
      const sums = hours.map((hour) => {
        const storedSums = storedHours.get(hour.hour)
        return storedSums === undefined ? hour : addHours(storedSums, hour)
      })
      yield* insertHours(pool, COUNTED, sums)
    })

    const deletePool = ({ address, chainId }: PoolAddress) =>
      Effect.all(
        [
          db.run(query.deleteFrom("indexed_pools").where("chain_id", "=", chainId).where("address", "=", address)),
          db.run(deleteHoursQuery({ address, chainId }, COUNTED)),
          db.run(deleteHoursQuery({ address, chainId }, RECENT))
        ],
        { discard: true }
      )

    const storeStep = Effect.fnUntraced(function* (
      { pool, version }: IndexedPool,
      { counted, dueAt, progress, recent }: IndexStep
    ) {
      const changedCount = yield* db.run(
        query
          .updateTable("indexed_pools")
          .set({
            due_at: millisOf(dueAt),
            claimed_until: null,
            progress: progress === null ? null : progressText.encode(progress)
          })
          .where(({ and }) => and({ chain_id: pool.chainId, address: pool.address, version }))
      )
      if (changedCount === 0) return false
      yield* db.announce("POOLS", millisOf(dueAt))
      if (progress === null) yield* db.run(deleteHoursQuery(pool, COUNTED))
      if (progress === null || recent !== null) yield* db.run(deleteHoursQuery(pool, RECENT))
      yield* addStoredHours(pool, counted)
      yield* insertHours(pool, RECENT, recent ?? [])
      return true
    })

    const follow = Effect.fnUntraced(function* (pool: PoolRef, now: number, maxPools: number) {
      const row: Tables["indexed_pools"] = {
        chain_id: pool.chainId,
        address: pool.address,
        token0: pool.token0,
        token1: pool.token1,
        fee_pips: pool.feePips,
        asked_at: now,
        due_at: now,
        claimed_until: null,
        version: 0,
        progress: null
      }
      yield* db.run(
        query
          .insertInto("indexed_pools")
          .values(row)
          .onConflict((conflict) =>
            conflict.columns(["chain_id", "address"]).doUpdateSet({ asked_at: now, due_at: now })
          )
      )
      yield* db.announce("POOLS", now)
      const removedPools = yield* db.all(
        query
          .selectFrom("indexed_pools")
          .select([...POOL])
          .orderBy("asked_at", "desc")
          .limit(REMOVED_PER_BATCH)
          .offset(maxPools)
      )
      yield* Effect.forEach(removedPools.map(indexedPool), (each) => deletePool(each.pool), { discard: true })
    })

    return PoolIndexStore.of({
      recordRequest: (pool, now, maxPools) => db.transaction(follow(pool, millisOf(now), maxPools)),
      claim: (now, until) =>
        Effect.map(claimOne({ now: millisOf(now), until: millisOf(until) }), ([row]) =>
          Option.map(Option.fromUndefinedOr(row), indexedPool)
        ),
      store: (claimedPool, step) => db.transaction(storeStep(claimedPool, step)),
      find: ({ address, chainId }) =>
        Effect.map(
          db.first(
            query
              .selectFrom("indexed_pools")
              .select([...POOL])
              .where(({ and }) => and({ chain_id: chainId, address }))
          ),
          Option.map(indexedPool)
        ),
      listHours: ({ address, chainId }, fromHour) =>
        Effect.map(selectHoursFrom({ chainId, address, from: fromHour }), (rows) => rows.map(poolHour)),
      list: Effect.map(
        db.all(
          query
            .selectFrom("indexed_pools")
            .select([...POOL])
            .orderBy("asked_at", "desc")
        ),
        (rows) => rows.map(indexedPool)
      )
    })
  })
)
