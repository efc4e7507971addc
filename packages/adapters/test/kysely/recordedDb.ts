import { Effect, Layer } from "effect"
import type { CompiledQuery } from "kysely"
import { compileOnce } from "../../src/storage/kysely/compileOnce.ts"
import { Db, type Query } from "../../src/storage/kysely/Db.ts"

export type RecordedQuery = Pick<CompiledQuery, "sql" | "parameters">

/** Provides a `Db` that records the queries that it runs. */
export const recordedDb = (record: (query: RecordedQuery) => void): Layer.Layer<Db, never, Db> =>
  Layer.effect(
    Db,
    Effect.map(Db, (db) => {
      const recordQuery = <O>(query: Query<O>): Query<O> => {
        record(query.compile(db.query))
        return query
      }
      const prepare: Db["Service"]["prepare"] = (build) => {
        const run = db.prepare(build)
        const { text, bind } = compileOnce(db.dialect, (parameters: Parameters<typeof run>[0]) =>
          build(db.query, parameters).compile(db.query)
        )
        return (parameters) => {
          record({ sql: text, parameters: bind(parameters) })
          return run(parameters)
        }
      }
      return Db.of({
        ...db,
        all: (query) => db.all(recordQuery(query)),
        first: (query) => db.first(recordQuery(query)),
        run: (query) => db.run(recordQuery(query)),
        prepare
      })
    })
  )
