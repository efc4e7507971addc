import { Movement } from "@countersign/core/accounting/history"
import { ChainId, type EvmChainId, isEvmChainId } from "@countersign/core/foundation/chains"
import { Address, jsonText } from "@countersign/core/foundation/primitives"
import {
  ActivityStore,
  type Backfill,
  DetectedTransfer,
  type DetectedTransferState,
  externalTransferTypes,
  type RecordedFlow,
  type StoredTransfer,
  type WatchedChain,
  WatchProgress
} from "@countersign/core/wallets/chain-activity"
import { Array, type DateTime, Effect, Layer, Option, Schema } from "effect"
import { sql } from "kysely"
import { claimDue } from "./claims.ts"
import { checkType, instantOf, instantOrNull, millisOf } from "./codec.ts"
import { Db } from "./Db.ts"
import type { Tables } from "./migrations/index.ts"

/** Maximum number of values per statement, far below the limit of both engines. */
const VALUES_PER_BATCH = 1_000
const ROWS_PER_BATCH = 500
/** Bounds of smart account addresses. They exclude Bitcoin addresses. */
const [FIRST_ADDRESS, AFTER_ADDRESSES] = ["0x", "0y"]

const progressText = jsonText(WatchProgress)
const nativeTokenText = jsonText(DetectedTransfer.fields.coin)
const toDetectedTransfer = checkType(DetectedTransfer)
const toAddress = checkType(Address)
const toChainId = checkType(ChainId)
const toState = checkType(Schema.Literals(["WAITING", "RECORDED", "GONE"]))
const decodeFlow = Schema.decodeUnknownSync(
  Schema.toCodecJson(
    Schema.Struct(Movement.fields).mapFields(({ amount, asset, counterparty, direction, role }) => ({
      amount,
      asset,
      counterparty,
      direction,
      role
    }))
  )
)

type ChainRow = Pick<Tables["watched_chains"], "chain_id" | "version" | "progress">

const watchedChain = <C extends ChainId>(row: ChainRow): WatchedChain<C> => ({
  chainId: toChainId(row.chain_id) as C,
  progress: row.progress === null ? null : progressText.decode(row.progress),
  version: row.version
})

const storedTransferOf = (row: Tables["sightings"]): StoredTransfer => ({
  detectedTransfer: toDetectedTransfer({
    chainId: row.chain_id,
    transactionHash: row.transaction_hash,
    address: row.address,
    blockNumber: row.block_number,
    blockHash: row.block_hash,
    coin: nativeTokenText.decode(row.coin)
  }),
  state: toState(row.state),
  seenAt: instantOf(row.seen_at),
  version: row.version
})

const backfillOf = (row: Tables["wallet_backfills"]): Backfill => ({
  address: toAddress(row.address),
  next: row.next_block,
  to: row.to_block
})

const keyOf = ({ address, chainId, transactionHash }: DetectedTransfer) => ({
  chain_id: chainId,
  transaction_hash: transactionHash,
  address
})

const rowOf = (detectedTransfer: DetectedTransfer, now: number): Tables["sightings"] => ({
  ...keyOf(detectedTransfer),
  block_number: detectedTransfer.blockNumber,
  block_hash: detectedTransfer.blockHash,
  coin: nativeTokenText.encode(detectedTransfer.coin),
  state: "WAITING",
  seen_at: now,
  due_at: now,
  version: 0
})

const SIGHTING_COLUMNS = [
  "chain_id",
  "transaction_hash",
  "address",
  "block_number",
  "block_hash",
  "coin",
  "state",
  "seen_at",
  "due_at",
  "version"
] as const

export const layer = Layer.effect(
  ActivityStore,
  Effect.gen(function* () {
    const db = yield* Db
    const { query } = db

    const followOne = Effect.fnUntraced(function* (chainId: ChainId, now: number) {
      const row: Tables["watched_chains"] = {
        chain_id: chainId,
        due_at: now,
        claimed_until: null,
        version: 0,
        progress: null
      }
      const insertedCount = yield* db.run(
        query
          .insertInto("watched_chains")
          .values(row)
          .onConflict((conflict) => conflict.doNothing())
      )
      if (insertedCount === 1) yield* db.announce("CHAINS", now)
      if (insertedCount === 0 || !isEvmChainId(chainId)) return
      yield* db.run(sql`
        insert into wallet_backfills (chain_id, address, next_block, to_block)
        select distinct ${sql.lit(chainId)}, address, cast(null as bigint), cast(null as bigint) from wallets
        where address >= ${FIRST_ADDRESS} and address < ${AFTER_ADDRESSES}
        on conflict (chain_id, address) do nothing`)
    })

    const claimOne = (chainIds: ReadonlyArray<ChainId>, now: number, until: number) =>
      claimDue<ChainRow>(db, "watched_chains", {
        condition: sql`chain_id in (${sql.join(chainIds)})`,
        limit: 1,
        now,
        until,
        returning: ["chain_id", "version", "progress"]
      })

    const updateClaimed = ({ chainId, version }: WatchedChain, changes: Partial<Tables["watched_chains"]>) =>
      db.run(
        query
          .updateTable("watched_chains")
          .set(changes)
          .where(({ and }) => and({ chain_id: chainId, version }))
      )

    const updateStoredTransfer = (
      { detectedTransfer, version }: StoredTransfer,
      changes: Partial<Tables["sightings"]>
    ) =>
      db.run(
        query
          .updateTable("sightings")
          .set({ ...changes, version: version + 1 })
          .where(({ and }) => and({ ...keyOf(detectedTransfer), version }))
      )

    const insertDetected = (detectedTransfers: ReadonlyArray<DetectedTransfer>, now: number) =>
      Effect.forEach(
        Array.chunksOf(detectedTransfers, ROWS_PER_BATCH),
        (chunk) =>
          db.run(
            query
              .insertInto("sightings")
              .values(chunk.map((detectedTransfer) => rowOf(detectedTransfer, now)))
              .onConflict((conflict) =>
                conflict.columns(["chain_id", "transaction_hash", "address"]).doUpdateSet((row) => ({
                  block_number: row.ref("excluded.block_number"),
                  block_hash: row.ref("excluded.block_hash"),
                  // Past blocks are read without native token transfers, so those that are already stored for the same
                  // block are kept.
                  coin: sql<string>`case when excluded.coin = '[]' and sightings.block_hash = excluded.block_hash
                    then sightings.coin else excluded.coin end`,
                  state: row.ref("excluded.state"),
                  seen_at: row.ref("excluded.seen_at"),
                  due_at: row.ref("excluded.due_at"),
                  version: sql<number>`sightings.version + 1`
                }))
              )
          ),
        { discard: true }
      )

    const findRegisteredAmong = db.prepare((_, { text }: { text: string }) => {
      const values =
        db.dialect === "sqlite"
          ? sql`in (select value from json_each(${text}))`
          : sql`= any(array(select json_array_elements_text(${text}::json)))`
      return sql<{ address: string }>`select distinct address from wallets where address ${values}`
    })

    /** Selects backfills that have started (`is not` null), or that have not (`is` null). */
    const backfills = (chainId: EvmChainId, next: "is" | "is not", limit: number) =>
      Effect.map(
        db.all(
          query
            .selectFrom("wallet_backfills")
            .selectAll()
            .where("chain_id", "=", chainId)
            .where("next_block", next, null)
            .orderBy("next_block")
            .orderBy("to_block")
            .orderBy("address")
            .limit(limit)
        ),
        (rows) => rows.map(backfillOf)
      )

    const activity = db.prepare(
      (_, { chainId }: { chainId: number }) => sql<{
        readonly backfills: number
        readonly next_due: number | null
        readonly first_block: number | null
      }>`
        select
          case when exists (select 1 from wallet_backfills where chain_id = ${chainId})
            then ${sql.lit(1)} else ${sql.lit(0)} end as backfills,
          (select min(due_at) from sightings where chain_id = ${chainId} and due_at is not null) as next_due,
          (select min(block_number) from sightings
            where chain_id = ${chainId} and state <> ${sql.lit("WAITING")}) as first_block`
    )

    const advance = (claimedChain: WatchedChain, progress: WatchProgress) =>
      Effect.map(updateClaimed(claimedChain, { progress: progressText.encode(progress) }), (changes) => changes === 1)

    return ActivityStore.of({
      watchChains: (chainIds, now) =>
        Effect.forEach(chainIds, (chainId) => db.transaction(followOne(chainId, millisOf(now))), { discard: true }),
      claim: <C extends ChainId>(chainIds: ReadonlyArray<C>, now: DateTime.Utc, until: DateTime.Utc) =>
        Effect.map(db.first(claimOne(chainIds, millisOf(now), millisOf(until))), Option.map(watchedChain<C>)),
      storeProgress: advance,
      advanceWithoutSync: advance,
      moveClaim: (claimedChain, until, progress) =>
        Effect.map(
          updateClaimed(claimedChain, {
            claimed_until: millisOf(until),
            ...(progress === null ? {} : { progress: progressText.encode(progress) })
          }),
          (changes) => changes === 1
        ),
      readActivity: (chainId) =>
        Effect.map(activity({ chainId }), ([row]) => ({
          hasBackfills: row!.backfills === 1,
          nextDue: instantOrNull(row!.next_due),
          firstBlock: row!.first_block
        })),
      release: (claimedChain, dueAt) =>
        Effect.andThen(
          updateClaimed(claimedChain, { claimed_until: null, due_at: millisOf(dueAt) }),
          db.announce("CHAINS", millisOf(dueAt))
        ),
      listChains: Effect.map(
        db.all(query.selectFrom("watched_chains").select(["chain_id", "version", "progress"]).orderBy("chain_id")),
        (rows) => rows.map((row) => watchedChain(row))
      ),
      listAddresses: (limit) =>
        Effect.map(
          db.all(
            query
              .selectFrom("wallets")
              .select("address")
              .distinct()
              .where("address", ">=", FIRST_ADDRESS)
              .where("address", "<", AFTER_ADDRESSES)
              .orderBy("address")
              .limit(limit)
          ),
          (rows) => rows.map(({ address }) => toAddress(address))
        ),
      findRegistered: (addresses) =>
        Effect.map(
          Effect.forEach(Array.chunksOf([...addresses], VALUES_PER_BATCH), (chunk) =>
            findRegisteredAmong({ text: JSON.stringify(chunk) })
          ),
          (rows) => new Set(rows.flat().map(({ address }) => toAddress(address)))
        ),
      recordDetected: (detectedTransfers, now) =>
        detectedTransfers.length === 0
          ? Effect.void
          : Effect.andThen(
              insertDetected(detectedTransfers, millisOf(now)),
              db.announce("CHAIN_ACTIVITY", millisOf(now))
            ),
      listDue: (chainId, now, limit) =>
        Effect.map(
          db.all(
            query
              .selectFrom("sightings")
              .select([...SIGHTING_COLUMNS])
              .where("chain_id", "=", chainId)
              .where("due_at", "is not", null)
              .where("due_at", "<=", millisOf(now))
              .orderBy("due_at")
              .limit(limit)
          ),
          (rows) => rows.map(storedTransferOf)
        ),
      nextDueAt: (chainId) =>
        Effect.map(
          db.first(
            query
              .selectFrom("sightings")
              .select("due_at")
              .where("chain_id", "=", chainId)
              .where("due_at", "is not", null)
              .orderBy("due_at")
              .limit(1)
          ),
          Option.match({ onNone: () => null, onSome: ({ due_at }) => instantOrNull(due_at) })
        ),
      postpone: (storedTransfer, dueAt) =>
        Effect.asVoid(updateStoredTransfer(storedTransfer, { due_at: millisOf(dueAt) })),
      recordDecision: (storedTransfer, state: DetectedTransferState, detectedTransfer) =>
        Effect.map(
          updateStoredTransfer(storedTransfer, {
            state,
            due_at: null,
            block_number: detectedTransfer.blockNumber,
            block_hash: detectedTransfer.blockHash
          }),
          (changes) => changes === 1
        ),
      remove: ({ detectedTransfer, version }) =>
        Effect.asVoid(
          db.run(query.deleteFrom("sightings").where(({ and }) => and({ ...keyOf(detectedTransfer), version })))
        ),
      listSince: (chainId, blockNumber) =>
        Effect.map(
          db.all(
            query
              .selectFrom("sightings")
              .select([...SIGHTING_COLUMNS])
              .where("chain_id", "=", chainId)
              .where("block_number", ">=", blockNumber)
              .orderBy("block_number")
          ),
          (rows) => rows.map(storedTransferOf)
        ),
      listUntil: (chainId, blockNumber, limit) =>
        Effect.map(
          db.all(
            query
              .selectFrom("sightings")
              .select([...SIGHTING_COLUMNS])
              .where("chain_id", "=", chainId)
              .where("block_number", "<=", blockNumber)
              .where("state", "!=", "WAITING")
              .orderBy("block_number")
              .limit(limit)
          ),
          (rows) => rows.map(storedTransferOf)
        ),
      countUnlisted: (address, count) =>
        Effect.map(
          db.first(
            query
              .insertInto("unlisted_counts")
              .values({ address, transactions: count })
              .onConflict((conflict) =>
                conflict
                  .column("address")
                  .doUpdateSet({ transactions: sql<number>`unlisted_counts.transactions + ${count}` })
              )
              .returning("transactions")
          ),
          (row) => Option.getOrThrow(row).transactions - count
        ),
      // Two queries, started backfills first, because the engines sort nulls differently.
      listBackfills: (chainId, limit) =>
        Effect.flatMap(backfills(chainId, "is not", limit), (startedBackfills) =>
          startedBackfills.length > 0 ? Effect.succeed(startedBackfills) : backfills(chainId, "is", limit)
        ),
      moveBackfills: (chainId, backfills, remaining) => {
        const [first] = backfills
        if (first === undefined) return Effect.void
        const addresses = backfills.map(({ address }) => address)
        // This does not detect a restart during the first step of a backfill, which is harmless: a restart begins with
        // the same blocks, and the transfers in them are recorded later, for all projects.
        const isUnchanged = sql<boolean>`chain_id = ${chainId} and address in (${sql.join(addresses)})
          and next_block is not distinct from ${first.next} and to_block is not distinct from ${first.to}`
        return Effect.asVoid(
          db.run(
            remaining === null
              ? query.deleteFrom("wallet_backfills").where(isUnchanged)
              : query
                  .updateTable("wallet_backfills")
                  .set({ next_block: remaining.next, to_block: remaining.to })
                  .where(isUnchanged)
          )
        )
      },
      listRecorded: (projectId, account, chainId, transactionHash) =>
        Effect.map(
          db.all(
            query
              .selectFrom("transaction_legs as leg")
              .innerJoin("movements as moved", (join) =>
                join
                  .onRef("moved.project_id", "=", "leg.project_id")
                  .onRef("moved.transaction_id", "=", "leg.transaction_id")
                  .onRef("moved.leg", "=", "leg.position")
              )
              .select([
                "moved.transaction_id",
                "moved.direction",
                "moved.role",
                "moved.asset",
                "moved.amount",
                "moved.counterparty"
              ])
              .where(({ and }) =>
                and({
                  "leg.project_id": projectId,
                  "leg.hash": transactionHash,
                  "leg.chain_id": chainId,
                  "moved.account": account
                })
              )
              .where("moved.type", "not in", [...externalTransferTypes])
          ),
          (rows) =>
            rows.map(({ amount, asset, counterparty, direction, role, transaction_id }) => {
              const flow: RecordedFlow = decodeFlow({
                amount,
                asset: { chainId, token: asset },
                counterparty,
                direction,
                role
              })
              return { ...flow, transactionId: transaction_id }
            })
        )
    })
  })
)
