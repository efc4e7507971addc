import type { ChainId } from "@countersign/core/foundation/chains"
import { jsonText, type WalletAddress } from "@countersign/core/foundation/primitives"
import {
  type BalancesAt,
  type ClaimedExecution,
  Execution,
  ExecutionStore,
  type PendingExecution,
  type Reservation,
  type ReservedExecution,
  stageOf,
  WaitsFor
} from "@countersign/core/operations/executions"
import { ProjectId } from "@countersign/core/tenancy/projects"
import { Clock, type DateTime, Effect, Layer, Option, Schema } from "effect"
import { type RawBuilder, sql } from "kysely"
import { recordOf, withArchived } from "./archivedRows.ts"
import { claimExecutions } from "./claimExecutions.ts"
import { endClaim, NO_CLAIM } from "./claims.ts"
import { instantOf, millisOf, millisOrNull } from "./codec.ts"
import { Db } from "./Db.ts"
import { quoteText } from "./KyselyQuoteStore.ts"
import type { Tables } from "./migrations/index.ts"
import { acquireAdvisoryLock } from "./transactions.ts"
import { withoutIndex } from "./withoutIndex.ts"

const executionText = jsonText(Execution)
const waitsForOf = Schema.decodeUnknownSync(WaitsFor)
const { id, projectId, reservation } = Execution.fields
const reservedText = jsonText(Schema.Struct({ id, projectId, reservation }))

/** Stored as the block number of executions that are not included yet. */
const NO_BLOCK = Number.MAX_SAFE_INTEGER
/** Stored as the block number of executions that keep their reservation after they are included. */
const HELD_BLOCK = NO_BLOCK - 1

const reservedUntilBlock = ({ block, isHeld }: Reservation): number =>
  block === null ? (isHeld === true ? HELD_BLOCK : NO_BLOCK) : Number(block)

const reservationColumns = ({
  reservation,
  walletAddress
}: Execution): Pick<
  Tables["executions"],
  "wallet_address" | "chain_id" | "reserved_until" | "unpaid_usd_e6" | "first_use_of"
> => {
  const unpaidGas = reservation?.block === null && reservation.isHeld !== true ? reservation.unpaid : null
  return {
    wallet_address: reservation == null ? null : walletAddress,
    chain_id: reservation?.chainId ?? null,
    reserved_until: reservation == null ? null : reservedUntilBlock(reservation),
    unpaid_usd_e6: unpaidGas === null ? null : Number(unpaidGas.usdE6),
    first_use_of: unpaidGas?.isFirstUse === true ? unpaidGas.owner : null
  }
}

const stageColumns = (execution: Execution): Pick<Tables["executions"], "stage" | "waits_for" | "late_at"> => {
  const { name, wait } = stageOf(execution)
  return { stage: name, waits_for: wait?.waitsFor ?? "CHAIN", late_at: millisOrNull(wait?.lateAt ?? null) }
}

const toExecutionRow = (execution: Execution): Tables["executions"] => ({
  id: execution.id,
  project_id: execution.projectId,
  quote_id: execution.quoteId,
  ...stageColumns(execution),
  record: executionText.encode(execution),
  version: 0,
  accepted_at: millisOf(execution.acceptedAt),
  ...reservationColumns(execution),
  due_at: millisOf(execution.acceptedAt),
  ...NO_CLAIM,
  ended_at: null
})

const executionOf = (record: string | null): Option.Option<Execution> =>
  Option.map(Option.fromNullOr(record), executionText.decode)

/** An execution with its quote. */
type Row<Column extends keyof Tables["executions"]> = Pick<Tables["executions"], Column> & { readonly quote: string }

const claimedFromRow = (row: Row<"record" | "version">): ClaimedExecution => ({
  execution: executionText.decode(row.record),
  quote: quoteText.decode(row.quote),
  version: row.version
})

const followedExecutionOfRow = (row: Row<"record" | "due_at" | "claimed_by" | "claimed_until">): PendingExecution => ({
  execution: executionText.decode(row.record),
  quote: quoteText.decode(row.quote),
  dueAt: instantOf(row.due_at ?? 0),
  claim:
    row.claimed_by === null || row.claimed_until === null
      ? null
      : { worker: row.claimed_by, until: instantOf(row.claimed_until) }
})

const usdE6Where = (condition: RawBuilder<unknown>) =>
  sql<number | bigint>`cast(coalesce(sum(case when ${condition} then unpaid_usd_e6 end), 0) as bigint)`

export const layer = Layer.effect(
  ExecutionStore,
  Effect.gen(function* () {
    const db = yield* Db

    const find = db.prepare((query, { projectId, id }: { projectId: string; id: string }) =>
      query.selectFrom("executions").select("record").where("project_id", "=", projectId).where("id", "=", id)
    )

    /**
     * Finds an archived execution. Reads every partition, which is acceptable because it is only called for an
     * execution that is not stored.
     */
    const findArchived = (projectId: string, id: string) =>
      db.all(
        db.query
          .selectFrom("archived_executions")
          .select("execution as record")
          .where("project_id", "=", projectId)
          .where("id", "=", id)
      )

    const findByQuote = db.prepare((_, { projectId, quoteId }: { projectId: string; quoteId: string }) =>
      withArchived(
        sql`select record from executions where project_id = ${projectId} and quote_id = ${quoteId}`,
        sql`project_id = ${projectId} and lookup_key = ${quoteId}`
      )
    )

    const archivedExecutionQuery = db.prepare((query, { key }: { key: string }) =>
      query.selectFrom("archived_keys").select(["project_id", "execution_id"]).where("lookup_key", "=", key)
    )

    const pendingOf = db.prepare((query, { address }: { address: string }) =>
      query
        .selectFrom("executions as execution")
        .innerJoin("quotes as quote", (join) =>
          join.onRef("quote.project_id", "=", "execution.project_id").onRef("quote.id", "=", "execution.quote_id")
        )
        .select("quote.record")
        .where("execution.due_at", "is not", null)
        .where("quote.wallet_address", "=", address)
    )

    const claim = claimExecutions(db)

    const reservations = db.prepare(
      (query, { address, block, chainId, since }: { address: string; chainId: number; block: number; since: number }) =>
        query
          .selectFrom("executions")
          .select("record")
          .where("wallet_address", "=", address)
          .where("chain_id", "=", chainId)
          .where("reserved_until", ">", block)
          .where((row) => row.or([row("reserved_until", "<", NO_BLOCK), row("accepted_at", ">=", since)]))
    )

    const selectUnpaid = db.prepare(
      (query, { owner, projectId, since }: { owner: string; projectId: string; since: number }) =>
        query
          .selectFrom("executions")
          .select([
            usdE6Where(sql`true`).as("operator"),
            usdE6Where(sql`project_id = ${projectId}`).as("project"),
            sql<number>`cast(count(case when first_use_of = ${owner} then 1 end) as bigint)`.as("first_uses")
          ])
          .where("unpaid_usd_e6", "is not", null)
          .where("accepted_at", ">=", since)
    )

    /**
     * Prevents the use of the index of accepted quotes, because the indexes of pending executions are smaller and
     * sorted.
     */
    const isOfProject = (column: string, projectId: ProjectId) =>
      sql<boolean>`${withoutIndex(db.dialect, sql.ref(column))} = ${projectId}`

    const selectLate = (projectId: ProjectId | null, before: DateTime.Utc, limit: number) => {
      const lateQuery = db.query
        .selectFrom("executions as execution")
        .innerJoin("quotes as quote", (join) =>
          join.onRef("quote.project_id", "=", "execution.project_id").onRef("quote.id", "=", "execution.quote_id")
        )
        .select([
          "execution.record",
          "execution.due_at",
          "execution.claimed_by",
          "execution.claimed_until",
          "quote.record as quote"
        ])
        .where("execution.due_at", "is not", null)
        .where("execution.late_at", "<", millisOf(before))
        .orderBy("execution.late_at")
        .orderBy("execution.id")
        .limit(limit)
      return projectId === null ? lateQuery : lateQuery.where(isOfProject("execution.project_id", projectId))
    }

    const selectPending = (projectId: ProjectId | null, now: DateTime.Utc) => {
      const pending = db.query
        .selectFrom("executions")
        .select(({ fn }) => [
          "stage",
          "waits_for",
          fn.countAll<number>().as("count"),
          sql<number>`cast(count(case when late_at < ${millisOf(now)} then 1 end) as bigint)`.as("late"),
          fn.min("accepted_at").as("oldest"),
          fn.min("due_at").as("due_at")
        ])
        .where("due_at", "is not", null)
        .groupBy(["stage", "waits_for"])
      return projectId === null ? pending : pending.where(isOfProject("project_id", projectId))
    }

    const announce = (dueAt: DateTime.Utc) =>
      Effect.andThen(db.announce("EXECUTIONS", millisOf(dueAt)), db.announce("NEW_EXECUTIONS", millisOf(dueAt)))

    /**
     * Announces the executions that the update has made due. Wakes those that it did not change because a process has
     * claimed them.
     */
    const announceWoken = Effect.fnUntraced(function* (
      update: Effect.Effect<number>,
      dueAt: DateTime.Utc,
      subjects: ReadonlyArray<string>
    ) {
      const changedCount = yield* update
      if (changedCount > 0) yield* announce(dueAt)
      if (changedCount < subjects.length) yield* db.wakeClaimed(subjects)
    })

    const lockWallet = (chainId: ChainId, walletAddress: WalletAddress): Effect.Effect<void> =>
      Effect.asVoid(acquireAdvisoryLock(db, `${chainId} ${walletAddress}`))

    return ExecutionStore.of({
      insert: (execution) =>
        Effect.andThen(
          db.run(db.query.insertInto("executions").values(toExecutionRow(execution))),
          announce(execution.acceptedAt)
        ),
      find: Effect.fnUntraced(function* (projectId, id) {
        const [stored] = yield* find({ projectId, id })
        const [row] = stored === undefined ? yield* findArchived(projectId, id) : [stored]
        return executionOf(row?.record ?? null)
      }),
      lockWallet,
      listPendingQuotes: (address) =>
        Effect.map(pendingOf({ address }), (rows) => rows.map(({ record }) => quoteText.decode(record))),
      findByQuote: (projectId, quoteId) =>
        findByQuote({ projectId, quoteId }).pipe(
          Effect.flatMap((rows) => recordOf(db, "execution", rows)),
          Effect.map(executionOf)
        ),
      findArchived: (operationOrQuote) =>
        Effect.map(archivedExecutionQuery({ key: operationOrQuote }), ([row]) =>
          row === undefined
            ? Option.none()
            : Option.some({ projectId: ProjectId.make(row.project_id), id: row.execution_id })
        ),
      claim: Effect.fnUntraced(function* (request) {
        const rows = yield* claim(request)
        // More executions may be due. Another worker then claims them while this one runs its steps.
        if (rows.length === request.limit)
          yield* db.announce(
            request.acceptedAfter === undefined ? "EXECUTIONS" : "NEW_EXECUTIONS",
            millisOf(request.now)
          )
        return rows.map(claimedFromRow)
      }),
      reschedule: (projectId, id, worker, dueAt) =>
        Effect.asVoid(endClaim(db, "executions", { projectId, id, worker }, { due_at: millisOf(dueAt) })),
      lock: (projectId, id) =>
        // SQLite runs units of work one after another.
        db.dialect === "postgres"
          ? Effect.asVoid(
              db.first(
                db.query
                  .selectFrom("executions")
                  .select("id")
                  .where(({ and }) => and({ project_id: projectId, id }))
                  .forUpdate()
              )
            )
          : Effect.void,
      wakeQuote: (projectId, quoteId, now) =>
        announceWoken(
          db.run(
            db.query
              .updateTable("executions")
              .set({ due_at: millisOf(now) })
              .where("due_at", ">", millisOf(now))
              .where("claimed_by", "is", null)
              .where(({ and }) => and({ project_id: projectId, quote_id: quoteId }))
          ),
          now,
          [quoteId]
        ),
      wake: (operations, now) =>
        announceWoken(
          db.run(
            db.query
              .updateTable("executions")
              .set({ due_at: millisOf(now) })
              .where("due_at", ">", millisOf(now))
              .where("claimed_by", "is", null)
              .where(({ exists, selectFrom }) =>
                exists(
                  selectFrom("quote_operations as operation")
                    .select("operation.hash")
                    .whereRef("operation.project_id", "=", "executions.project_id")
                    .whereRef("operation.quote_id", "=", "executions.quote_id")
                    .where("operation.hash", "in", operations)
                )
              )
          ),
          now,
          operations
        ),
      onWake: (listener) =>
        Effect.acquireRelease(
          Effect.sync(() => void db.wakeListeners.add(listener)),
          () => Effect.sync(() => db.wakeListeners.delete(listener))
        ),
      update: Effect.fnUntraced(function* (execution, version, dueAt) {
        const endedAt = dueAt === null ? yield* Clock.currentTimeMillis : null
        const changes = yield* db.run(
          db.query
            .updateTable("executions")
            .set({
              ...stageColumns(execution),
              record: executionText.encode(execution),
              ...reservationColumns(execution),
              version: version + 1,
              due_at: millisOrNull(dueAt),
              ...NO_CLAIM,
              ended_at: endedAt
            })
            .where("project_id", "=", execution.projectId)
            .where("id", "=", execution.id)
            .where("version", "=", version)
            .where("due_at", "is not", null)
        )
        if (changes > 0 && dueAt !== null) yield* announce(dueAt)
        return changes > 0
      }),
      listReserved: Effect.fnUntraced(function* (balances: BalancesAt) {
        const { acceptedSince, blockNumber, chainId, walletAddress } = balances
        yield* lockWallet(chainId, walletAddress)
        const rows = yield* reservations({
          address: walletAddress,
          chainId,
          block: Number(blockNumber),
          since: millisOf(acceptedSince)
        })
        return rows.flatMap(({ record }): ReadonlyArray<ReservedExecution> => {
          const { reservation: reserved, ...execution } = reservedText.decode(record)
          return reserved == null ? [] : [{ ...execution, reservation: reserved }]
        })
      }),
      readPendingGas: Effect.fnUntraced(function* ({ acceptedSince, owner, projectId }) {
        // Locked after the wallet and always in this order, so that two units of work can't deadlock.
        yield* acquireAdvisoryLock(db, "unpaid gas")
        const [sums] = yield* selectUnpaid({ owner, projectId, since: millisOf(acceptedSince) })
        return {
          projectUsdE6: BigInt(sums?.project ?? 0),
          operatorUsdE6: BigInt(sums?.operator ?? 0),
          hasFirstUse: (sums?.first_uses ?? 0) > 0
        }
      }),
      countPending: (projectId, now) =>
        Effect.map(db.all(selectPending(projectId, now)), (rows) =>
          rows.map((row) => ({
            stage: row.stage,
            waitsFor: waitsForOf(row.waits_for),
            count: row.count,
            lateCount: row.late,
            oldestAcceptedAt: instantOf(row.oldest),
            dueAt: instantOf(row.due_at ?? 0)
          }))
        ),
      listLate: (projectId, before, limit) =>
        Effect.map(db.all(selectLate(projectId, before, limit)), (rows) => rows.map(followedExecutionOfRow))
    })
  })
)
