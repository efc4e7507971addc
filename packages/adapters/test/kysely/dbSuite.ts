import { aKey, aProject } from "@countersign/core/contracts/tenancy/projects/ProjectStore"
import { aWallet } from "@countersign/core/contracts/wallets/registry/WalletStore"
import { UnitOfWork } from "@countersign/core/foundation/primitives"
import { ProjectStore } from "@countersign/core/tenancy/projects"
import { WalletStore } from "@countersign/core/wallets/registry"
import { assert, layer } from "@effect/vitest"
import { Cause, Deferred, Effect, Exit, Fiber, type Layer, Option } from "effect"
import { SqlClient, SqlError } from "effect/sql"
import { type Database, Db } from "../../src/storage/kysely/index.ts"

/** Returns the SQL error of a query that failed with a defect. */
const defectOf = <A, E>(exit: Exit.Exit<A, E>): unknown => (Exit.isFailure(exit) ? Cause.squash(exit.cause) : undefined)

/** Checks the guarantees of `Db` on every engine. */
export const dbSuite = <E>(name: string, database: Layer.Layer<Database, E>): void => {
  layer(database)(`Db on ${name}`, (it) => {
    it.effect("returns the same types on every engine", () =>
      Effect.gen(function* () {
        const db = yield* Db
        const project = aProject({ computeUnits: Number.MAX_SAFE_INTEGER, treasury: null })
        yield* ProjectStore.use((store) => store.insert(project))
        const row = yield* db.first(db.query.selectFrom("projects").selectAll().where("id", "=", project.id))
        assert.deepStrictEqual(
          row,
          Option.some({
            id: project.id,
            organization_id: project.organizationId,
            name: project.name,
            treasury: null,
            bitcoin_treasury: null,
            compute_units: Number.MAX_SAFE_INTEGER,
            created_at: project.createdAt.epochMilliseconds,
            deleted_at: null
          })
        )
      })
    )

    it.effect("fails with the type of error and the statement, without its values", () =>
      Effect.gen(function* () {
        const store = yield* ProjectStore
        const project = aProject()
        const key = aKey({ projectId: project.id, name: "a private name" })
        yield* store.insert(project)
        yield* store.insertKey(key)
        const defect = defectOf(yield* Effect.exit(store.insertKey(key)))
        assert.isTrue(SqlError.isSqlError(defect) && defect.reason._tag === "UniqueViolation")
        assert.include(String(defect), 'insert into "api_keys"')
        assert.notInclude(String(defect), "a private name")
      })
    )

    it.effect("continues a transaction after a duplicate that the number of changed rows has shown", () =>
      Effect.gen(function* () {
        const unitOfWork = yield* UnitOfWork
        const store = yield* WalletStore
        const [first, second] = [aWallet(), aWallet()]
        yield* store.insert(first)
        yield* unitOfWork.run(Effect.andThen(Effect.ignore(store.insert(first)), store.insert(second)))
        assert.deepStrictEqual(yield* store.list({ projectId: second.projectId, after: null, take: 9 }), [second])
      })
    )

    it.effect("rejects a query of a fiber that outlived its transaction", () =>
      Effect.gen(function* () {
        const db = yield* Db
        const store = yield* ProjectStore
        const endSignal = yield* Deferred.make<void>()
        const project = aProject()
        const lateFiber = yield* db.transaction(
          Effect.forkDetach(Effect.andThen(Deferred.await(endSignal), store.insert(project)))
        )
        yield* Deferred.succeed(endSignal, undefined)
        const defect = defectOf(yield* Fiber.await(lateFiber))
        assert.include(String(defect), "outlived its transaction")
        assert.deepStrictEqual(yield* store.find(project.id), Option.none())
      })
    )

    it.effect("shares its transaction with other users of the client", () =>
      Effect.gen(function* () {
        const db = yield* Db
        const sql = yield* SqlClient.SqlClient
        const project = aProject()
        const unfinishedTransaction = db.transaction(
          Effect.andThen(
            sql`insert into projects ${sql.insert({
              id: project.id,
              organization_id: "",
              name: "",
              created_at: 0,
              deleted_at: null
            })}`,
            Effect.fail("refused" as const)
          )
        )
        yield* Effect.flip(unfinishedTransaction)
        assert.deepStrictEqual(yield* ProjectStore.use((store) => store.find(project.id)), Option.none())
      })
    )

    it.effect("runs a prepared query with other values each time", () =>
      Effect.gen(function* () {
        const db = yield* Db
        const projects = [aProject(), aProject()]
        yield* ProjectStore.use((store) => Effect.forEach(projects, store.insert))
        const find = db.prepare((query, { id, limit }: { id: string; limit: number }) =>
          query.selectFrom("projects").select("id").where("id", "=", id).limit(limit)
        )
        for (const { id } of projects) {
          assert.deepStrictEqual(yield* find({ id, limit: 1 }), [{ id }])
          assert.deepStrictEqual(yield* find({ id, limit: 0 }), [])
        }
      })
    )

    // A database in memory has only one connection, so a second reader is impossible.
    if (name === "SQLite in memory") return

    it.effect("hides the changes of a transaction until it commits", () =>
      Effect.gen(function* () {
        const db = yield* Db
        const store = yield* ProjectStore
        const project = aProject()
        const [writeSignal, proceedSignal] = yield* Effect.all([Deferred.make<void>(), Deferred.make<void>()])
        const writer = yield* Effect.forkChild(
          db.transaction(
            Effect.gen(function* () {
              yield* store.insert(project)
              yield* Deferred.succeed(writeSignal, undefined)
              yield* Deferred.await(proceedSignal)
            })
          )
        )
        yield* Deferred.await(writeSignal)
        assert.deepStrictEqual(yield* store.find(project.id), Option.none())
        yield* Deferred.succeed(proceedSignal, undefined)
        yield* Fiber.join(writer)
        assert.deepStrictEqual(yield* store.find(project.id), Option.some(project))
      })
    )
  })
}
