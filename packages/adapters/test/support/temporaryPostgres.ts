import { execFileSync, spawn } from "node:child_process"
import { chownSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import pg from "pg"
import { findBinaries, serverEnvironment, serverUser } from "./postgresBinaries.ts"

/** The data are not needed after the tests, so the server never waits for the disk. */
const settings = [
  "listen_addresses=",
  "fsync=off",
  "synchronous_commit=off",
  "full_page_writes=off",
  "max_connections=100"
]

/**
 * Runs the server until the standard input ends, which happens when this process ends for any reason. Then stops the
 * server and deletes its folder.
 */
const SUPERVISOR = '"$@" & server=$!; cat >/dev/null; kill -INT $server 2>/dev/null; wait $server; rm -rf "$FOLDER"'

/** A server that this process has started. */
export interface PostgresServer {
  /** The URL of the server's first database. */
  readonly url: string
  readonly data: string
  /** Stops the server and deletes its data. */
  readonly kill: () => void
}

/** Returns a short path, because the path of a socket is limited to about 100 characters. */
const createFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), "pg-"))
  const user = serverUser()
  if (user.uid !== undefined) chownSync(folder, user.uid, user.gid!)
  return folder
}

/** Runs a server with the data in a folder. Its socket is in the same folder. */
const runServer = async (bin: string, folder: string): Promise<PostgresServer> => {
  const data = join(folder, "data")
  const serverCommand = [
    join(bin, "postgres"),
    "-D",
    data,
    "-k",
    folder,
    ...settings.flatMap((setting) => ["-c", setting])
  ]
  const child = spawn("/bin/sh", ["-c", SUPERVISOR, "sh", ...serverCommand], {
    ...serverUser(),
    cwd: "/",
    env: { ...serverEnvironment, FOLDER: folder },
    stdio: ["pipe", "ignore", "pipe"],
    detached: true
  })
  await new Promise<void>((resolve, reject) => {
    let log = ""
    child.stderr.setEncoding("utf8").on("data", (chunk: string) => {
      log += chunk
      if (/ready to accept (?:read-only )?connections/u.test(log)) resolve()
    })
    child.on("exit", (code) => reject(new Error(`Postgres exited with ${code}: ${log}`)))
    setTimeout(() => reject(new Error(`Postgres did not start within 2 minutes: ${log}`)), 120_000).unref()
  })
  // The test process must be able to exit while the server runs.
  child.unref()
  for (const stream of [child.stdin, child.stderr]) (stream as unknown as { unref(): void }).unref()
  const url = `postgresql://postgres@localhost/postgres?host=${encodeURIComponent(folder)}`
  return { url, data, kill: () => child.stdin.end() }
}

/** Starts a new Postgres server. It stops with this process. */
export const startServer = (bin = findBinaries(serverUser())): Promise<PostgresServer> => {
  const folder = createFolder()
  execFileSync(
    join(bin, "initdb"),
    ["-D", join(folder, "data"), "-U", "postgres", "--auth=trust", "--no-sync", "--no-locale", "--encoding=UTF8"],
    { ...serverUser(), cwd: "/", env: serverEnvironment, stdio: ["ignore", "ignore", "pipe"] }
  )
  return runServer(bin, folder)
}

/** Starts a streaming replica of a server, from a base backup. */
export const startReplica = async (
  primary: PostgresServer,
  bin = findBinaries(serverUser())
): Promise<PostgresServer> => {
  const folder = createFolder()
  const data = join(folder, "data")
  const client = new pg.Client(primary.url)
  await client.connect()
  await client.query("select pg_backup_start('replica', true)")
  execFileSync("cp", ["-a", primary.data, data])
  const { rows } = await client.query("select labelfile from pg_backup_stop(false)")
  await client.end()
  const user = serverUser()
  const writeDataFile = (name: string, text: string) => {
    writeFileSync(join(data, name), text)
    if (user.uid !== undefined) chownSync(join(data, name), user.uid, user.gid!)
  }
  rmSync(join(data, "postmaster.pid"))
  writeDataFile("backup_label", rows[0].labelfile)
  writeDataFile("standby.signal", "")
  const host = new URL(primary.url).searchParams.get("host")
  writeDataFile("postgresql.auto.conf", `primary_conninfo = 'host=${host} user=postgres'\n`)
  return runServer(bin, folder)
}

/** Starts a Postgres server and returns the URL of its first database. The server stops with this process. */
export const startPostgres = async (bin?: string): Promise<string> => (await startServer(bin)).url

let serverUrlPromise: Promise<string> | undefined

/**
 * Returns the URL of a Postgres server whose user may create databases: TEST_DATABASE_URL if it is set. Otherwise it
 * starts a server that stops with this process.
 */
export const postgresUrl = (): Promise<string> => {
  serverUrlPromise ??=
    process.env.TEST_DATABASE_URL === undefined ? startPostgres() : Promise.resolve(process.env.TEST_DATABASE_URL)
  return serverUrlPromise
}
