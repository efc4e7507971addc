import {
  type HistoryFilter,
  HistoryStore,
  type Movement,
  Transaction,
  type TransactionType
} from "@countersign/core/accounting/history"
import { type Hash32, jsonText, NATIVE_TOKEN } from "@countersign/core/foundation/primitives"
import { RetentionStore } from "@countersign/core/tenancy/retention"
import { assert, describe, it } from "@effect/vitest"
import { DateTime, Effect, type Scope } from "effect"
import type { SqlError } from "effect/sql"
import { sql } from "kysely"
import {
  aMovement,
  aTransaction,
  recordedMovementsOf
} from "../../../core/src/accounting/history/Transaction.fixture.ts"
import { aHash, anAddress, at } from "../../../core/src/foundation/primitives/ids.fixture.ts"
import { aProjectId } from "../../../core/src/tenancy/projects/Project.fixture.ts"
import { DatabaseIsNewer, Db, migrate, migrationStatus } from "../../src/storage/kysely/index.ts"
import { layer as historyStore } from "../../src/storage/kysely/KyselyHistoryStore.ts"
import { layer as retentionStore } from "../../src/storage/kysely/KyselyRetentionStore.ts"
import { metadataEntry } from "../../src/storage/kysely/metadataEntry.ts"
import { type Migration, migrations, type Tables } from "../../src/storage/kysely/migrations/index.ts"
import { toMovementRows } from "../../src/storage/kysely/movementRows.ts"
import { columns } from "./claimsSuite.ts"

const migrationNames = migrations.map(({ name }) => name)
const DUPLICATES_MIGRATION = "0031_transfers_recorded_twice"

/**
 * Creates a new, empty database, and returns a function that connects to it. Each effect gets a separate connection, as
 * a process would.
 */
export type EmptyDatabase = Effect.Effect<
  <A, E>(effect: Effect.Effect<A, E, Db>) => Effect.Effect<A, E | SqlError.SqlError>,
  never,
  Scope.Scope
>

/** A migration of two statements, of which the second fails. */
const brokenMigration: Migration = {
  name: "9999_broken",
  statements: () => ["create table half (id integer)", "create table half (id integer)"]
}

/** Checks the guarantees of `migrate` on every engine. */
export const migrateSuite = (name: string, database: EmptyDatabase): void => {
  describe(`migrate on ${name}`, () => {
    it.effect("brings an empty database up to date, once", () =>
      Effect.gen(function* () {
        const runOnDatabase = yield* database
        const statusBefore = yield* runOnDatabase(migrationStatus)
        assert.deepStrictEqual(
          statusBefore,
          migrationNames.map((name) => ({ name, appliedAt: null }))
        )
        const appliedNames = yield* runOnDatabase(migrate())
        assert.deepStrictEqual(
          appliedNames,
          migrationNames.map((name) => ({ name, result: null }))
        )
        assert.deepStrictEqual(yield* runOnDatabase(migrate()), [])
        const statusAfter = yield* runOnDatabase(migrationStatus)
        assert.isTrue(statusAfter.length > 0 && statusAfter.every(({ appliedAt }) => appliedAt !== null))
      })
    )

    it.effect("derives how each earlier verification was done: by an operator, by documents, as a business", () =>
      Effect.gen(function* () {
        const runOnDatabase = yield* database
        yield* runOnDatabase(migrate(migrations.filter((migration) => migration.name < "0016")))
        const insertSessionSql = (identity: string, kind: string, status: string) =>
          sql`insert into verification_sessions values (${`s ${identity} ${status}`}, 'p', ${kind}, ${identity}, ${status}, 'BRAZIL', '[]', '[]', null, '{}', 1, 1, 1, '', 0)`
        const people = ["ana", "ind_1", "ind_2", "biz_1", "own_1", "ownable"]
        yield* runOnDatabase(
          Effect.gen(function* () {
            const db = yield* Db
            for (const id of people) yield* db.run(sql`insert into verified_individuals values ('p', ${id}, 1)`)
            yield* db.run(insertSessionSql("ind_1", "individual", "COMPLETED"))
            yield* db.run(insertSessionSql("ind_1", "individual", "FAILED"))
            yield* db.run(insertSessionSql("ind_2", "individual", "FAILED"))
            yield* db.run(insertSessionSql("biz_1", "business", "COMPLETED"))
          })
        )
        yield* runOnDatabase(migrate())
        const levels = yield* runOnDatabase(
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

    it.effect("links a provider's customer to one individual of one project", () =>
      Effect.gen(function* () {
        const runOnDatabase = yield* database
        yield* runOnDatabase(migrate(migrations.filter((migration) => migration.name < "0030")))
        const links = [
          ["p1", "ana", "bridge", "cust_1"],
          ["p2", "ana", "bridge", "cust_1"],
          ["p3", "bea", "bridge", "cust_1"],
          ["p2", "ana", "blindpay", "cust_1"],
          ["p2", "bea", "bridge", "cust_2"]
        ] as const
        yield* runOnDatabase(
          Effect.flatMap(Db, (db) =>
            Effect.forEach(links, ([project, individual, provider, customer]) =>
              db.run(sql`insert into provider_customers values (${project}, ${individual}, ${provider}, ${customer})`)
            )
          )
        )
        yield* runOnDatabase(migrate())
        const remainingRows = yield* runOnDatabase(
          Effect.flatMap(Db, (db) =>
            db.all(db.query.selectFrom("provider_customers").selectAll().orderBy("project_id").orderBy("customer"))
          )
        )
        assert.deepStrictEqual(
          remainingRows.map((link) => [link.project_id, link.individual_id, link.provider, link.customer]).toSorted(),
          [links[0], links[3], links[4]].map((link) => [...link]).toSorted()
        )
      })
    )

    it.effect("records what pending executions wait for, and when they become late", () =>
      Effect.gen(function* () {
        const runOnDatabase = yield* database
        yield* runOnDatabase(migrate(migrations.filter((migration) => migration.name < "0040")))
        const stages = ["inclusion", "across-fill", "host:BRIDGE", "limit-order", "fiat-deposit", "fiat-payout"]
        const insert = (id: string, stage: string, dueAt: number | null) =>
          Effect.flatMap(Db, (db) =>
            Effect.andThen(
              db.run(sql`insert into quotes values ('p', ${id}, 'w', 'SWAP', '{}', 1, 2, 3)`),
              db.run(
                sql`insert into executions (id, project_id, quote_id, stage, record, version, accepted_at, due_at)
                  values (${id}, 'p', ${id}, ${stage}, '{}', 0, 1, ${dueAt})`
              )
            )
          )
        yield* runOnDatabase(Effect.forEach(stages, (stage) => insert(stage, stage, 1_000)))
        yield* runOnDatabase(insert("ended", "finality", null))
        yield* runOnDatabase(migrate())
        const rows = yield* runOnDatabase(
          Effect.flatMap(Db, (db) =>
            db.all(db.query.selectFrom("executions").select(["id", "waits_for", "late_at"]).orderBy("id"))
          )
        )
        assert.deepStrictEqual(
          rows.map(({ id, late_at, waits_for }) => [id, waits_for, late_at]),
          [
            ["across-fill", "BRIDGE", 601_000],
            ["ended", "CHAIN", null],
            ["fiat-deposit", "PAYER", null],
            ["fiat-payout", "BANK", null],
            ["host:BRIDGE", "BRIDGE", null],
            ["inclusion", "CHAIN", 121_000],
            ["limit-order", "ORDER_BOOK", null]
          ]
        )
      })
    )

    it.effect("keeps the rows and references of tables whose keys then begin with the project", () =>
      Effect.gen(function* () {
        const runOnDatabase = yield* database
        yield* runOnDatabase(migrate(migrations.filter((migration) => migration.name < "0051")))
        const tables = [
          ...["quotes", "executions", "events", "webhook_endpoints", "webhook_deliveries", "tax_schedules", "tax_runs"],
          ...["verification_sessions", "verification_part_reviews", "fiat_quotes", "fiat_orders"],
          ...["liquidations", "watched_loans"]
        ]
        const insertAll = Effect.gen(function* () {
          const db = yield* Db
          const allColumns = yield* columns
          for (const table of tables) {
            const ownColumns = allColumns.filter((column) => column.table === table)
            // All text columns of a row have the same value, so every foreign key matches.
            for (const [text, number] of [
              ["a", 1],
              ["b", 2]
            ]) {
              const values = ownColumns.map(({ type }) => (/int/iu.test(type) ? number : text))
              yield* db.run(
                sql`insert into ${sql.table(table)} (${sql.join(ownColumns.map(({ column }) => sql.ref(column)))})
                  values (${sql.join(values)})`
              )
            }
          }
        })
        const readAll = (reviewColumns: string) =>
          Effect.flatMap(Db, (db) =>
            Effect.forEach(tables, (table) => {
              const columns = table === "verification_part_reviews" ? reviewColumns : "*"
              return db.all<object>(sql`select ${sql.raw(columns)} from ${sql.table(table)} order by project_id`)
            })
          )
        yield* runOnDatabase(insertAll)
        // The project of a review must be the project of its session.
        const previousRows = yield* runOnDatabase(readAll("session_id as project_id, verification_part_reviews.*"))
        yield* runOnDatabase(migrate())
        assert.deepStrictEqual(yield* runOnDatabase(readAll("*")), previousRows)
        const remainingCounts = yield* runOnDatabase(
          Effect.gen(function* () {
            const db = yield* Db
            for (const table of ["webhook_endpoints", "tax_schedules", "verification_sessions"]) {
              yield* db.run(sql`delete from ${sql.table(table)} where project_id = 'a'`)
            }
            yield* db.run(sql`delete from events where project_id = 'a'`)
            const counts = yield* Effect.forEach(
              ["webhook_deliveries", "tax_runs", "verification_part_reviews"],
              (table) => db.all(sql`select project_id from ${sql.table(table)}`)
            )
            const deletionExit = yield* Effect.exit(db.run(sql`delete from events where project_id = 'b'`))
            return { counts, isRefused: deletionExit._tag === "Failure" }
          })
        )
        const rowsOfB = [{ project_id: "b" }]
        assert.deepStrictEqual(remainingCounts, { counts: [rowsOfB, rowsOfB, rowsOfB], isRefused: true })
      })
    )

    it.effect("copies the movements of stored transactions into rows", () =>
      Effect.gen(function* () {
        const runOnDatabase = yield* database
        const firstMigrations = migrations.filter((migration) => migration.name < "0002")
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
        const updatedTransaction = aTransaction({ projectId, movements: [aMovement({ account })] })
        const storedRow = ({ id, walletAddress, ...record }: Transaction) => ({
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
        yield* runOnDatabase(
          Effect.gen(function* () {
            const db = yield* Db
            yield* migrate(firstMigrations)
            // Rows as they were before a later migration added columns.
            const rows = [storedRow(transaction), storedRow(updatedTransaction)] as unknown as ReadonlyArray<
              Tables["transactions"]
            >
            yield* db.run(db.query.insertInto("transactions").values(rows))
          })
        )
        const migratedMovements = yield* runOnDatabase(
          Effect.andThen(
            migrate(),
            HistoryStore.use((store) => store.listMovements({ projectId, account, after: null, take: 10 })).pipe(
              Effect.provide(historyStore)
            )
          )
        )
        // In rows of this version, the creation time differs from that of their records.
        const createdAt = DateTime.makeUnsafe(0)
        const expectedMovements = [...recordedMovementsOf(updatedTransaction), ...recordedMovementsOf(transaction)].map(
          (each) => ({
            ...each,
            createdAt
          })
        )
        assert.deepStrictEqual(migratedMovements, expectedMovements)
      })
    )

    it.effect("lists stored transactions by kind and metadata as before", () =>
      Effect.gen(function* () {
        const runOnDatabase = yield* database
        const firstTransaction = aTransaction({
          type: "TRANSFER",
          chainIdIn: 137,
          chainIdOut: 0,
          metadata: { customer: `"7"` }
        })
        const { projectId, walletAddress } = firstTransaction
        const otherTransaction = aTransaction({
          projectId,
          walletAddress,
          createdAt: at(5),
          chainIdIn: null,
          chainIdOut: null
        })
        const storedRow = (transaction: Transaction) => ({
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
        yield* runOnDatabase(
          Effect.gen(function* () {
            const db = yield* Db
            yield* migrate(migrations.filter((migration) => migration.name < "0003"))
            const rows = [firstTransaction, otherTransaction].map(storedRow) as unknown as ReadonlyArray<
              Tables["transactions"]
            >
            yield* db.run(db.query.insertInto("transactions").values(rows))
            const entry = metadataEntry("customer", `"7"`)
            yield* db.run(sql`insert into transaction_metadata values (${projectId}, ${firstTransaction.id}, ${entry})`)
          })
        )
        const filters: ReadonlyArray<HistoryFilter> = [
          { types: ["TRANSFER"] },
          { chains: [0] },
          { statuses: [otherTransaction.status] },
          { metadata: { key: "customer", value: `"7"` } }
        ]
        const listHistory = (filter: HistoryFilter) =>
          HistoryStore.use((store) => store.list({ projectId, walletAddress, filter, after: null, take: 10 }))
        const lists = yield* runOnDatabase(
          Effect.andThen(migrate(), Effect.forEach(filters, listHistory).pipe(Effect.provide(historyStore)))
        )
        assert.deepStrictEqual(lists, [
          [firstTransaction],
          [firstTransaction],
          [otherTransaction, firstTransaction],
          [firstTransaction]
        ])
      })
    )

    it.effect(
      "removes deposits and withdrawals that the watcher and an operation have both recorded, and reports their number",
      () =>
        Effect.gen(function* () {
          const runOnDatabase = yield* database
          const [projectId, account, token] = [aProjectId(), anAddress(), anAddress()]
          const hashes = Array.from({ length: 9 }, aHash)
          const transactionIn = (
            hash: Hash32,
            type: TransactionType,
            ...movementFields: ReadonlyArray<Partial<Movement>>
          ) =>
            aTransaction({
              projectId,
              walletAddress: account,
              type,
              legs: [{ chainId: 137, hash, block: { number: 7n, hash }, state: "FINAL", stage: 0 }],
              movements: movementFields.map((each) =>
                aMovement({ direction: "IN", account, asset: { chainId: 137, token }, amount: 100n, leg: 0, ...each })
              )
            })
          const gasMovement = {
            direction: "OUT",
            role: "GAS",
            asset: { chainId: 137, token: NATIVE_TOKEN },
            amount: 3n
          } as const
          const otherTransaction = transactionIn(hashes[7]!, "CROSS_SWAP", {})
          const remainingTransactions = [
            transactionIn(hashes[0]!, "FIAT_DEPOSIT", {}),
            transactionIn(hashes[1]!, "FIAT_WITHDRAWAL", { direction: "OUT" }),
            transactionIn(hashes[2]!, "CROSS_SWAP", {}, {}),
            transactionIn(hashes[3]!, "CROSS_SWAP", {}),
            // These transactions are not duplicates: each has another amount, token, direction, account, chain
            // transaction or project, or has more movements, or has gas that the others do not have.
            transactionIn(hashes[3]!, "CRYPTO_DEPOSIT", { amount: 101n }),
            transactionIn(hashes[3]!, "CRYPTO_DEPOSIT", { asset: { chainId: 137, token: anAddress() } }),
            transactionIn(hashes[3]!, "CRYPTO_WITHDRAW", { direction: "OUT" }),
            transactionIn(hashes[3]!, "CRYPTO_DEPOSIT", { account: anAddress() }),
            transactionIn(hashes[3]!, "CRYPTO_DEPOSIT", {}, {}),
            transactionIn(hashes[3]!, "CRYPTO_DEPOSIT", {}, gasMovement),
            transactionIn(hashes[4]!, "CRYPTO_DEPOSIT", {}),
            transactionIn(hashes[5]!, "CROSS_SWAP", { counterparty: anAddress() }),
            transactionIn(hashes[5]!, "CRYPTO_DEPOSIT", { counterparty: anAddress() }),
            { ...transactionIn(hashes[3]!, "CRYPTO_DEPOSIT", {}), projectId: aProjectId() },
            transactionIn(hashes[3]!, "CRYPTO_DEPOSIT"),
            otherTransaction,
            {
              ...otherTransaction,
              ...transactionIn(hashes[7]!, "CRYPTO_DEPOSIT", {}),
              legs: [{ ...otherTransaction.legs[0]!, chainId: 10 as const }]
            }
          ]
          const removedTransactions = [
            transactionIn(hashes[0]!, "CRYPTO_DEPOSIT", {}),
            transactionIn(hashes[1]!, "CRYPTO_WITHDRAW", { direction: "OUT", counterparty: anAddress() }),
            transactionIn(hashes[2]!, "CRYPTO_DEPOSIT", {}, {})
          ]
          const appliedNames = yield* runOnDatabase(
            Effect.gen(function* () {
              yield* migrate(migrations.filter(({ name }) => name !== DUPLICATES_MIGRATION))
              const store = yield* HistoryStore
              yield* Effect.forEach([...remainingTransactions, ...removedTransactions], store.insert, { discard: true })
              return yield* migrate()
            }).pipe(Effect.provide(historyStore))
          )
          const result = "deposits and withdrawals that were recorded twice, removed: 3"
          assert.deepStrictEqual(appliedNames, [{ name: DUPLICATES_MIGRATION, result }])
          const rows = yield* runOnDatabase(
            Effect.gen(function* () {
              const db = yield* Db
              const ids = yield* db.all(db.query.selectFrom("transactions").select("id"))
              const movementRows = yield* db.all(db.query.selectFrom("movements").select("transaction_id").distinct())
              return [ids.map(({ id }) => id), movementRows.map(({ transaction_id }) => transaction_id)]
            })
          )
          const idsOf = (transactions: ReadonlyArray<Transaction>) => transactions.map(({ id }) => id).toSorted()
          assert.deepStrictEqual(rows[0]!.toSorted(), idsOf(remainingTransactions))
          assert.deepStrictEqual(
            rows[1]!.toSorted(),
            idsOf(remainingTransactions.filter(({ movements }) => movements.length > 0))
          )
        })
    )

    it.effect("changes the rows of many transactions page by page, and commits each page", () =>
      Effect.gen(function* () {
        const runOnDatabase = yield* database
        const projectId = aProjectId()
        const COUNT = 2_300
        const transactions = Array.from({ length: COUNT }, (_, index) =>
          aTransaction({
            projectId,
            createdAt: at(index),
            legs: [
              { chainId: 137, hash: aHash(), block: { number: BigInt(index), hash: aHash() }, state: "FINAL", stage: 0 }
            ],
            movements: [aMovement({ leg: 0 }), aMovement({ leg: null })]
          })
        )
        const earlierMigrations = migrations.filter(({ name }) => name < "0022")
        const exit = yield* runOnDatabase(
          Effect.gen(function* () {
            const db = yield* Db
            yield* migrate(earlierMigrations)
            for (const transactionPage of Array.from({ length: COUNT / 100 }, (_, i) =>
              transactions.slice(100 * i, 100 * i + 100)
            )) {
              const rows = transactionPage.map((each) => ({
                project_id: projectId,
                id: each.id,
                wallet_address: each.walletAddress,
                type: each.type,
                status: each.status,
                created_at: DateTime.toEpochMillis(each.createdAt),
                record: jsonText(Transaction).encode(each),
                unlisted: 0
              }))
              yield* db.run(db.query.insertInto("transactions").values(rows as never))
              const movements = transactionPage.flatMap((each) =>
                toMovementRows(each).map(({ block_number: _block, created_at: _created, ...row }) => row)
              )
              yield* db.run(db.query.insertInto("movements").values(movements as never))
            }
            return yield* Effect.exit(migrate([...migrations.filter(({ name }) => name < "0030"), brokenMigration]))
          })
        )
        assert.strictEqual(exit._tag, "Failure")
        // The pages that were migrated before remain, although the migration of the last transaction failed.
        const orderedMovements = Effect.flatMap(Db, (db) =>
          db.all(db.query.selectFrom("movements").selectAll().where("created_at", ">", 0).orderBy("created_at"))
        )
        assert.isAtLeast((yield* runOnDatabase(orderedMovements)).length, 2 * 1_000)
        const appliedNames = yield* runOnDatabase(migrate())
        assert.include(
          appliedNames.map(({ result }) => result),
          `movements ordered by block: ${2 * COUNT}`
        )
        const rows = yield* runOnDatabase(
          Effect.flatMap(Db, (db) =>
            db.all(db.query.selectFrom("movements").selectAll().orderBy("created_at").orderBy("position"))
          )
        )
        assert.deepStrictEqual(
          rows.map(({ block_number, created_at, position }) => [Number(created_at), position, block_number]),
          transactions.flatMap(({ createdAt, legs }) => [
            [DateTime.toEpochMillis(createdAt), 0, Number(legs[0]!.block!.number)],
            [DateTime.toEpochMillis(createdAt), 1, null]
          ])
        )
      })
    )

    it.live("runs in one of four processes that start concurrently", () =>
      Effect.gen(function* () {
        const runOnDatabase = yield* database
        const migrationResults = yield* Effect.all(
          Array.from({ length: 4 }, () => runOnDatabase(migrate())),
          { concurrency: 4 }
        )
        assert.deepStrictEqual(
          migrationResults.flat().map(({ name }) => name),
          migrationNames
        )
      })
    )

    it.effect("archives the executions that ended before there was an archive", () =>
      Effect.gen(function* () {
        const runOnDatabase = yield* database
        yield* runOnDatabase(migrate(migrations.filter((migration) => migration.name < "0053")))
        yield* runOnDatabase(
          Effect.gen(function* () {
            const db = yield* Db
            for (const [id, endedAt] of [
              ["ended", 1_000],
              ["pending", null]
            ]) {
              yield* db.run(sql`insert into quotes values ('p', ${id}, 'w', 'SWAP', '{"quote":1}', 1, 2, 3)`)
              yield* db.run(sql`insert into quote_operations values ('p', ${`hash of ${id}`}, ${id})`)
              yield* db.run(
                sql`insert into executions (id, project_id, quote_id, stage, record, version, accepted_at, due_at, ended_at)
                  values (${`execution of ${id}`}, 'p', ${id}, 'finality', '{"execution":1}', 1, 3,
                    ${endedAt === null ? 3 : null}, ${endedAt})`
              )
            }
          })
        )
        yield* runOnDatabase(migrate())
        const archiveResult = yield* runOnDatabase(
          Effect.gen(function* () {
            const { prune } = yield* RetentionStore
            const db = yield* Db
            return {
              count: yield* prune("executions", at(0), 10),
              executions: yield* db.all(sql`select * from archived_executions`),
              keys: yield* db.all(sql`select lookup_key, execution_id, ended_at from archived_keys order by 1`),
              quotes: yield* db.all(sql`select id from quotes`),
              operations: yield* db.all(sql`select quote_id from quote_operations`)
            }
          }).pipe(Effect.provide(retentionStore))
        )
        const endedExecution = { execution_id: "execution of ended", ended_at: 1_000 }
        assert.deepStrictEqual(archiveResult, {
          count: 1,
          executions: [
            {
              project_id: "p",
              id: "execution of ended",
              quote_id: "ended",
              ended_at: 1_000,
              execution: '{"execution":1}',
              quote: '{"quote":1}'
            }
          ],
          keys: [
            { lookup_key: "ended", ...endedExecution },
            { lookup_key: "hash of ended", ...endedExecution }
          ],
          quotes: [{ id: "pending" }],
          operations: [{ quote_id: "pending" }]
        })
      })
    )

    it.effect("leaves no change of a migration that fails", () =>
      Effect.gen(function* () {
        const runOnDatabase = yield* database
        const exit = yield* Effect.exit(runOnDatabase(migrate([...migrations, brokenMigration])))
        assert.strictEqual(exit._tag, "Failure")
        const tables = yield* runOnDatabase(
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

    it.effect("rejects a database that a later version migrated", () =>
      Effect.gen(function* () {
        const runOnDatabase = yield* database
        const laterMigration: Migration = { name: "9998_later", statements: () => [] }
        yield* runOnDatabase(migrate([...migrations, laterMigration]))
        const error = yield* Effect.flip(runOnDatabase(migrate()))
        assert.deepStrictEqual(error, new DatabaseIsNewer({ unknown: ["9998_later"] }))
        assert.include(error.message, "9998_later")
        const status = yield* runOnDatabase(migrationStatus)
        assert.deepStrictEqual(
          status.map(({ name }) => name),
          [...migrationNames, "9998_later"]
        )
      })
    )
  })
}
