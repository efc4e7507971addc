import { execFileSync, spawn } from "node:child_process"
import { chownSync, mkdtempSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { findBinaries, serverEnvironment, serverUser } from "./postgresBinaries.ts"

/** The data does not outlive the tests, so the server never waits for the disk. */
const settings = [
  "listen_addresses=",
  "fsync=off",
  "synchronous_commit=off",
  "full_page_writes=off",
  "max_connections=100"
]

/**
 * Runs the server until its standard input ends, which happens when this process ends for any reason. Then the server
 * stops and its folder is deleted.
 */
const SUPERVISOR = '"$@" & server=$!; cat >/dev/null; kill -INT $server 2>/dev/null; wait $server; rm -rf "$FOLDER"'

/** Starts a Postgres server on a socket in a new folder, and returns the URL of its first database. The server stops with this process. */
export const startPostgres = async (bin = findBinaries(serverUser())): Promise<string> => {
  const user = serverUser()
  // Short, because the path of a socket is limited to about 100 characters.
  const folder = mkdtempSync(join(tmpdir(), "pg-"))
  if (user.uid !== undefined) chownSync(folder, user.uid, user.gid!)
  const data = join(folder, "data")
  execFileSync(
    join(bin, "initdb"),
    ["-D", data, "-U", "postgres", "--auth=trust", "--no-sync", "--no-locale", "--encoding=UTF8"],
    { ...user, cwd: "/", env: serverEnvironment, stdio: ["ignore", "ignore", "pipe"] }
  )
  const server = [join(bin, "postgres"), "-D", data, "-k", folder, ...settings.flatMap((setting) => ["-c", setting])]
  const child = spawn("/bin/sh", ["-c", SUPERVISOR, "sh", ...server], {
    ...user,
    cwd: "/",
    env: { ...serverEnvironment, FOLDER: folder },
    stdio: ["pipe", "ignore", "pipe"],
    detached: true
  })
  await new Promise<void>((resolve, reject) => {
    let log = ""
    child.stderr.setEncoding("utf8").on("data", (chunk: string) => {
      log += chunk
      if (log.includes("ready to accept connections")) resolve()
    })
    child.on("exit", (code) => reject(new Error(`Postgres exited with ${code}: ${log}`)))
    setTimeout(() => reject(new Error(`Postgres did not start within 2 minutes: ${log}`)), 120_000).unref()
  })
  // The server must not keep the test process running.
  child.unref()
  for (const stream of [child.stdin, child.stderr]) (stream as unknown as { unref(): void }).unref()
  return `postgresql://postgres@localhost/postgres?host=${encodeURIComponent(folder)}`
}

let started: Promise<string> | undefined

/**
 * The URL of a Postgres whose user may create databases: TEST_DATABASE_URL if it is set, otherwise a server that starts
 * now and stops with this process.
 */
export const postgresUrl = (): Promise<string> => {
  started ??=
    process.env.TEST_DATABASE_URL === undefined ? startPostgres() : Promise.resolve(process.env.TEST_DATABASE_URL)
  return started
}
