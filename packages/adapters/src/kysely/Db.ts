import { Context, Effect, Layer, Option, Predicate, Semaphore } from "effect"
import { SqlClient } from "effect/sql"
import type { CompiledQuery, Kysely } from "kysely"
import { compileOnce } from "./compileOnce.ts"
import { builderFor, type Dialect } from "./dialect.ts"
import type { Tables } from "./tables.ts"

/** What Kysely's builders make, and its `sql` template. */
export interface Query<O> {
  compile(builder: Kysely<Tables>): CompiledQuery<O>
}

/**
 * Kysely builds, types and compiles a query; the effect/sql client runs it, on the transaction of the fiber.
 * A query that fails is a defect. What a caller can act on is asked for in the query: ON CONFLICT DO NOTHING and the
 * number of changes tell a duplicate, and don't abort a Postgres transaction as a caught error would.
 */
export class Db extends Context.Service<
  Db,
  {
    readonly dialect: Dialect
    /** Where queries are built. It never runs one. */
    readonly query: Kysely<Tables>
    readonly all: <O>(query: Query<O>) => Effect.Effect<ReadonlyArray<O>>
    readonly first: <O>(query: Query<O>) => Effect.Effect<Option.Option<O>>
    /** The number of rows that were changed. */
    readonly run: (query: Query<unknown>) => Effect.Effect<number>
    /**
     * Builds and compiles once; every run only binds. For queries whose text never varies. They name their columns:
     * Postgres refuses to run a kept plan of `select *` once a migration has added one.
     */
    readonly prepare: <P extends Record<string, unknown>, O>(
      build: (query: Kysely<Tables>, parameters: P) => Query<O>
    ) => (parameters: P) => Effect.Effect<ReadonlyArray<O>>
    /**
     * All that the effect stores, or nothing: a failure, a defect and an interruption roll back. An inner one is a
     * savepoint of the outer; while it is open, queries of other fibers of the outer one wait, lest they be rolled
     * back with it. Failing to begin or commit is a defect, and so is a query of a fiber that outlived its transaction.
     */
    readonly transaction: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  }
>()("@countersign/adapters/kysely/Db") {}

/** One level of nesting. Without it, a forked fiber would write on a connection that serves others by now. */
interface Level {
  open: boolean
  readonly turn: Semaphore.Semaphore
}

const CurrentLevel = Context.Reference<Level | undefined>("@countersign/adapters/kysely/Db/CurrentLevel", {
  defaultValue: () => undefined
})

/** Sets a failure of the effect apart from one of BEGIN or COMMIT. */
class Failure<E> {
  readonly error: E
  constructor(error: E) {
    this.error = error
  }
}

/** better-sqlite3 says `changes`, `@effect/sql-pg` says `rowCount`. */
const changesOf = (result: unknown): number => {
  if (Predicate.hasProperty(result, "changes") && typeof result.changes === "number") return result.changes
  return Predicate.hasProperty(result, "rowCount") && typeof result.rowCount === "number" ? result.rowCount : 0
}

/** Runs on the level's connection, one at a time; a level that has ended is a defect. */
const inTurn = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.withFiber((fiber) => {
    const level = fiber.getRef(CurrentLevel)
    if (level === undefined) return effect
    const unlessEnded = Effect.suspend(() =>
      level.open ? effect : Effect.die(new Error("A fiber outlived its transaction and tried to query on it."))
    )
    return Semaphore.withPermit(level.turn, unlessEnded)
  })

export const layerDb = (dialect: Dialect): Layer.Layer<Db, never, SqlClient.SqlClient> =>
  Layer.effect(
    Db,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const query = builderFor(dialect)

      const all = <O>(compilable: Query<O>) =>
        Effect.suspend(() => {
          const { sql: text, parameters } = compilable.compile(query)
          const statement = sql.unsafe<O & object>(text, parameters)
          // SQLite's connection keeps every statement; one of Postgres keeps those that `prepare` made.
          return Effect.orDie(inTurn(dialect === "sqlite" ? statement : statement.unprepared))
        })

      return Db.of({
        dialect,
        query,
        all,
        first: (compilable) => Effect.map(all(compilable), (rows) => Option.fromUndefinedOr(rows[0])),
        run: (compilable) =>
          Effect.suspend(() => {
            const { sql: text, parameters } = compilable.compile(query)
            return Effect.orDie(Effect.map(inTurn(sql.unsafe(text, parameters).raw), changesOf))
          }),
        prepare: <P extends Record<string, unknown>, O>(build: (query: Kysely<Tables>, parameters: P) => Query<O>) => {
          const { bind, text } = compileOnce<P>(dialect, (parameters) => build(query, parameters).compile(query))
          return (parameters: P) => Effect.orDie(inTurn(sql.unsafe<O & object>(text, bind(parameters))))
        },
        transaction: <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
          Effect.suspend(() => {
            const level: Level = { open: true, turn: Semaphore.makeUnsafe(1) }
            return effect.pipe(
              Effect.mapError((error) => new Failure(error)),
              Effect.ensuring(
                Effect.sync(() => {
                  level.open = false
                })
              ),
              Effect.provideService(CurrentLevel, level),
              sql.withTransaction,
              inTurn,
              Effect.catch((error) => (error instanceof Failure ? Effect.fail(error.error) : Effect.die(error)))
            )
          })
      })
    })
  )
