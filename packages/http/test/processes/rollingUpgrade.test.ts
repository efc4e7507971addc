import { accountContracts } from "@countersign/adapters/chains/deployments"
import { Db, migrate } from "@countersign/adapters/storage/kysely"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { sql } from "kysely"
import { type Migration, migrations } from "../../../adapters/src/storage/kysely/migrations/index.ts"
import { waitUntilTrue } from "../../../core/test/support/until.ts"
import { newProject } from "../fleet/operator.ts"
import { INDIVIDUALS, person } from "../support/verifications.ts"
import { PROCESS_COUNT, requestFrom, type Servers, startServers } from "./startServers.ts"

/**
 * Tests a later version that starts while processes of this version run on the same Postgres. This code represents the
 * later version, with a migration that adds a column to every table and a new table. The test cannot show that this
 * version can read the data of an actual later version.
 */

let servers: Servers
let apiKey: string

beforeAll(async () => {
  servers = await startServers()
  apiKey = (await servers.operate(newProject(null))).apiKey
})
afterAll(() => servers.close())

const processNumbers = Array.from({ length: PROCESS_COUNT }, (_, nth) => nth)

let saltCount = 0

/** Sends requests to one process that read and write most tables. All of them must succeed. */
const exerciseServer = async (nth: number) => {
  const url = await servers.fleet.url(nth)
  const send = async (method: "GET" | "POST", path: string, body?: object) => {
    const response = await requestFrom(url, { apiKey, method, path, ...(body === undefined ? {} : { body }) })
    assert.isBelow(response.status, 300, `${method} ${path} at ${nth}: ${response.text}`)
    return response.body
  }
  saltCount += 1
  const salt = String(saltCount)
  const { wallet } = await send("POST", "/api/v1/wallets/register", {
    externallyOwnedAccount: `0x${"0b".repeat(20)}`,
    factory: accountContracts.simpleAccountFactory08,
    salt
  })
  await send("GET", "/api/v1/wallets")
  await send("GET", `/api/v1/wallets/${wallet.walletAddress}/history`)
  const { webhook } = await send("POST", "/api/v1/webhooks", {
    url: "http://127.0.0.1:9/never",
    eventTypes: ["webhook.test"],
    description: salt
  })
  await send("POST", `/api/v1/webhooks/${webhook.id}/test`)
  await send("GET", `/api/v1/webhooks/${webhook.id}/deliveries`)
  await send("GET", "/api/v1/webhooks")
  const { session } = await send("POST", INDIVIDUALS, { ...person, documentId: `ROLLING${salt}` })
  await send("GET", `${INDIVIDUALS}/${session.id}`)
  await send("GET", "/api/v2/fiat/orders")
  await send("POST", `/api/v1/wallets/${wallet.walletAddress}/tax-export/schedules`, {
    email: "owner@example.com",
    individual: { type: "individual", individualId: session.individualId },
    recurrencePreset: "MONTHLY_START",
    timezone: "America/Sao_Paulo"
  })
  await send("GET", `/api/v1/wallets/${wallet.walletAddress}/tax-export/schedules`)
  return String(wallet.walletAddress)
}

const laterMigrationOf = (tables: ReadonlyArray<string>): Migration => ({
  name: "9998_of_a_later_version",
  statements: () => [
    ...tables.map((table) => `alter table ${table} add column of_later text`),
    "create table of_a_later_version (id text primary key)"
  ]
})

describe("a rolling upgrade on Postgres", () => {
  it("fails no request at processes of the earlier version, which run until they are stopped", async () => {
    for (const nth of [...processNumbers, ...processNumbers]) await exerciseServer(nth)
    const tables = await servers.operate(
      Effect.flatMap(Db, (db) =>
        db.all<{ readonly tablename: string }>(sql`select tablename from pg_tables where schemaname = 'public'`)
      )
    )
    const laterVersion = laterMigrationOf(tables.map(({ tablename }) => tablename))
    let isMigrated = false
    let roundCount = 0
    const trafficPromises = processNumbers.map(async (nth) => {
      while (!isMigrated) {
        await exerciseServer(nth)
        roundCount += 1
      }
    })
    await waitUntilTrue(() => roundCount >= PROCESS_COUNT)
    await servers.operate(migrate([...migrations, laterVersion]))
    isMigrated = true
    await Promise.all(trafficPromises)

    // Only the later version contains the migration with this name.
    const runStatement = (statement: string) => servers.operate(Effect.flatMap(Db, (db) => db.run(sql.raw(statement))))
    await runStatement(`delete from schema_migrations where name = '${laterVersion.name}'`)
    await servers.fleet.kill(1)
    await runStatement(`insert into schema_migrations (name, applied_at) values ('${laterVersion.name}', 1)`)

    // Each process must read the writes of the others, on new and on existing connections.
    const registeredWallets = await Promise.all(processNumbers.map(exerciseServer))
    for (const nth of processNumbers) {
      for (const address of registeredWallets) {
        const { status } = await requestFrom(await servers.fleet.url(nth), {
          apiKey,
          path: `/api/v1/wallets/${address}`
        })
        assert.strictEqual(status, 200)
      }
    }

    // A stopped process of the earlier version must not start again.
    const restartOutcome = await servers.fleet.kill(0).then(
      () => "it started",
      (thrown: Error) => thrown.message
    )
    assert.match(restartOutcome, /ended by itself: 1/u)
  })
})
