import {
  type AddressPoll,
  BitcoinActivityStore,
  type DetectedBitcoinTransfer,
  type StoredBitcoinTransfer
} from "@countersign/core/bitcoin/activity"
import { BitcoinAddress, Hash32, jsonText } from "@countersign/core/foundation/primitives"
import { ProjectId } from "@countersign/core/tenancy/projects"
import { Array, Effect, Layer, Option, Schema } from "effect"
import { sql } from "kysely"
import { checkType, instantOf, millisOf, millisOrNull } from "./codec.ts"
import { Db } from "./Db.ts"
import { transactionFromRow } from "./KyselyHistoryStore.ts"
import type { Tables } from "./migrations/index.ts"

const BITCOIN = 0
type ReportedColumns = Pick<Tables["transactions"], "chain_id_in" | "chain_id_out" | "status">
const isArriving = ({ chain_id_in, chain_id_out, status }: ReportedColumns): boolean =>
  chain_id_out === BITCOIN && chain_id_in !== BITCOIN && (status === "PROCESSING" || status === "ON_BRIDGE")

/** Maximum number of values per statement, far below the limit of both engines. */
const VALUES_PER_BATCH = 1_000
const ROWS_PER_BATCH = 500

const spendsText = jsonText(Schema.Array(Schema.Struct({ txid: Hash32, vout: Schema.Int })))
const toAddress = checkType(BitcoinAddress)
const toHash = checkType(Hash32)
const toProjectId = checkType(ProjectId)
const hashOrNull = (text: string | null) => (text === null ? null : toHash(text))

const storedTransferOf = (row: Tables["bitcoin_sightings"]): StoredBitcoinTransfer => {
  const hash = hashOrNull(row.block_hash)
  return {
    detectedTransfer: {
      txid: toHash(row.txid),
      address: toAddress(row.address),
      block: hash === null || row.block_height === null ? null : { hash, height: row.block_height }
    },
    confirmations: row.confirmations,
    spends: row.spends === null ? null : spendsText.decode(row.spends),
    seenAt: instantOf(row.seen_at),
    version: row.version
  }
}

const rowOf = ({ address, block, txid }: DetectedBitcoinTransfer, now: number): Tables["bitcoin_sightings"] => ({
  txid,
  address,
  block_height: block?.height ?? null,
  block_hash: block?.hash ?? null,
  confirmations: 0,
  spends: null,
  seen_at: now,
  due_at: now,
  version: 0
})

const pollOf = (row: Tables["bitcoin_looks"]): AddressPoll => ({
  address: toAddress(row.address),
  activeAt: instantOf(row.active_at),
  toHeight: row.to_height,
  after: hashOrNull(row.after_txid),
  read: row.read_count,
  version: row.version
})

const SIGHTING_COLUMNS = [
  "txid",
  "address",
  "block_height",
  "block_hash",
  "confirmations",
  "spends",
  "seen_at",
  "due_at",
  "version"
] as const

export const layer = Layer.effect(
  BitcoinActivityStore,
  Effect.gen(function* () {
    const db = yield* Db
    const { query } = db

    const findRegisteredAmong = db.prepare((_, { text }: { text: string }) => {
      const values =
        db.dialect === "sqlite"
          ? sql`in (select value from json_each(${text}))`
          : sql`= any(array(select json_array_elements_text(${text}::json)))`
      return sql<{ address: string }>`select address from bitcoin_looks where address ${values}`
    })

    const rowsOf = (detectedTransfers: ReadonlyArray<DetectedBitcoinTransfer>, now: number) =>
      query
        .insertInto("bitcoin_sightings")
        .values(detectedTransfers.map((detectedTransfer) => rowOf(detectedTransfer, now)))

    const insertUnconfirmed = (detectedTransfers: ReadonlyArray<DetectedBitcoinTransfer>, now: number) =>
      db.run(rowsOf(detectedTransfers, now).onConflict((conflict) => conflict.columns(["txid", "address"]).doNothing()))

    const upsertConfirmed = (detectedTransfers: ReadonlyArray<DetectedBitcoinTransfer>, now: number) =>
      db.run(
        rowsOf(detectedTransfers, now).onConflict((conflict) =>
          conflict.columns(["txid", "address"]).doUpdateSet((row) => ({
            block_height: row.ref("excluded.block_height"),
            block_hash: row.ref("excluded.block_hash"),
            due_at: row.ref("excluded.due_at"),
            version: sql<number>`bitcoin_sightings.version + 1`
          }))
        )
      )

    const insertDetected = (
      detectedTransfers: ReadonlyArray<DetectedBitcoinTransfer>,
      now: number,
      insert: (chunk: ReadonlyArray<DetectedBitcoinTransfer>, now: number) => Effect.Effect<number>
    ) =>
      Effect.forEach(Array.chunksOf(detectedTransfers, ROWS_PER_BATCH), (chunk) => insert(chunk, now), {
        discard: true
      })

    const update = (
      { detectedTransfer: { address, txid }, version }: StoredBitcoinTransfer,
      changes: Partial<Tables["bitcoin_sightings"]>
    ) =>
      db.run(
        query
          .updateTable("bitcoin_sightings")
          .set({ ...changes, version: version + 1 })
          .where(({ and }) => and({ txid, address, version }))
      )

    const transferQuery = query.selectFrom("bitcoin_sightings").select([...SIGHTING_COLUMNS])
    const toStoredTransfers = (rows: ReadonlyArray<Tables["bitcoin_sightings"]>) => rows.map(storedTransferOf)

    return BitcoinActivityStore.of({
      countAddresses: Effect.map(
        db.first(query.selectFrom("bitcoin_looks").select(({ fn }) => fn.countAll<number | string>().as("count"))),
        (row) => Number(Option.getOrThrow(row).count)
      ),
      findRegistered: (addresses) =>
        Effect.map(
          Effect.forEach(Array.chunksOf([...addresses], VALUES_PER_BATCH), (chunk) =>
            findRegisteredAmong({ text: JSON.stringify(chunk) })
          ),
          (rows) => new Set(rows.flat().map(({ address }) => toAddress(address)))
        ),
      listProjects: (address) =>
        Effect.map(
          db.all(
            query.selectFrom("wallets").select("project_id").where("address", "=", address).orderBy("registered_at")
          ),
          (rows) => rows.map(({ project_id }) => toProjectId(project_id))
        ),
      recordDetected: (all, now) => {
        const isUnconfirmed = ({ block }: DetectedBitcoinTransfer) => block === null
        const [unconfirmedTransfers, confirmedTransfers] = [
          all.filter(isUnconfirmed),
          all.filter((one) => !isUnconfirmed(one))
        ]
        return Effect.andThen(
          insertDetected(unconfirmedTransfers, millisOf(now), insertUnconfirmed),
          insertDetected(confirmedTransfers, millisOf(now), upsertConfirmed)
        )
      },
      listDue: (now, limit) =>
        Effect.map(
          db.all(
            transferQuery
              .where("due_at", "is not", null)
              .where("due_at", "<=", millisOf(now))
              .orderBy("due_at")
              .limit(limit)
          ),
          toStoredTransfers
        ),
      listOutdated: (height, limit) =>
        Effect.map(
          db.all(
            transferQuery
              .where("block_height", "is not", null)
              .where("due_at", "is", null)
              .where(sql<boolean>`(block_height + confirmations) <= ${height}`)
              .orderBy(sql`(block_height + confirmations)`)
              .limit(limit)
          ),
          toStoredTransfers
        ),
      listAbove: (height) =>
        Effect.map(db.all(transferQuery.where("block_height", ">", height).orderBy("block_height")), toStoredTransfers),
      postpone: (one, dueAt) => Effect.asVoid(update(one, { due_at: millisOf(dueAt) })),
      recordDecision: (one, { block, confirmations, dueAt, spends }) =>
        Effect.map(
          update(one, {
            block_height: block?.height ?? null,
            block_hash: block?.hash ?? null,
            confirmations,
            spends: spends === null ? null : spendsText.encode(spends),
            due_at: millisOrNull(dueAt)
          }),
          (changes) => changes === 1
        ),
      remove: ({ detectedTransfer: { address, txid }, version }) =>
        Effect.asVoid(
          db.run(query.deleteFrom("bitcoin_sightings").where(({ and }) => and({ txid, address, version })))
        ),
      listDuePolls: (now, limit) =>
        Effect.map(
          db.all(
            query
              .selectFrom("bitcoin_looks")
              .select(["address", "active_at", "due_at", "to_height", "after_txid", "read_count", "version"])
              .where("due_at", "<=", millisOf(now))
              .orderBy("due_at")
              .limit(limit)
          ),
          (rows) => rows.map(pollOf)
        ),
      recordPoll: ({ activeAt, address, after, read, toHeight, version }, dueAt) =>
        Effect.asVoid(
          db.run(
            query
              .updateTable("bitcoin_looks")
              .set({
                active_at: millisOf(activeAt),
                due_at: millisOf(dueAt),
                to_height: toHeight,
                after_txid: after,
                read_count: read,
                version: version + 1
              })
              .where(({ and }) => and({ address, version }))
          )
        ),
      advancePolls: (addresses, activeAt, dueAt) =>
        Effect.forEach(
          Array.chunksOf(addresses, ROWS_PER_BATCH),
          (chunk) =>
            db.run(sql`
              update bitcoin_looks set active_at = ${millisOf(activeAt)},
                due_at = case when due_at < ${millisOf(dueAt)} then due_at else ${millisOf(dueAt)} end
              where address in (${sql.join(chunk)})`),
          { discard: true }
        ),
      // Starts with the few pending executions, because a project may have any number of transactions.
      listArriving: Effect.fnUntraced(function* (projectId) {
        const dueExecutions = yield* db.all(
          query
            .selectFrom("executions")
            .select("id")
            .where("due_at", "is not", null)
            .where("project_id", "=", projectId)
        )
        const ids = dueExecutions.map(({ id }) => id)
        const rows = yield* Effect.forEach(Array.chunksOf(ids, ROWS_PER_BATCH), (chunk) =>
          db.all(
            query
              .selectFrom("transactions")
              .select(["record", "status", "chain_id_in", "chain_id_out"])
              .where("project_id", "=", projectId)
              .where("id", "in", chunk)
          )
        )
        return rows.flat().filter(isArriving).map(transactionFromRow)
      }),
      scheduleRecheck: (toHeight, now) =>
        Effect.asVoid(
          db.run(sql`
            update bitcoin_looks set due_at = ${millisOf(now)}, after_txid = null, read_count = 0, version = version + 1,
              to_height = case when to_height < ${toHeight} then to_height else ${toHeight} end`)
        )
    })
  })
)
