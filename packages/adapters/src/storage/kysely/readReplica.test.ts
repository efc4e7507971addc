import { HistoryStore } from "@countersign/core/accounting/history"
import { aTransaction, historyStoreContract } from "@countersign/core/contracts/accounting/history/HistoryStore"
import { walletStoreContract } from "@countersign/core/contracts/wallets/registry/WalletStore"
import { assert, beforeAll, describe, it } from "@effect/vitest"
import { Context, Effect, Exit, Layer, Redacted } from "effect"
import { sql } from "kysely"
import pg from "pg"
import { untilEffect } from "../../../../core/test/support/untilEffect.ts"
import { once } from "../../../test/support/databases.ts"
import { type PostgresServer, startReplica, startServer } from "../../../test/support/temporaryPostgres.ts"
import { Db, layerPostgres, layerPostgresDb, readReplicaState } from "./index.ts"

let primary: PostgresServer
let replica: PostgresServer

beforeAll(async () => {
  primary = await startServer()
  replica = await startReplica(primary)
})

const url = (server: PostgresServer) => Redacted.make(server.url)
const options = () => ({ url: url(primary), readUrl: url(replica) })
const layerReplicated = Layer.unwrap(Effect.sync(() => layerPostgres(options())))

const stores = once(layerReplicated)
historyStoreContract("Postgres with a read replica", stores)
walletStoreContract("Postgres with a read replica", stores)

/** Whether a read of `db` runs on a replica. */
const isOnReplica = (db: Db["Service"]) =>
  Effect.map(
    db.read(sql<{ readonly is_replica: string }>`select pg_is_in_recovery()::text as is_replica`),
    ([row]) => row!.is_replica === "true"
  )

const untilOnReplica = (db: Db["Service"], expected: boolean) =>
  untilEffect(isOnReplica(db), (isReplica) => isReplica === expected)

const onServer = (server: PostgresServer, text: string) =>
  Effect.promise(async () => {
    const client = new pg.Client(server.url)
    await client.connect()
    await client.query(text)
    await client.end()
  })

/** The stores of a service with other options. */
const opened = (changes: Partial<Parameters<typeof layerPostgresDb>[0]> = {}) =>
  Effect.map(Layer.build(Layer.fresh(layerPostgres({ ...options(), ...changes }))), (context) => ({
    db: Context.get(context, Db),
    history: Context.get(context, HistoryStore)
  }))

const pageOf = ({ projectId, walletAddress }: ReturnType<typeof aTransaction>) => ({
  projectId,
  walletAddress,
  filter: {},
  after: null,
  take: 10
})

describe("A read", () => {
  it.live("runs on the replica", () =>
    Effect.gen(function* () {
      const { db } = yield* opened()
      assert.isTrue(yield* isOnReplica(db))
    })
  )

  it.live("returns a row that another process has committed before, each time", () =>
    Effect.gen(function* () {
      const [writer, reader] = [yield* opened(), yield* opened()]
      for (let i = 0; i < 50; i++) {
        const transaction = aTransaction()
        yield* writer.history.insert(transaction)
        const [listed] = yield* reader.history.list(pageOf(transaction))
        assert.deepStrictEqual(listed, transaction)
      }
    })
  )

  it.live("sees the changes of its own transaction", () =>
    Effect.gen(function* () {
      const { db, history } = yield* opened()
      const transaction = aTransaction()
      const listed = db.transaction(Effect.andThen(history.insert(transaction), history.list(pageOf(transaction))))
      assert.deepStrictEqual(yield* listed, [transaction])
    })
  )

  it.live("uses the primary database while the replica is behind, and the replica after it has caught up", () =>
    Effect.gen(function* () {
      const { db, history } = yield* opened()
      yield* onServer(replica, "select pg_wal_replay_pause()")
      const transaction = aTransaction()
      yield* history.insert(transaction)
      assert.deepStrictEqual(yield* history.list(pageOf(transaction)), [transaction])
      assert.isFalse(yield* isOnReplica(db))
      yield* onServer(replica, "select pg_wal_replay_resume()")
      yield* untilOnReplica(db, true)
    })
  )

  it.live("uses the primary database if the replica does not answer, from the start of the service on", () =>
    Effect.gen(function* () {
      const nowhere = Redacted.make("postgresql://nobody@localhost/none?host=/nonexistent")
      const { db } = yield* opened({ readUrl: nowhere })
      assert.isFalse(yield* isOnReplica(db))
    })
  )

  it.live("uses the primary database if the replica is of another database, or is no replica", () =>
    Effect.gen(function* () {
      yield* onServer(primary, "create database other")
      const other = new URL(replica.url)
      other.pathname = "/other"
      const { db } = yield* opened({ readUrl: Redacted.make(other.toString()) })
      assert.isFalse(yield* isOnReplica(db))
      const same = yield* opened({ readUrl: url(primary) })
      assert.isFalse(yield* isOnReplica(same.db))
    })
  )

  it.live("fails like on the primary database if its statement is wrong", () =>
    Effect.gen(function* () {
      const { db } = yield* opened()
      const exit = yield* Effect.exit(db.read(sql`select nothing from nowhere`))
      assert.isTrue(Exit.hasDies(exit))
    })
  )

  it.live("continues on the primary database after the replica has ended", () =>
    Effect.gen(function* () {
      const second = yield* Effect.promise(() => startReplica(primary))
      const { db } = yield* opened({ readUrl: url(second) })
      yield* untilOnReplica(db, true)
      second.kill()
      yield* untilOnReplica(db, false)
    })
  )
})

describe("The state of the replica", () => {
  const stateOf = (readUrl: Redacted.Redacted<string> | null) =>
    Effect.provide(readReplicaState({ url: url(primary), readUrl }), layerPostgresDb({ url: url(primary) }))

  it.live("is null without a replica", () =>
    Effect.gen(function* () {
      assert.isNull(yield* stateOf(null))
    })
  )

  it.live("has the bytes that are not replayed, or null for a server that is no replica", () =>
    Effect.gen(function* () {
      const state = yield* stateOf(url(replica))
      assert.isTrue(state?.isSameDatabase)
      assert.isAtLeast(state!.behindBytes!, 0)
      assert.deepStrictEqual(yield* stateOf(url(primary)), { isSameDatabase: true, behindBytes: null })
    })
  )
})
