import { EvmChainId } from "@countersign/core/foundation/chains"
import { Address, decimalFromBaseUnits } from "@countersign/core/foundation/primitives"
import {
  type StoredGasEntry,
  UnpaidGasCause,
  UnpaidGasEntry,
  UnpaidGasStore,
  type UnpaidGasSum,
  usdE6Of
} from "@countersign/core/operations/unpaid-gas"
import { Effect, Layer } from "effect"
import { sql } from "kysely"
import { checkType, instantOf, instantOrNull, millisOf } from "./codec.ts"
import { Db } from "./Db.ts"
import type { Tables } from "./migrations/index.ts"

const DAY_MS = 86_400_000
/** Number of rows per chain, payer and day. */
const COST_SLOTS = 16
const COST_DAYS = 30
const GWEI = 1_000_000_000n
const HOUR_MS = 3_600_000
/** Maximum number of an owner's entries that are read. Fewer are sufficient to block the owner. */
const MAX_OWNER_ENTRIES = 100

const toGasEntry = checkType(UnpaidGasEntry)
const toCause = checkType(UnpaidGasCause)
const toAddress = checkType(Address)
const toChainId = checkType(EvmChainId)

const idOf = (cause: UnpaidGasCause, operation: string) => `${cause} ${operation}`

const rowOf = (gasEntry: UnpaidGasEntry): Tables["losses"] => ({
  project_id: gasEntry.projectId,
  // An entry without an operation is identified by its wallet and time.
  id: idOf(gasEntry.cause, gasEntry.userOperationHash ?? `${gasEntry.walletAddress} ${millisOf(gasEntry.at)}`),
  wallet_address: gasEntry.walletAddress,
  owner: gasEntry.owner,
  chain_id: gasEntry.chainId,
  gwei: Number(gasEntry.wei / GWEI),
  rest_wei: Number(gasEntry.wei % GWEI),
  usd_e6: gasEntry.usd === null ? null : Number(usdE6Of(gasEntry)),
  cause: gasEntry.cause,
  user_operation_hash: gasEntry.userOperationHash,
  at: millisOf(gasEntry.at),
  forgiven_at: null,
  turn_at: null,
  turn_of: null
})

/** Adds the gwei and the remaining wei. A sum over several rows may exceed 2^53, and is then a bigint. */
const weiOf = ({ gwei, rest_wei }: { gwei: number | bigint; rest_wei: number | bigint }): bigint =>
  BigInt(gwei) * GWEI + BigInt(rest_wei)

const storedGasEntryOfRow = (row: Tables["losses"]): StoredGasEntry => ({
  gasEntry: toGasEntry({
    projectId: row.project_id,
    walletAddress: row.wallet_address,
    owner: row.owner,
    chainId: row.chain_id,
    wei: weiOf(row),
    usd: row.usd_e6 === null ? null : decimalFromBaseUnits(BigInt(row.usd_e6), 6),
    cause: row.cause,
    at: instantOf(row.at),
    userOperationHash: row.user_operation_hash
  }),
  forgivenAt: instantOrNull(row.forgiven_at)
})

/** Casts the sum, because Postgres returns another numeric type for a sum of integers. */
const sumOf = (column: "gwei" | "rest_wei" | "usd_e6") =>
  sql<number | bigint>`cast(coalesce(sum(${sql.ref(column)}), 0) as bigint)`

const count = sql<number>`cast(count(*) as bigint)`

export const layer = Layer.effect(
  UnpaidGasStore,
  Effect.gen(function* () {
    const db = yield* Db
    const { query } = db

    const ownerGasEntries = db.prepare(
      (builder, parameters: { projectId: string; owner: string; since: number; limit: number }) =>
        builder
          .selectFrom("losses")
          .select(["wallet_address", "chain_id", "cause", "at", "usd_e6"])
          .where("owner", "=", parameters.owner)
          .where("project_id", "=", parameters.projectId)
          .where("at", ">", parameters.since)
          .where("forgiven_at", "is", null)
          .orderBy("at", "desc")
          .limit(parameters.limit)
    )

    const sumsSince = (builder: typeof query, since: number) => {
      const hour = sql<number>`at / ${sql.lit(HOUR_MS)}`
      return builder
        .selectFrom("losses")
        .select([
          "cause",
          sql<number>`max(at)`.as("last_at"),
          count.as("number"),
          sumOf("usd_e6").as("usd_e6"),
          sql<number>`cast(count(*) - count(usd_e6) as bigint)`.as("unpriced")
        ])
        .where("at", ">", since)
        .where("forgiven_at", "is", null)
        .groupBy(["cause", hour])
    }

    const sumsOfProject = db.prepare((builder, { projectId, since }: { projectId: string; since: number }) =>
      sumsSince(builder, since).where("project_id", "=", projectId)
    )
    const sumsOfAll = db.prepare((builder, { since }: { since: number }) => sumsSince(builder, since))

    return UnpaidGasStore.of({
      record: (gasEntry) => {
        const row = rowOf(gasEntry)
        return Effect.asVoid(
          db.run(
            query
              .insertInto("losses")
              .values(row)
              .onConflict((conflict) =>
                conflict
                  .columns(["project_id", "id"])
                  .doUpdateSet({ gwei: row.gwei, rest_wei: row.rest_wei, usd_e6: row.usd_e6 })
              )
          )
        )
      },
      remove: (projectId, hash, cause) =>
        Effect.asVoid(
          db.run(query.deleteFrom("losses").where("project_id", "=", projectId).where("id", "=", idOf(cause, hash)))
        ),
      listByOwner: (projectId, owner, since) =>
        Effect.map(ownerGasEntries({ projectId, owner, since: millisOf(since), limit: MAX_OWNER_ENTRIES }), (rows) =>
          rows.map((row) => ({
            walletAddress: toAddress(row.wallet_address),
            chainId: toChainId(row.chain_id),
            cause: toCause(row.cause),
            at: instantOf(row.at),
            count: 1,
            usdE6: BigInt(row.usd_e6 ?? 0),
            unpriced: row.usd_e6 === null ? 1 : 0
          }))
        ),
      readSums: (projectId, since) => {
        const sinceParameter = { since: millisOf(since) }
        const sums = projectId === null ? sumsOfAll(sinceParameter) : sumsOfProject({ projectId, ...sinceParameter })
        return Effect.map(sums, (rows) =>
          rows.map(
            (row): UnpaidGasSum => ({
              cause: toCause(row.cause),
              at: instantOf(row.last_at),
              count: row.number,
              usdE6: BigInt(row.usd_e6),
              unpriced: row.unpriced
            })
          )
        )
      },
      claimThrottleSlot: ({ address, hash, lastBefore, now, projectId, scope }) =>
        Effect.map(
          db.run(
            query
              .updateTable("losses")
              .set({ turn_at: millisOf(now), turn_of: hash })
              .where(scope === "wallet" ? "wallet_address" : "owner", "=", address)
              .where("project_id", "=", projectId)
              .where("forgiven_at", "is", null)
              .where(({ eb, or }) =>
                or([eb("turn_at", "is", null), eb("turn_of", "=", hash), eb("turn_at", "<=", millisOf(lastBefore))])
              )
          ),
          (changes) => changes > 0
        ),
      listLatest: (projectId, limit) =>
        Effect.map(
          db.all(
            projectId === null
              ? query
                  .selectFrom("losses")
                  .selectAll()
                  // True for all rows. It makes the query a range of the index, from which the newest rows are read.
                  .where("at", ">", 0)
                  .orderBy("at", "desc")
                  .orderBy("project_id", "desc")
                  .orderBy("id", "desc")
                  .limit(limit)
              : query
                  .selectFrom("losses")
                  .selectAll()
                  .where("project_id", "=", projectId)
                  .orderBy("at", "desc")
                  .limit(limit)
          ),
          (rows) => rows.map(storedGasEntryOfRow)
        ),
      recordCost: Effect.fnUntraced(function* ({ at, chainId, operation, payer, wei }) {
        const day = Math.floor(millisOf(at) / DAY_MS)
        const slot = Number.parseInt(operation.slice(-2), 16) % COST_SLOTS
        const gwei = Number((wei + GWEI - 1n) / GWEI)
        yield* db.run(
          query
            .deleteFrom("gas_costs")
            .where(({ and }) => and({ chain_id: chainId, payer, slot }))
            .where("day", "<", day - COST_DAYS)
        )
        yield* db.run(
          query
            .insertInto("gas_costs")
            .values({ chain_id: chainId, payer, day, slot, gwei })
            .onConflict((conflict) =>
              conflict
                .columns(["day", "chain_id", "payer", "slot"])
                .doUpdateSet(({ eb }) => ({ gwei: eb("gas_costs.gwei", "+", gwei) }))
            )
        )
      }),
      readCosts: (since) => {
        const sinceDay = Math.floor(millisOf(since) / DAY_MS)
        return Effect.map(
          db.all(
            query
              .selectFrom("gas_costs")
              .select(({ fn }) => [
                "chain_id",
                "payer",
                sql<number | bigint>`cast(sum(case when day >= ${sinceDay} then gwei else 0 end) as bigint)`.as("gwei"),
                fn.min("day").as("first_day")
              ])
              .where("day", ">=", sinceDay - COST_DAYS)
              .groupBy(["chain_id", "payer"])
          ),
          (rows) =>
            rows.map((row) => ({
              chainId: toChainId(row.chain_id),
              payer: toAddress(row.payer),
              wei: BigInt(row.gwei) * GWEI,
              firstDay: instantOf(Number(row.first_day) * DAY_MS)
            }))
        )
      },
      readTotals: (since, cause) =>
        Effect.map(
          db.all(
            (cause === undefined ? query.selectFrom("losses") : query.selectFrom("losses").where("cause", "=", cause))
              .select([
                "chain_id",
                count.as("number"),
                sumOf("gwei").as("gwei"),
                sumOf("rest_wei").as("rest_wei"),
                sumOf("usd_e6").as("usd_e6")
              ])
              .where("at", ">", millisOf(since))
              .where("forgiven_at", "is", null)
              .groupBy("chain_id")
          ),
          (rows) =>
            rows.map((row) => ({
              chainId: toChainId(row.chain_id),
              count: row.number,
              wei: weiOf(row),
              usdE6: BigInt(row.usd_e6)
            }))
        ),
      forgive: (subject, at) => {
        const change = query
          .updateTable("losses")
          .set({ forgiven_at: millisOf(at) })
          .where("forgiven_at", "is", null)
        switch (subject._tag) {
          case "Wallet":
            return db.run(change.where("wallet_address", "=", subject.address))
          case "Owner":
            return db.run(change.where("owner", "=", subject.address))
          case "Project":
            return db.run(change.where("project_id", "=", subject.id))
        }
      }
    })
  })
)
