import { spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import { chownSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describe, it } from "@effect/vitest"
import { Effect, Layer, Redacted } from "effect"
import { dbSuite } from "../../../test/kysely/dbSuite.ts"
import { migrateSuite } from "../../../test/kysely/migrateSuite.ts"
import { storesSuite } from "../../../test/kysely/storesSuite.ts"
import { once as built, temporaryDatabase } from "../../../test/support/databases.ts"
import { serverUser } from "../../../test/support/postgresBinaries.ts"
import { layerPostgres, layerPostgresDb } from "./index.ts"

/** Every store on Postgres behind PgBouncer in transaction mode, if the program is installed. */

const PROGRAM = "/usr/sbin/pgbouncer"
const isInstalled = spawnSync(PROGRAM, ["--version"]).status === 0

/** Fewer server connections than clients, so that the transactions of a client use different connections. */
const configuration = (server: URL, folder: string) => `[databases]
* = host=${server.searchParams.get("host")} user=${server.username}

[pgbouncer]
listen_addr =
unix_socket_dir = ${folder}
listen_port = 6432
auth_type = any
pool_mode = transaction
default_pool_size = 3
max_client_conn = 100
`

/** The URL of a new database through its own PgBouncer, which stops with the scope. */
const pooledDatabase = Effect.gen(function* () {
  const url = new URL(Redacted.value(yield* temporaryDatabase))
  const folder = yield* Effect.acquireRelease(
    Effect.sync(() => mkdtempSync(join(tmpdir(), "bouncer-"))),
    (made) => Effect.sync(() => rmSync(made, { recursive: true, force: true }))
  )
  yield* Effect.acquireRelease(
    Effect.promise(async () => {
      const file = join(folder, "pgbouncer.ini")
      writeFileSync(file, configuration(url, folder))
      // PgBouncer refuses to run as root, and its user needs access to the socket of the server.
      const user = serverUser()
      if (user.uid !== undefined) chownSync(folder, user.uid, user.gid!)
      const child = spawn(PROGRAM, [file], { ...user, cwd: "/", stdio: ["ignore", "ignore", "pipe"] })
      for await (const text of child.stderr.setEncoding("utf8")) if (String(text).includes("process up")) break
      return child
    }),
    (child) =>
      Effect.promise(async () => {
        const ended = once(child, "exit")
        child.kill("SIGKILL")
        await ended
      })
  )
  url.searchParams.set("host", folder)
  url.port = "6432"
  return Redacted.make(url.toString())
})

const options = Effect.map(pooledDatabase, (url) => ({ url, isPgBouncer: true }))

if (isInstalled) {
  const stores = built(Layer.unwrap(Effect.map(options, layerPostgres)))
  storesSuite("Postgres behind PgBouncer", stores)
  dbSuite("Postgres behind PgBouncer", stores)
  migrateSuite(
    "Postgres behind PgBouncer",
    Effect.map(options, (each) => Effect.provide(Layer.fresh(layerPostgresDb(each))))
  )
} else {
  describe.skip(`Postgres behind PgBouncer: ${PROGRAM} is not installed (Debian: apt-get install pgbouncer)`, () => {
    it("is not tested", () => {})
  })
}
