import { type HistoryFilter, HistoryStore, Transaction } from "@countersign/core/history"
import { jsonText } from "@countersign/core/primitives"
import { assert, describe, it } from "@effect/vitest"
import { DateTime, Effect, type Scope } from "effect"
import type { SqlError } from "effect/sql"
import { sql } from "kysely"
import { aMovement, aTransaction, recordedIn } from "../../../core/src/history/Transaction.fixture.ts"
import { anAddress, at } from "../../../core/src/primitives/ids.fixture.ts"
import { DatabaseIsNewer, Db, migrate, migrationStatus } from "../../src/kysely/index.ts"
import { layer as historyStore } from "../../src/kysely/KyselyHistoryStore.ts"
import { metadataEntry } from "../../src/kysely/metadataEntry.ts"
import { type Migration, migrations, type Tables } from "../../src/kysely/migrations/index.ts"

const names = migrations.map(({ name }) => name)

/** A new, empty database, and how to connect to it. Each effect is given a connection of its own, as a process is. */
export type EmptyDatabase = Effect.Effect<
  <A, E>(effect: Effect.Effect<A, E, Db>) => Effect.Effect<A, E | SqlError.SqlError>,
  never,
  Scope.Scope
>

/** A migration of two steps of which the second fails. */
const broken: Migration = {
  name: "9999_broken",
  statements: () => ["create table half (id integer)", "create table half (id integer)"]
}

/** What `migrate` promises on every engine. */
export const migrateSuite = (name: string, database: EmptyDatabase): void => {
  describe(`migrate on ${name}`, () => {
    it.effect("brings an empty database up to date, once", () =>
      Effect.gen(function* () {
        const connected = yield* database
        const before = yield* connected(migrationStatus)
        assert.deepStrictEqual(
          before,
          names.map((name) => ({ name, appliedAt: null }))
        )
        assert.deepStrictEqual(yield* connected(migrate()), names)
        assert.deepStrictEqual(yield* connected(migrate()), [])
        const after = yield* connected(migrationStatus)
        assert.isTrue(after.length > 0 && after.every(({ appliedAt }) => appliedAt !== null))
      })
    )

    it.effect("knows of whoever was verified before how that was: by an operator, by documents, as a business", () =>
      Effect.gen(function* () {
        const connected = yield* database
        yield* connected(migrate(migrations.filter((migration) => migration.name < "0016")))
        const session = (identity: string, kind: string, status: string) =>
          sql`insert into verification_sessions values (${`s ${identity} ${status}`}, 'p', ${kind}, ${identity}, ${status}, 'BRAZIL', '[]', '[]', null, '{}', 1, 1, 1, '', 0)`
        const people = ["ana", "ind_1", "ind_2", "biz_1", "own_1", "ownable"]
        yield* connected(
          Effect.gen(function* () {
            const db = yield* Db
            for (const id of people) yield* db.run(sql`insert into verified_individuals values ('p', ${id}, 1)`)
            yield* db.run(session("ind_1", "individual", "COMPLETED"))
            yield* db.run(session("ind_1", "individual", "FAILED"))
            yield* db.run(session("ind_2", "individual", "FAILED"))
            yield* db.run(session("biz_1", "business", "COMPLETED"))
          })
        )
        yield* connected(migrate())
        const levels = yield* connected(
          Effect.flatMap(Db, (db) => db.all(db.query.selectFrom("verified_individuals").select(["id", "level"])))
        )
        assert.deepStrictEqual(Object.fromEntries(levels.map(({ id, level }) => [id, level])), {
          ana: "BASIC",
          ind_1: "DOCUMENTS",
          ind_2: "BASIC",
          biz_1: "BUSINESS",
          own_1: "DOCUMENTS",
          ownable: "BASIC"
        })
      })
    )

    it.effect("leaves a provider's customer with one individual of one project", () =>
      Effect.gen(function* () {
        const connected = yield* database
        yield* connected(migrate(migrations.filter((migration) => migration.name < "0030")))
        const links = [
          ["p1", "ana", "bridge", "cust_1"],
          ["p2", "ana", "bridge", "cust_1"],
          ["p3", "bea", "bridge", "cust_1"],
          ["p2", "ana", "blindpay", "cust_1"],
          ["p2", "bea", "bridge", "cust_2"]
        ] as const
        yield* connected(
          Effect.flatMap(Db, (db) =>
            Effect.forEach(links, ([project, individual, provider, customer]) =>
              db.run(sql`insert into provider_customers values (${project}, ${individual}, ${provider}, ${customer})`)
            )
          )
        )
        yield* connected(migrate())
        const left = yield* connected(
          Effect.flatMap(Db, (db) =>
            db.all(db.query.selectFrom("provider_customers").selectAll().orderBy("project_id").orderBy("customer"))
          )
        )
        assert.deepStrictEqual(
          left.map((link) => [link.project_id, link.individual_id, link.provider, link.customer]).toSorted(),
          [links[0], links[3], links[4]].map((link) => [...link]).toSorted()
        )
      })
    )

    it.effect("carries the movements of stored transactions over into rows", () =>
      Effect.gen(function* () {
        const connected = yield* database
        const first = migrations.filter((migration) => migration.name < "0002")
        const account = anAddress()
        const transaction = aTransaction({
          executedAt: DateTime.add(at(0), { milliseconds: 1_123 }),
          movements: [
            aMovement({ account, amount: 2n ** 256n - 1n, usd: "12.5", counterparty: `a "name"` }),
            aMovement({ account, direction: "IN", asset: { currency: "EUR" }, leg: null })
          ],
          failure: { code: "REVERTED", message: "\\\u0000\u0000\\u0000 \ud83d \\ud83d" }
        })
        const { projectId } = transaction
        const updated = aTransaction({ projectId, movements: [aMovement({ account })] })
        const stored = ({ id, walletAddress, ...record }: Transaction) => ({
          project_id: projectId,
          id,
          wallet_address: walletAddress,
          type: record.type,
          status: record.status,
          chain_id_in: null,
          chain_id_out: null,
          user_operation_hash: null,
          subject: null,
          created_at: 0,
          record: jsonText(Transaction).encode({ id, walletAddress, ...record })
        })
        yield* connected(
          Effect.gen(function* () {
            const db = yield* Db
            yield* migrate(first)
            // As rows were before a later migration gave them more columns.
            const rows = [stored(transaction), stored(updated)] as unknown as ReadonlyArray<Tables["transactions"]>
            yield* db.run(db.query.insertInto("transactions").values(rows))
          })
        )
        const carried = yield* connected(
          Effect.andThen(
            migrate(),
            HistoryStore.use((store) => store.movements({ projectId, account, after: null, take: 10 })).pipe(
              Effect.provide(historyStore)
            )
          )
        )
        // Rows of this version have another creation time than their records.
        const createdAt = DateTime.makeUnsafe(0)
        const expected = [...recordedIn(updated), ...recordedIn(transaction)].map((each) => ({ ...each, createdAt }))
        assert.deepStrictEqual(carried, expected)
      })
    )

    it.effect("lists stored transactions by kind and metadata as before", () =>
      Effect.gen(function* () {
        const connected = yield* database
        const one = aTransaction({ type: "TRANSFER", chainIdIn: 137, chainIdOut: 0, metadata: { customer: `"7"` } })
        const { projectId, walletAddress } = one
        const other = aTransaction({ projectId, walletAddress, createdAt: at(5), chainIdIn: null, chainIdOut: null })
        const stored = (transaction: Transaction) => ({
          project_id: projectId,
          id: transaction.id,
          wallet_address: walletAddress,
          type: transaction.type,
          status: transaction.status,
          chain_id_in: transaction.chainIdIn,
          chain_id_out: transaction.chainIdOut,
          user_operation_hash: null,
          subject: null,
          created_at: DateTime.toEpochMillis(transaction.createdAt),
          record: jsonText(Transaction).encode(transaction)
        })
        yield* connected(
          Effect.gen(function* () {
            const db = yield* Db
            yield* migrate(migrations.filter((migration) => migration.name < "0003"))
            const rows = [one, other].map(stored) as unknown as ReadonlyArray<Tables["transactions"]>
            yield* db.run(db.query.insertInto("transactions").values(rows))
            const entry = metadataEntry("customer", `"7"`)
            yield* db.run(sql`insert into transaction_metadata values (${projectId}, ${one.id}, ${entry})`)
          })
        )
        const filters: ReadonlyArray<HistoryFilter> = [
          { types: ["TRANSFER"] },
          { chains: [0] },
          { statuses: [other.status] },
          { metadata: { key: "customer", value: `"7"` } }
        ]
        const listed = (filter: HistoryFilter) =>
          HistoryStore.use((store) => store.list({ projectId, walletAddress, filter, after: null, take: 10 }))
        const lists = yield* connected(
          Effect.andThen(migrate(), Effect.forEach(filters, listed).pipe(Effect.provide(historyStore)))
        )
        assert.deepStrictEqual(lists, [[one], [one], [other, one], [one]])
      })
    )

    it.live("lets one of four that start at once do the work", () =>
      Effect.gen(function* () {
        const connected = yield* database
        const done = yield* Effect.all(
          Array.from({ length: 4 }, () => connected(migrate())),
          { concurrency: 4 }
        )
        assert.deepStrictEqual(done.flat(), names)
      })
    )

    it.effect("leaves nothing behind of migrations of which one fails", () =>
      Effect.gen(function* () {
        const connected = yield* database
        const exit = yield* Effect.exit(connected(migrate([...migrations, broken])))
        assert.strictEqual(exit._tag, "Failure")
        const tables = yield* connected(
          Effect.flatMap(Db, (db) =>
            db.all(
              db.dialect === "sqlite"
                ? sql`select name from sqlite_master`
                : sql`select tablename from pg_tables where schemaname = 'public'`
            )
          )
        )
        assert.deepStrictEqual(tables, [])
      })
    )

    it.effect("refuses a database that a later version migrated", () =>
      Effect.gen(function* () {
        const connected = yield* database
        const later: Migration = { name: "9998_later", statements: () => [] }
        yield* connected(migrate([...migrations, later]))
        const error = yield* Effect.flip(connected(migrate()))
        assert.deepStrictEqual(error, new DatabaseIsNewer({ unknown: ["9998_later"] }))
        assert.include(error.message, "9998_later")
        const status = yield* connected(migrationStatus)
        assert.deepStrictEqual(
          status.map(({ name }) => name),
          [...names, "9998_later"]
        )
      })
    )
  })
}
