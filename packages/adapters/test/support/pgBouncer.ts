import { spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import { chownSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect, Redacted } from "effect"
import { temporaryDatabase } from "./databases.ts"
import { serverUser } from "./postgresBinaries.ts"

export const PGBOUNCER = "/usr/sbin/pgbouncer"
export const isPgBouncerInstalled = spawnSync(PGBOUNCER, ["--version"]).status === 0

/**
 * Builds the configuration. The server connections are fewer than the clients, so that the transactions of one client
 * use different connections.
 */
const configurationOf = (serverUrl: URL, folder: string) => `[databases]
* = host=${serverUrl.searchParams.get("host")} user=${serverUrl.username}

[pgbouncer]
listen_addr =
unix_socket_dir = ${folder}
listen_port = 6432
auth_type = any
pool_mode = transaction
default_pool_size = 3
max_client_conn = 100
`

/**
 * Creates a new database and starts a PgBouncer for it. Returns the URL through that PgBouncer, which stops with the
 * scope.
 */
export const pooledDatabase = Effect.gen(function* () {
  const url = new URL(Redacted.value(yield* temporaryDatabase))
  const folder = yield* Effect.acquireRelease(
    Effect.sync(() => mkdtempSync(join(tmpdir(), "bouncer-"))),
    (createdFolder) => Effect.sync(() => rmSync(createdFolder, { recursive: true, force: true }))
  )
  yield* Effect.acquireRelease(
    Effect.promise(async () => {
      const file = join(folder, "pgbouncer.ini")
      writeFileSync(file, configurationOf(url, folder))
      // PgBouncer does not run as root, and its user needs access to the socket of the server.
      const user = serverUser()
      if (user.uid !== undefined) chownSync(folder, user.uid, user.gid!)
      const child = spawn(PGBOUNCER, [file], { ...user, cwd: "/", stdio: ["ignore", "ignore", "pipe"] })
      for await (const text of child.stderr.setEncoding("utf8")) if (String(text).includes("process up")) break
      return child
    }),
    (child) =>
      Effect.promise(async () => {
        const exitPromise = once(child, "exit")
        child.kill("SIGKILL")
        await exitPromise
      })
  )
  url.searchParams.set("host", folder)
  url.port = "6432"
  return Redacted.make(url.toString())
})
