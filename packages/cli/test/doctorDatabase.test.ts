import { mkdirSync, writeFileSync } from "node:fs"
import { type AddressInfo, createServer } from "node:net"
import { join } from "node:path"
import { Db, layerPostgres, layerSqlite, layerSqliteDb, migrate } from "@countersign/adapters/storage/kysely"
import { type Migration, migrations } from "@countersign/adapters/storage/kysely/migrations"
import { HistoryStore } from "@countersign/core/accounting/history"
import { aMovement, aTransaction } from "@countersign/core/contracts/accounting/history/HistoryStore"
import { anExecution } from "@countersign/core/contracts/operations/executions/ExecutionStore"
import { anOperationIntent, aQuote } from "@countersign/core/contracts/operations/quotes/QuoteStore"
import { anEndpoint, anEvent } from "@countersign/core/contracts/tenancy/webhooks/WebhookEndpointStore"
import type { Hash32 } from "@countersign/core/foundation/primitives"
import { ExecutionStore } from "@countersign/core/operations/executions"
import { QuoteStore } from "@countersign/core/operations/quotes"
import { EventOutbox } from "@countersign/core/tenancy/events"
import { WebhookDeliveryQueue, WebhookDeliveryStore, WebhookEndpointStore } from "@countersign/core/tenancy/webhooks"
import { afterEach, assert, beforeEach, describe, it } from "@effect/vitest"
import { ConfigProvider, DateTime, Effect, type Layer, Redacted } from "effect"
import { temporaryDatabase } from "../../adapters/test/support/databases.ts"
import { examine, type Finding, readConfiguration, withoutProgress } from "../src/doctor/index.ts"
import { removeHome, runHere, temporaryHome } from "./support/commandLine.ts"

/** Tests doctor's report about a database and its contents, without any chain. */

let home = ""
const databaseFile = () => join(home, "countersign.db")

beforeEach(() => {
  home = temporaryHome()
})
afterEach(() => removeHome(home))

const runDoctor = (environment: Readonly<Record<string, string>> = {}) =>
  Effect.runPromise(
    Effect.gen(function* () {
      const configuration = yield* readConfiguration
      return yield* examine(
        { ...configuration, settings: { ...configuration.settings, activeChains: () => [] } },
        withoutProgress
      )
    }).pipe(
      Effect.provideService(
        ConfigProvider.ConfigProvider,
        ConfigProvider.fromEnvRecord({
          COUNTERSIGN_HOME: home,
          SECRETS_KEY: Buffer.alloc(32, "test").toString("base64"),
          RPC_URL_1: "http://127.0.0.1:1",
          OPERATOR_PRIVATE_KEYS_0_7: `0x${"0".repeat(63)}7`,
          OPERATOR_PRIVATE_KEYS_0_8: `0x${"0".repeat(63)}6`,
          ...environment
        })
      )
    )
  )

const findingOf = (findings: ReadonlyArray<Finding>, subject: string): Finding => {
  const match = findings.find((finding) => finding.subject === subject)
  assert.isDefined(match, `${subject} is not among ${findings.map((finding) => finding.subject).join(", ")}`)
  return match!
}

const runInDatabase = <A, E>(effect: Effect.Effect<A, E, Layer.Success<ReturnType<typeof layerSqlite>>>) =>
  Effect.runPromise(Effect.provide(effect, layerSqlite(databaseFile())))

const secondsFromNow = (seconds: number) => DateTime.makeUnsafe(Math.floor(Date.now() / 1_000 + seconds) * 1_000)
const isoText = DateTime.formatIso

/** Checks that only the finding about the database reports that the database cannot be read. */
const assertStatedOnce = (findings: ReadonlyArray<Finding>) => {
  const repeatedFindings = findings.filter(
    ({ detail, waitsFor }) => detail.startsWith("unknown") || waitsFor === "the database"
  )
  assert.deepStrictEqual(
    repeatedFindings.map(({ subject }) => subject),
    []
  )
}

describe("doctor, for the database,", () => {
  it("reports once that it does not exist yet, and does not create it", async () => {
    const findings = await runDoctor()
    assertStatedOnce(findings)
    assert.deepStrictEqual(findingOf(findings, "database"), {
      subject: "database",
      state: "waiting",
      detail: `does not exist yet; SQLite file ${databaseFile()}`,
      waitsFor: "the first start of the service",
      since: null,
      byItself: "The service creates the database when it starts.",
      whatToDo: "Start the service, or set DATABASE_URL or COUNTERSIGN_HOME to use another database."
    })
    assert.deepStrictEqual(await runDoctor(), findings)
  })

  it("lists pending migrations, and runs none", async () => {
    const previousMigrations = migrations.slice(0, -1)
    await Effect.runPromise(Effect.provide(migrate(previousMigrations), layerSqliteDb(databaseFile())))
    const pendingMigration = migrations.at(-1)!.name
    for (const findings of [await runDoctor(), await runDoctor()]) {
      const { detail, state, whatToDo } = findingOf(findings, "database")
      assert.deepStrictEqual(
        [state, detail],
        ["waiting", `1 migration not applied (${pendingMigration}); SQLite file ${databaseFile()}`]
      )
      assert.strictEqual(whatToDo, "Run `countersign db migrate`, or start the service of this version.")
    }
  })

  it("is up to date after a command that reports the number of changed rows", async () => {
    const duplicatesMigration = migrations.find(({ name }) => name === "0031_transfers_recorded_twice")
    const { projectId } = aTransaction()
    const leg = { chainId: 137, hash: `0x${"5".repeat(64)}` as Hash32, block: null, state: "FINAL", stage: 0 } as const
    const movement = aMovement({ leg: 0 })
    const recordedTransaction = { projectId, legs: [leg], movements: [movement] }
    await runInDatabase(
      HistoryStore.use((store) =>
        Effect.andThen(
          store.insert(aTransaction(recordedTransaction)),
          store.insert(aTransaction({ ...recordedTransaction, type: "CRYPTO_WITHDRAW" }))
        )
      )
    )
    await Effect.runPromise(
      Effect.provide(
        Db.use((db) => db.run(db.query.deleteFrom("schema_migrations").where("name", "=", duplicatesMigration!.name))),
        layerSqliteDb(databaseFile())
      )
    )
    const { out } = await runHere(home, ["db", "migrate"], { RPC_URL_1: "http://127.0.0.1:1" })
    const result = "deposits and withdrawals that were recorded twice, removed: 1"
    assert.strictEqual(out, `Applied: ${duplicatesMigration!.name}\n${duplicatesMigration!.name}: ${result}\n`)
  })

  it("reports that a later version has migrated it", async () => {
    const laterMigration: Migration = { name: "9998_later", statements: () => [] }
    await Effect.runPromise(Effect.provide(migrate([...migrations, laterMigration]), layerSqliteDb(databaseFile())))
    const { detail, state, waitsFor } = findingOf(await runDoctor(), "database")
    assert.deepStrictEqual(
      [state, detail, waitsFor],
      [
        "failing",
        `was migrated by a later version of Countersign (9998_later); SQLite file ${databaseFile()}`,
        "that version of Countersign"
      ]
    )
  })

  it("reports that the file is not a database, or cannot be opened, and continues", async () => {
    writeFileSync(databaseFile(), "this is a letter, and no database of whatever kind it may be".repeat(20))
    const findings = await runDoctor()
    const { byItself, detail, state } = findingOf(findings, "database")
    assert.deepStrictEqual([state, detail], ["failing", `is not a SQLite database; SQLite file ${databaseFile()}`])
    assert.match(byItself ?? "", /^Requests return 503 until the database recovers/u)
    assertStatedOnce(findings)
    removeHome(home)
    mkdirSync(databaseFile(), { recursive: true })
    assert.strictEqual(
      findingOf(await runDoctor(), "database").detail,
      `can't be opened; SQLite file ${databaseFile()}`
    )
  })

  it("names the host of a Postgres that rejects the connection, and no other part of its URL", async () => {
    const url = "postgres://somebody:a-secret-word@127.0.0.1:1/a-secret-name"
    const findings = await runDoctor({ DATABASE_URL: url })
    const { detail, state, whatToDo } = findingOf(findings, "database")
    assert.deepStrictEqual([state, detail], ["failing", "refused the connection; Postgres at 127.0.0.1:1"])
    assert.strictEqual(whatToDo, "Check DATABASE_URL, and that the database runs and this machine can reach it.")
    assert.notMatch(JSON.stringify(findings), /secret|somebody/u)

    const unreadableFindings = await runDoctor({ DATABASE_URL: "a secret, and no URL" })
    const setting = findingOf(unreadableFindings, "setting DATABASE_URL")
    assert.deepStrictEqual(
      [setting.state, setting.detail],
      ["failing", "is not a URL: postgres://user:password@host:port/database"]
    )
    assert.strictEqual(findingOf(unreadableFindings, "database").state, "failing")
    assert.notMatch(JSON.stringify(unreadableFindings), /secret/u)
  })

  it("ends if a server accepts connections and never answers", async () => {
    const server = createServer(() => undefined)
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
    const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
    const findings = await runDoctor({ DATABASE_URL: `postgres://somebody@${host}/x` })
    server.close()
    const { detail, state } = findingOf(findings, "database")
    assert.deepStrictEqual([state, detail], ["failing", `did not respond in time; Postgres at ${host}`])
  })

  it("reports the connections of a Postgres", async () => {
    const findingLists = await Effect.runPromise(
      Effect.scoped(
        Effect.gen(function* () {
          const url = yield* temporaryDatabase
          const runDoctorEffect = Effect.promise(() => runDoctor({ DATABASE_URL: Redacted.value(url) }))
          const emptyReport = yield* runDoctorEffect
          yield* Effect.provide(Effect.void, layerPostgres({ url }))
          return [emptyReport, yield* runDoctorEffect] as const
        })
      )
    )
    const [emptyFinding, migratedFinding] = findingLists.map((findings) => findingOf(findings, "database"))
    assert.strictEqual(emptyFinding?.state, "waiting")
    assert.match(
      emptyFinding?.detail ?? "",
      /^\d+ migrations not applied \(0001_first_version, 0002_movements, [^)]+\); Postgres at /u
    )
    assert.strictEqual(migratedFinding?.state, "ok")
    assert.match(
      migratedFinding?.detail ?? "",
      /^responds, and is up to date; [1-9]\d* of \d+ connections in use; Postgres at /u
    )
  })

  it("states what to do without any service", async () => {
    const connectionError = Effect.provideService(
      Effect.flip(readConfiguration),
      ConfigProvider.ConfigProvider,
      ConfigProvider.fromEnvRecord({ COUNTERSIGN_HOME: home })
    )
    assert.match(
      (await Effect.runPromise(connectionError)).message,
      /^No sandbox is running in .*countersign sandbox start/u
    )
  })

  it("reports that it is well", async () => {
    await runInDatabase(Effect.void)
    const findings = await runDoctor()
    assert.strictEqual(
      findingOf(findings, "database").detail,
      `responds, and is up to date; SQLite file ${databaseFile()}`
    )
    assert.deepStrictEqual(
      [findingOf(findings, "webhooks"), findingOf(findings, "operations")].map(({ detail, state }) => [state, detail]),
      [
        ["ok", "no delivery is due"],
        ["ok", "no operation waits for a block"]
      ]
    )
  })
})

describe("doctor, for submitted operations,", () => {
  const insertExecution = (submittedAt: DateTime.Utc, deadline: DateTime.Utc, fields: { substatus?: string } = {}) =>
    Effect.gen(function* () {
      const randomIntent = anOperationIntent()
      const intent = { ...randomIntent, operation: { ...randomIntent.operation, chainId: 1 as const } }
      const quote = aQuote({ id: intent.hash, intents: [intent] })
      const { stages, ...execution } = anExecution({ acceptedAt: submittedAt }, quote)
      const wait = { waitsFor: "CHAIN", awaited: "a block with the user operation", lateAt: deadline } as const
      yield* QuoteStore.use((quotes) => quotes.insert([quote]))
      yield* QuoteStore.use((quotes) => quotes.accept(quote.projectId, quote.id, submittedAt))
      yield* ExecutionStore.use((store) =>
        store.insert({ ...execution, stages: stages.map((stage) => ({ ...stage, deadline, wait })) })
      )
      const transaction = aTransaction({
        ...quote.transaction,
        id: execution.id,
        projectId: quote.projectId,
        walletAddress: quote.walletAddress,
        status: "PROCESSING",
        updatedAt: submittedAt,
        ...fields
      })
      yield* HistoryStore.use((history) => history.insert(transaction))
      return { hash: intent.hash, transactionId: execution.id }
    })

  const claimUntil = (worker: string, leaseUntil: DateTime.Utc) =>
    ExecutionStore.use((store) => store.claim({ worker, now: secondsFromNow(0), leaseUntil, limit: 10 }))

  const operationFindingOf = async (hash: Hash32) => findingOf(await runDoctor(), `operation ${hash}`)

  it("reports that an operation is past its deadline and that no process works on it", async () => {
    const [submittedAt, deadline] = [secondsFromNow(-600), secondsFromNow(-300)]
    const { hash, transactionId } = await runInDatabase(insertExecution(submittedAt, deadline))
    assert.deepStrictEqual(await operationFindingOf(hash), {
      subject: `operation ${hash}`,
      state: "failing",
      detail: `not in a block, and past the deadline of ${isoText(deadline)}; on Ethereum, transaction ${transactionId}, no worker has claimed it`,
      waitsFor: "an execution worker: no process is working on it",
      since: isoText(submittedAt),
      byItself:
        "Nothing, until this is available. Then the operation fails as NOT_INCLUDED, or completes if it is in a block.",
      whatToDo: "Make sure that `countersign serve` runs on this database. The owner needs a new quote."
    })
  })

  it("names the worker that disappeared", async () => {
    const [submittedAt, deadline, leaseEnd] = [secondsFromNow(-600), secondsFromNow(300), secondsFromNow(-60)]
    const { hash } = await runInDatabase(
      Effect.tap(insertExecution(submittedAt, deadline), () => claimUntil("host-1", leaseEnd))
    )
    const { byItself, detail, state, waitsFor } = await operationFindingOf(hash)
    assert.strictEqual(state, "failing")
    assert.include(detail, `the claim of worker host-1 expired at ${isoText(leaseEnd)}`)
    assert.strictEqual(waitsFor, "an execution worker: no process is working on it")
    assert.strictEqual(
      byItself,
      `Nothing, until this is available. The operation can execute until ${isoText(deadline)}.`
    )
  })

  it("reports that an operation waits while a worker processes it, and how it ends without action", async () => {
    const [submittedAt, deadline] = [secondsFromNow(-60), secondsFromNow(300)]
    const { hash } = await runInDatabase(
      Effect.tap(insertExecution(submittedAt, deadline), () => claimUntil("host-1", secondsFromNow(300)))
    )
    const { byItself, detail, since, state } = await operationFindingOf(hash)
    assert.strictEqual(state, "waiting")
    assert.include(detail, "submitted, but not in a block; on Ethereum")
    assert.include(detail, "worker host-1 has claimed it")
    assert.strictEqual(since, isoText(submittedAt))
    assert.strictEqual(
      byItself,
      `The operation continues as soon as this is available. If it is not in a block by ${isoText(deadline)}, it fails as NOT_INCLUDED.`
    )
  })

  it("reports since when an operation has been pending again after a reorg", async () => {
    const reorganizedAt = secondsFromNow(-5)
    const { hash } = await runInDatabase(
      Effect.tap(insertExecution(reorganizedAt, secondsFromNow(300), { substatus: "REORGED" }), () =>
        claimUntil("host-1", secondsFromNow(300))
      )
    )
    const { detail, since } = await operationFindingOf(hash)
    assert.include(detail, "a reorg removed the block of the operation, which is pending again; on Ethereum")
    assert.strictEqual(since, isoText(reorganizedAt))
  })
})

describe("doctor, for webhooks,", () => {
  it("names failing and disabled endpoints by their hosts, and overdue deliveries", async () => {
    const endpointWithCredentials = anEndpoint({
      url: "https://user:secret@failing.example:8443/secret?key=secret",
      failingSince: secondsFromNow(-3_600)
    })
    const disabledEndpoint = anEndpoint({ url: "https://gone.example/secret" })
    const [dueAt, nextAt, disabledAt] = [secondsFromNow(-600), secondsFromNow(1_800), secondsFromNow(-30)]
    await runInDatabase(
      Effect.gen(function* () {
        const queue = yield* WebhookDeliveryQueue
        const endpointStore = yield* WebhookEndpointStore
        const deliveryStore = yield* WebhookDeliveryStore
        const outbox = yield* EventOutbox
        for (const endpoint of [endpointWithCredentials, disabledEndpoint]) yield* endpointStore.insert(endpoint)
        yield* outbox.append(anEvent({ projectId: endpointWithCredentials.projectId }))
        const now = secondsFromNow(1)
        const [claimedDelivery] = yield* queue.claim({ worker: "a", now, leaseUntil: nextAt, limit: 1, except: [] })
        yield* queue.record(endpointWithCredentials.projectId, claimedDelivery!.delivery.id, "a", {
          status: "PENDING",
          attempts: 2,
          nextAttemptAt: nextAt,
          lastStatus: 503,
          lastError: "responded with 503",
          deliveredAt: null,
          attempt: null
        })
        yield* endpointStore.disable(
          disabledEndpoint.projectId,
          disabledEndpoint.id,
          disabledAt,
          "it responded with 410 Gone"
        )
        const lateEndpoint = anEndpoint()
        yield* endpointStore.insert(lateEndpoint)
        const event = yield* outbox.append(anEvent({ projectId: lateEndpoint.projectId }))
        const [delivery] = yield* deliveryStore.list({
          projectId: lateEndpoint.projectId,
          endpointId: lateEndpoint.id,
          after: null,
          take: 1
        })
        assert.strictEqual(delivery?.eventId, event.id)
        yield* deliveryStore.redeliver(lateEndpoint.projectId, lateEndpoint.id, delivery!.id, dueAt)
      })
    )
    const findings = await runDoctor()
    const dueFinding = findingOf(findings, "webhooks")
    assert.deepStrictEqual([dueFinding.state, dueFinding.since], ["failing", isoText(dueAt)])
    assert.match(dueFinding.detail, /^1 delivery is due, the oldest for [6-8]\d\d s$/u)
    assert.deepStrictEqual(findingOf(findings, `webhook ${endpointWithCredentials.id}`), {
      subject: `webhook ${endpointWithCredentials.id}`,
      state: "waiting",
      detail: `to failing.example:8443, of project ${endpointWithCredentials.projectId}: 1 delivery waits; the last attempt: responded with 503`,
      waitsFor: "failing.example:8443 to accept the event",
      since: isoText(endpointWithCredentials.failingSince!),
      byItself: `The next attempt is at ${isoText(nextAt)}. There are ten attempts over three days. A webhook that accepts no event for five days is disabled.`,
      whatToDo: "Notify the project that failing.example:8443 does not accept its events."
    })
    assert.deepStrictEqual(findingOf(findings, `webhook ${disabledEndpoint.id}`), {
      subject: `webhook ${disabledEndpoint.id}`,
      state: "waiting",
      detail: `to gone.example, of project ${disabledEndpoint.projectId}: disabled (it responded with 410 Gone)`,
      waitsFor: "an operator who enables the webhook",
      since: isoText(disabledAt),
      byItself: "The webhook receives no events. The service does not send these events later.",
      whatToDo: `When gone.example accepts events again: countersign webhook enable ${disabledEndpoint.id} --project ${disabledEndpoint.projectId}`
    })
    assert.notMatch(JSON.stringify(findings), /secret/u)
  })
})
