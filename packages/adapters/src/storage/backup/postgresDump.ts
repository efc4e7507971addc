import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { text } from "node:stream/consumers"
import { Effect, Redacted, Stream } from "effect"
import type { DatabaseDump } from "./DatabaseDump.ts"
import { BackupFailed, reasonOf } from "./errors.ts"

/**
 * Returns the environment variables of libpq. The password must not be in the command line, which other users can read.
 */
const variablesOf = (url: string): Readonly<Record<string, string>> => {
  const { hostname, password, pathname, port, searchParams, username } = new URL(url)
  const variables: Record<string, string | null> = {
    PGHOST: searchParams.get("host") ?? hostname,
    PGPORT: searchParams.get("port") ?? port,
    PGUSER: decodeURIComponent(username),
    PGPASSWORD: decodeURIComponent(password),
    PGDATABASE: decodeURIComponent(pathname.slice(1)),
    PGSSLMODE: searchParams.get("sslmode"),
    PGSSLROOTCERT: searchParams.get("sslrootcert")
  }
  return Object.fromEntries(
    Object.entries(variables).filter((entry): entry is [string, string] => entry[1] !== null && entry[1] !== "")
  )
}

const INSTALL =
  "Install the PostgreSQL client programs of the server's major version or a later one (package postgresql-client), and run the command again."

interface Program {
  readonly child: ChildProcess
  /** Resolves when the program ends. Rejects with the text of its stderr. */
  readonly endPromise: Promise<void>
}

const backupFailure = (reason: string) => new BackupFailed({ reason })

const start = (name: string, programArguments: ReadonlyArray<string>, url: string | null): Program => {
  const variables = url === null ? {} : variablesOf(url)
  const child = spawn(name, programArguments, {
    env: { PATH: process.env.PATH, HOME: process.env.HOME, LC_ALL: "C", ...variables },
    stdio: ["pipe", "pipe", "pipe"]
  })
  const stderr = text(child.stderr).catch(() => "")
  // Ignored: if the program stops reading, its exit code reports the failure.
  child.stdin.on("error", () => {})
  const endPromise = new Promise<void>((resolve, reject) => {
    child.once("error", (cause: NodeJS.ErrnoException) =>
      reject(
        backupFailure(
          cause.code === "ENOENT"
            ? `${name} is not installed. ${INSTALL}`
            : `${name} could not be started: ${cause.message}.`
        )
      )
    )
    child.once("close", (code) => {
      if (code === 0) return resolve()
      void stderr.then((errorText) => {
        const hint = errorText.includes("server version mismatch") ? ` ${INSTALL}` : ""
        reject(backupFailure(`${name} failed: ${errorText.trim()}.${hint}`))
      })
    })
  })
  // The promise is awaited below, but may be rejected before that.
  endPromise.catch(() => {})
  return { child, endPromise }
}

const runProgram = (name: string, programArguments: ReadonlyArray<string>, url: string | null) =>
  Effect.acquireRelease(
    Effect.sync(() => start(name, programArguments, url)),
    ({ child }) => Effect.sync(() => void child.kill())
  )

const awaitEnd = ({ endPromise }: Program) =>
  Effect.tryPromise({ try: () => endPromise, catch: (thrown) => thrown as BackupFailed })

/** Writes the entire input of a program. */
const writeInput = <E>(
  name: string,
  programArguments: ReadonlyArray<string>,
  url: string | null,
  content: Stream.Stream<Uint8Array, E>
) =>
  Effect.gen(function* () {
    const runningProgram = yield* runProgram(name, programArguments, url)
    const { stdin, stdout } = runningProgram.child
    stdout!.resume()
    yield* Stream.runForEach(content, (piece) =>
      stdin!.write(piece)
        ? Effect.void
        : Effect.promise(() =>
            Promise.race([once(stdin!, "drain"), once(stdin!, "close"), runningProgram.endPromise.catch(() => {})])
          )
    )
    stdin!.end()
    yield* awaitEnd(runningProgram)
  }).pipe(Effect.scoped)

/** Checks that pg_restore can read the content, by converting all of it to the SQL script that a restore would run. */
export const checkPostgres = <E>(content: Stream.Stream<Uint8Array, E>) =>
  writeInput("pg_restore", ["--file=/dev/null"], null, content)

/** Dumps a Postgres database in pg_dump's custom format, with the PostgreSQL client programs. */
export const postgresDump = (url: Redacted.Redacted<string>): DatabaseDump => ({
  kind: "postgres",
  read: Stream.unwrap(
    Effect.map(
      runProgram("pg_dump", ["--format=custom", "--no-owner", "--no-privileges"], Redacted.value(url)),
      (running) =>
        Stream.concat(
          Stream.fromAsyncIterable(running.child.stdout as AsyncIterable<Uint8Array>, (thrown) =>
            backupFailure(String(thrown))
          ),
          Stream.fromEffectDrain(awaitEnd(running))
        )
    )
  ),
  restore: (content, prepare) =>
    Effect.gen(function* () {
      const database = decodeURIComponent(new URL(Redacted.value(url)).pathname.slice(1))
      const restoreArguments = [
        "--no-owner",
        "--no-privileges",
        "--exit-on-error",
        "--single-transaction",
        `--dbname=${database}`
      ]
      yield* writeInput("pg_restore", restoreArguments, Redacted.value(url), content)
      yield* prepare({ _tag: "Postgres", url }).pipe(
        Effect.mapError((error) =>
          backupFailure(
            `${reasonOf(error)} The database ${database} is restored, but documents may be missing, and it contains data that were erased after the backup. Do not start the service. Drop the database, create an empty one, and run the command again.`
          )
        )
      )
    })
})
