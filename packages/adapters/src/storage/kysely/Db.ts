import { type ProcessSignals, processSignals, type WorkKind } from "@countersign/core/foundation/work"
import type { WakeListener } from "@countersign/core/operations/executions"
import { Context, Effect, Layer, Option, Predicate, Queue, type Scope, Semaphore } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import type { CompiledQuery, Kysely } from "kysely"
import { measureWait } from "../../outbound/waits/index.ts"
import { compileOnce } from "./compileOnce.ts"
import { builderFor, type Dialect } from "./dialect.ts"
import type { Tables } from "./migrations/index.ts"
import { type ReadQuery, replicaReads } from "./readReplica.ts"

/** A query from Kysely's builders or its `sql` template tag. */
export interface Query<O> {
  compile(builder: Kysely<Tables>): CompiledQuery<O>
}

export type Prepare = <P extends Record<string, unknown>, O>(
  build: (query: Kysely<Tables>, parameters: P) => Query<O>
) => (parameters: P) => Effect.Effect<ReadonlyArray<O>>

/** Calls back with each notification from other connections, until the connection is lost. */
export type Listen = (
  channel: string,
  onListening: Effect.Effect<void>,
  onNotification: (payload: string) => Effect.Effect<void>
) => Effect.Effect<never, SqlError.SqlError, Scope.Scope>

/** Work that no worker of this process waits for, and the Unix milliseconds at which it is due. */
export type UnattendedWork = readonly [kind: WorkKind, dueAtMs: number]

/** A message for other processes: unattended work, or the quote or operation whose claimed execution must wake. */
export type Announcement = UnattendedWork | string

/**
 * Maximum number of queued announcements. Older ones are dropped, because other processes also find the work in the
 * database.
 */
const ANNOUNCEMENTS_MAX = 1_000

/** How far ahead workers read the due work, in milliseconds. */
export const LOOK_AHEAD_MS = 5_000

/**
 * Kysely builds, types and compiles a query. The effect/sql client runs it in the fiber's transaction. A failing query
 * is a defect. To detect a duplicate, use ON CONFLICT DO NOTHING and the number of changed rows, because an error would
 * abort a Postgres transaction.
 */
export class Db extends Context.Service<
  Db,
  {
    readonly dialect: Dialect
    /** Builds queries without running them. */
    readonly query: Kysely<Tables>
    readonly all: <O>(query: Query<O>) => Effect.Effect<ReadonlyArray<O>>
    /**
     * Returns the rows of a query that a read replica may run. They include everything that was committed before. If
     * there is no replica, and in a transaction, this is the same as `all`.
     */
    readonly read: <O>(query: Query<O>) => Effect.Effect<ReadonlyArray<O>>
    readonly first: <O>(query: Query<O>) => Effect.Effect<Option.Option<O>>
    /** Runs a query and returns the number of changed rows. */
    readonly run: (query: Query<unknown>) => Effect.Effect<number>
    /**
     * Builds and compiles the query once, so that each run only binds values. For queries whose text never varies. They
     * must list their columns, because Postgres rejects a prepared `select *` after a migration has added a column.
     */
    readonly prepare: Prepare
    /** Like `prepare`, for queries that a read replica may run. */
    readonly prepareRead: Prepare
    /**
     * Runs an effect in a transaction: a failure, a defect or an interruption rolls back. A nested transaction is a
     * savepoint. While it is open, queries of the outer transaction's other fibers wait, so that they are not rolled
     * back with it. A failure of BEGIN or COMMIT is a defect. It is also a defect if a fiber queries after its
     * transaction has ended.
     */
    readonly transaction: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
    /**
     * Wakes workers for work that is due at `dueAtMs` (Unix milliseconds), once the fiber's transaction is committed.
     */
    readonly announce: (kind: WorkKind, dueAtMs: number) => Effect.Effect<void>
    readonly work: ProcessSignals
    /**
     * Wakes executions that other processes have claimed, by their quotes or operations, once the fiber's transaction
     * is committed.
     */
    readonly wakeClaimed: (subjects: ReadonlyArray<string>) => Effect.Effect<void>
    /** Called when this process wakes executions, and when it receives a wake from another process. */
    readonly wakeListeners: Set<WakeListener>
    /** Announcements to send to other processes. */
    readonly outgoingAnnouncements: Queue.Queue<Announcement>
    /** Null if the connection can't receive notifications. */
    readonly listen: Listen | null
  }
>()("@countersign/adapters/kysely/Db") {}

/**
 * One level of nested transactions. It prevents a forked fiber from writing on a connection that others already use.
 */
interface Level {
  isOpen: boolean
  readonly queryLock: Semaphore.Semaphore
  /** Announcements to make after the outermost transaction commits. */
  readonly afterCommit: Array<Effect.Effect<void>>
}

const CurrentLevel = Context.Reference<Level | undefined>("@countersign/adapters/kysely/Db/CurrentLevel", {
  defaultValue: () => undefined
})

/** Distinguishes a failure of the effect from a failure of BEGIN or COMMIT. */
class Failure<E> {
  readonly error: E
  constructor(error: E) {
    this.error = error
  }
}

/** Returns the number of changed rows. better-sqlite3 returns it as `changes`, `@effect/sql-pg` as `rowCount`. */
const changedRows = (result: unknown): number => {
  if (Predicate.hasProperty(result, "changes") && typeof result.changes === "number") return result.changes
  return Predicate.hasProperty(result, "rowCount") && typeof result.rowCount === "number" ? result.rowCount : 0
}

/**
 * Runs an announcement after the fiber's outermost transaction is committed. A rollback of that transaction discards
 * it.
 */
const afterCommit = (announcement: Effect.Effect<void>): Effect.Effect<void> =>
  Effect.withFiber((fiber) => {
    const level = fiber.getRef(CurrentLevel)
    if (level === undefined) return announcement
    level.afterCommit.push(announcement)
    return Effect.void
  })

/** Runs the queries of one level one after another. A query of a level that has ended is a defect. */
const runOneByOne = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.withFiber((fiber) => {
    const level = fiber.getRef(CurrentLevel)
    if (level === undefined) return measureWait("database", effect)
    const effectUnlessEnded = Effect.suspend(() =>
      level.isOpen ? effect : Effect.die(new Error("A fiber outlived its transaction and tried to query on it."))
    )
    return measureWait("database", Semaphore.withPermit(level.queryLock, effectUnlessEnded))
  })

export interface DbOptions {
  readonly listen: Listen | null
  readonly replica: Effect.Effect<SqlClient.SqlClient, never, Scope.Scope> | null
}

export const layerDb = (
  dialect: Dialect,
  { listen, replica }: DbOptions = { listen: null, replica: null }
): Layer.Layer<Db, never, SqlClient.SqlClient> =>
  Layer.effect(
    Db,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const query = builderFor(dialect)
      const outgoingAnnouncements = yield* Queue.sliding<Announcement>(ANNOUNCEMENTS_MAX)
      const work = processSignals({
        lookAheadMs: LOOK_AHEAD_MS,
        onUnattended: (kind, dueAtMs) => void Queue.offerUnsafe(outgoingAnnouncements, [kind, dueAtMs])
      })
      const wakeListeners = new Set<WakeListener>()

      const runOnPrimary = <A>(run: ReadQuery<A>) => Effect.orDie(runOneByOne(run(sql)))

      const readFromReplica = replica === null ? null : replicaReads(sql, yield* replica)
      const runOnReplica =
        readFromReplica === null
          ? runOnPrimary
          : <A>(run: ReadQuery<A>) =>
              Effect.withFiber<A>((fiber) =>
                fiber.getRef(CurrentLevel) === undefined
                  ? Effect.orDie(measureWait("database", readFromReplica(run)))
                  : runOnPrimary(run)
              )

      const rowsWith =
        (run: typeof runOnPrimary) =>
        <O>(compilable: Query<O>) =>
          Effect.suspend(() => {
            const { sql: text, parameters } = compilable.compile(query)
            return run((client) => {
              const statement = client.unsafe<O & object>(text, parameters)
              // A SQLite connection prepares every statement, a Postgres connection only those of `prepare`.
              return dialect === "sqlite" ? statement : statement.unprepared
            })
          })
      const all = rowsWith(runOnPrimary)

      const prepareFor =
        (run: typeof runOnPrimary): Prepare =>
        <P extends Record<string, unknown>, O>(build: (query: Kysely<Tables>, parameters: P) => Query<O>) => {
          const { bind, text } = compileOnce<P>(dialect, (parameters) => build(query, parameters).compile(query))
          return (parameters: P) => run((client) => client.unsafe<O & object>(text, bind(parameters)))
        }

      return Db.of({
        dialect,
        query,
        all,
        read: rowsWith(runOnReplica),
        first: (compilable) => Effect.map(all(compilable), (rows) => Option.fromUndefinedOr(rows[0])),
        run: (compilable) =>
          Effect.suspend(() => {
            const { sql: text, parameters } = compilable.compile(query)
            return Effect.orDie(Effect.map(runOneByOne(sql.unsafe(text, parameters).raw), changedRows))
          }),
        prepare: prepareFor(runOnPrimary),
        prepareRead: prepareFor(runOnReplica),
        work,
        wakeListeners,
        outgoingAnnouncements,
        listen,
        announce: (kind, dueAtMs) => afterCommit(work.signals.announce(kind, dueAtMs)),
        wakeClaimed: (subjects) =>
          afterCommit(
            Effect.sync(() => {
              for (const listener of wakeListeners) listener(subjects)
              for (const subject of subjects) Queue.offerUnsafe(outgoingAnnouncements, subject)
            })
          ),
        transaction: <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
          Effect.withFiber((fiber) => {
            const outerLevel = fiber.getRef(CurrentLevel)
            const announcements = outerLevel?.afterCommit ?? []
            const level: Level = { isOpen: true, queryLock: Semaphore.makeUnsafe(1), afterCommit: announcements }
            const announceAll = Effect.suspend(() => Effect.all(announcements, { discard: true }))
            return effect.pipe(
              Effect.mapError((error) => new Failure(error)),
              Effect.ensuring(
                Effect.sync(() => {
                  level.isOpen = false
                })
              ),
              Effect.provideService(CurrentLevel, level),
              sql.withTransaction,
              runOneByOne,
              Effect.tap(() => (outerLevel === undefined ? announceAll : Effect.void)),
              Effect.catch((error) => (error instanceof Failure ? Effect.fail(error.error) : Effect.die(error)))
            )
          })
      })
    })
  )
