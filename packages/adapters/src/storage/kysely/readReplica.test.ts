import { mkdtempSync, rmSync } from "node:fs"
import net from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { HistoryStore } from "@countersign/core/accounting/history"
import { aTransaction, historyStoreContract } from "@countersign/core/contracts/accounting/history/HistoryStore"
import { walletStoreContract } from "@countersign/core/contracts/wallets/registry/WalletStore"
import { assert, beforeAll, describe, it } from "@effect/vitest"
import { Context, Effect, Exit, Layer, Redacted } from "effect"
import { sql } from "kysely"
import pg from "pg"
import { waitUntilEffect } from "../../../../core/test/support/untilEffect.ts"
import { sharedLayer } from "../../../test/support/databases.ts"
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

const stores = sharedLayer(layerReplicated)
historyStoreContract("Postgres with a read replica", stores)
walletStoreContract("Postgres with a read replica", stores)

/** Returns whether a read of `db` runs on a replica. */
const isOnReplica = (db: Db["Service"]) =>
  Effect.map(
    db.read(sql<{ readonly is_replica: string }>`select pg_is_in_recovery()::text as is_replica`),
    ([row]) => row!.is_replica === "true"
  )

const untilOnReplica = (db: Db["Service"], expected: boolean) =>
  waitUntilEffect(isOnReplica(db), (isReplica) => isReplica === expected)

/** Returns the column `value` of the rows that a statement returns. */
const rowsOf = (server: PostgresServer, text: string): Effect.Effect<ReadonlyArray<string>> =>
  Effect.promise(async () => {
    const client = new pg.Client(server.url)
    await client.connect()
    const { rows = [] } = await client.query(text)
    await client.end()
    return rows.map(({ value }) => value)
  })

const onServer = (server: PostgresServer, text: string) => Effect.asVoid(rowsOf(server, text))

/** Opens the stores of a service with other options. */
const buildDatabase = (changes: Partial<Parameters<typeof layerPostgresDb>[0]> = {}) =>
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

const SOCKET = ".s.PGSQL.5432"

/** Starts a proxy for a server. It can stop forwarding, like a broken network, and forward to another server. */
const proxyOf = (server: PostgresServer) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const folder = mkdtempSync(join(tmpdir(), "pg-"))
      const sockets = new Set<net.Socket>()
      let target = server
      let connections = 0
      let isFrozen = false
      const listener = net.createServer((client) => {
        connections++
        const upstream = net.connect(join(new URL(target.url).searchParams.get("host")!, SOCKET))
        for (const [from, to] of [
          [client, upstream],
          [upstream, client]
        ] as const) {
          sockets.add(from)
          from.on("data", (chunk) => void (isFrozen || to.write(chunk)))
          from.on("error", () => {}).on("close", () => to.destroy())
        }
      })
      await new Promise<void>((resolve) => listener.listen(join(folder, SOCKET), resolve))
      const disconnect = () => {
        for (const socket of sockets) socket.destroy()
        sockets.clear()
      }
      return {
        server: { ...server, url: `postgresql://postgres@localhost/postgres?host=${encodeURIComponent(folder)}` },
        freeze: () => {
          isFrozen = true
        },
        switchTo: (other: PostgresServer) => {
          target = other
          connections = 0
          disconnect()
        },
        connectionsToTarget: () => connections,
        close: () => {
          listener.close()
          disconnect()
          rmSync(folder, { recursive: true })
        }
      }
    }),
    ({ close }) => Effect.sync(close)
  )

/** Advances the write-ahead log of a server by this number of segments. */
const writeSegments = (server: PostgresServer, count: number) =>
  Effect.forEach(Array.from({ length: count }), () =>
    onServer(server, "select pg_logical_emit_message(false, 'a', 'b'); select pg_switch_wal()")
  )

/** Waits until a replica has replayed what its primary has written. */
const untilReplayed = (from: PostgresServer, to: PostgresServer) =>
  Effect.gen(function* () {
    const [written] = yield* rowsOf(from, "select pg_current_wal_flush_lsn()::text as value")
    yield* waitUntilEffect(
      rowsOf(to, `select (pg_last_wal_replay_lsn() >= '${written}')::text as value`),
      ([isReplayed]) => isReplayed === "true"
    )
  })

describe("a read", () => {
  it.live("runs on the replica", () =>
    Effect.gen(function* () {
      const { db } = yield* buildDatabase()
      assert.isTrue(yield* isOnReplica(db))
    })
  )

  it.live("always returns a row that another process has committed before", () =>
    Effect.gen(function* () {
      const [writer, reader] = [yield* buildDatabase(), yield* buildDatabase()]
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
      const { db, history } = yield* buildDatabase()
      const transaction = aTransaction()
      const insertAndList = db.transaction(
        Effect.andThen(history.insert(transaction), history.list(pageOf(transaction)))
      )
      assert.deepStrictEqual(yield* insertAndList, [transaction])
    })
  )

  it.live("uses the primary database while the replica is behind, and the replica after it has caught up", () =>
    Effect.gen(function* () {
      const { db, history } = yield* buildDatabase()
      yield* onServer(replica, "select pg_wal_replay_pause()")
      const transaction = aTransaction()
      yield* history.insert(transaction)
      assert.deepStrictEqual(yield* history.list(pageOf(transaction)), [transaction])
      assert.isFalse(yield* isOnReplica(db))
      yield* onServer(replica, "select pg_wal_replay_resume()")
      yield* untilOnReplica(db, true)
    })
  )

  it.live("uses the primary database if the replica does not respond, even from the start of the service", () =>
    Effect.gen(function* () {
      const unreachableUrl = Redacted.make("postgresql://nobody@localhost/none?host=/nonexistent")
      const { db } = yield* buildDatabase({ readUrl: unreachableUrl })
      assert.isFalse(yield* isOnReplica(db))
    })
  )

  it.live("uses the primary database if the replica replicates another database, or is not a replica", () =>
    Effect.gen(function* () {
      yield* onServer(primary, "create database other")
      const otherUrl = new URL(replica.url)
      otherUrl.pathname = "/other"
      const { db } = yield* buildDatabase({ readUrl: Redacted.make(otherUrl.toString()) })
      assert.isFalse(yield* isOnReplica(db))
      const sameDatabase = yield* buildDatabase({ readUrl: url(primary) })
      assert.isFalse(yield* isOnReplica(sameDatabase.db))
    })
  )

  it.live("fails like on the primary database if its statement is wrong", () =>
    Effect.gen(function* () {
      const { db } = yield* buildDatabase()
      const exit = yield* Effect.exit(db.read(sql`select nothing from nowhere`))
      assert.isTrue(Exit.hasDies(exit))
    })
  )

  it.live("continues on the primary database after the replica is stopped", () =>
    Effect.gen(function* () {
      const second = yield* Effect.promise(() => startReplica(primary))
      const { db } = yield* buildDatabase({ readUrl: url(second) })
      yield* untilOnReplica(db, true)
      second.kill()
      yield* untilOnReplica(db, false)
    })
  )
})

describe("a read during a failure", () => {
  it.live("uses the primary database while the replica does not respond", () =>
    Effect.gen(function* () {
      const proxy = yield* proxyOf(replica)
      const { db } = yield* buildDatabase({ readUrl: url(proxy.server) })
      yield* untilOnReplica(db, true)
      proxy.freeze()
      assert.isFalse(yield* isOnReplica(db))
    })
  )

  it.live("uses the primary database after DATABASE_READ_URL reaches a replica of another cluster", () =>
    Effect.gen(function* () {
      const otherPrimary = yield* Effect.promise(() => startServer())
      yield* buildDatabase({ url: url(otherPrimary), readUrl: null })
      yield* writeSegments(otherPrimary, 20)
      const otherReplica = yield* Effect.promise(() => startReplica(otherPrimary))
      const proxy = yield* proxyOf(replica)
      const { db, history } = yield* buildDatabase({ readUrl: url(proxy.server) })
      yield* untilOnReplica(db, true)
      proxy.switchTo(otherReplica)
      const transaction = aTransaction()
      yield* history.insert(transaction)
      const listAndCountConnections = Effect.map(history.list(pageOf(transaction)), (rows) => {
        assert.deepStrictEqual(rows, [transaction])
        return proxy.connectionsToTarget()
      })
      yield* waitUntilEffect(listAndCountConnections, (connections) => connections > 0)
      yield* listAndCountConnections
      otherReplica.kill()
      otherPrimary.kill()
    })
  )

  it.live("uses the primary database if the replica does not follow it after a failover", () =>
    Effect.gen(function* () {
      const oldPrimary = yield* Effect.promise(() => startServer())
      yield* buildDatabase({ url: url(oldPrimary), readUrl: null })
      const [ahead, promoted] = [
        yield* Effect.promise(() => startReplica(oldPrimary)),
        yield* Effect.promise(() => startReplica(oldPrimary))
      ]
      yield* onServer(promoted, "alter system set primary_conninfo = ''")
      yield* onServer(promoted, "select pg_reload_conf()")
      yield* waitUntilEffect(
        rowsOf(promoted, "select pid::text as value from pg_stat_wal_receiver"),
        (rows) => rows.length === 0
      )
      yield* writeSegments(oldPrimary, 2)
      yield* untilReplayed(oldPrimary, ahead)
      oldPrimary.kill()
      yield* onServer(promoted, "select pg_promote()")
      const { db, history } = yield* buildDatabase({ url: url(promoted), readUrl: url(ahead) })
      const transaction = aTransaction()
      yield* history.insert(transaction)
      assert.deepStrictEqual(yield* history.list(pageOf(transaction)), [transaction])
      assert.isFalse(yield* isOnReplica(db))
      ahead.kill()
      promoted.kill()
    })
  )
})

describe("the state of the replica", () => {
  const stateOf = (readUrl: Redacted.Redacted<string> | null) =>
    Effect.provide(readReplicaState({ url: url(primary), readUrl }), layerPostgresDb({ url: url(primary) }))

  it.live("is null without a replica", () =>
    Effect.gen(function* () {
      assert.isNull(yield* stateOf(null))
    })
  )

  it.live("contains the number of bytes that are not replayed, or null for a server that is not a replica", () =>
    Effect.gen(function* () {
      const state = yield* stateOf(url(replica))
      assert.isTrue(state?.isSameDatabase)
      assert.isAtLeast(state!.behindBytes!, 0)
      assert.deepStrictEqual(yield* stateOf(url(primary)), { isSameDatabase: true, behindBytes: null })
    })
  )
})
