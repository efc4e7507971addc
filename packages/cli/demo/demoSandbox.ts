import { type ChildProcess, spawn } from "node:child_process"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { readSandboxFile, type SandboxFile } from "@countersign/adapters/storage/home"
import { Effect, Schedule } from "effect"
import { runningSandbox } from "../src/environment/runningSandbox.ts"
import { DemoFailed } from "./DemoFailed.ts"

const START_TIMEOUT = "180 seconds"
const STOP_TIMEOUT_MS = 60_000

/** Returns the sandbox's file. Fails if there is none, or if the service at its address does not respond. */
const requireRunningService = Effect.fnUntraced(function* (file: SandboxFile | null) {
  if (file === null)
    return yield* new DemoFailed({ reason: "The sandbox has not written its address to sandbox.json." })
  const url = `${file.baseUrl}/healthz`
  const { status } = yield* Effect.tryPromise({
    try: (signal) => fetch(url, { signal }),
    catch: (cause) => new DemoFailed({ reason: `GET ${url} failed: ${String(cause)}` })
  })
  return status === 200 ? file : yield* new DemoFailed({ reason: `${file.baseUrl}/healthz responded with ${status}.` })
})

const temporaryHome = Effect.acquireRelease(
  Effect.promise(() => mkdtemp(join(tmpdir(), "countersign-demo-"))),
  (home) => Effect.promise(() => rm(home, { recursive: true, force: true }))
)

interface StartedSandbox {
  readonly child: ChildProcess
  readonly logTail: () => string
  /** Why the sandbox ended; null while it runs. */
  readonly endReason: () => string | null
}

const startSandbox = (home: string) =>
  Effect.acquireRelease(
    Effect.sync((): StartedSandbox => {
      const command = [join(import.meta.dirname, "../src/main.ts"), "sandbox", "start", "--port", "0"]
      const child = spawn(process.execPath, command, {
        env: { ...process.env, COUNTERSIGN_HOME: home },
        stdio: ["ignore", "ignore", "pipe"]
      })
      let logTail = ""
      let endReason: string | null = null
      child.stderr.on("data", (chunk: Buffer) => {
        logTail = (logTail + String(chunk)).slice(-2_000)
      })
      child.once("error", (cause) => {
        endReason = cause.message
      })
      child.once("exit", (code, signal) => {
        endReason = `it ended with ${code ?? signal}`
      })
      return { child, logTail: () => logTail.trim(), endReason: () => endReason }
    }),
    ({ child, endReason }) =>
      Effect.promise(async () => {
        if (endReason() !== null) return
        const exit = new Promise((resolve) => child.once("exit", resolve))
        child.kill("SIGINT")
        const killTimer = setTimeout(() => child.kill("SIGKILL"), STOP_TIMEOUT_MS)
        await exit
        clearTimeout(killTimer)
      })
  )

/** Starts a new sandbox in a temporary home on free ports. It ends with the scope. */
const ownSandbox = Effect.gen(function* () {
  const home = yield* temporaryHome
  const { endReason, logTail } = yield* startSandbox(home)
  const readAddress = Effect.gen(function* () {
    const reason = endReason()
    if (reason !== null) return yield* Effect.die(new DemoFailed({ reason: `${reason}. ${logTail()}` }))
    return yield* requireRunningService(yield* readSandboxFile(home))
  })
  return yield* readAddress.pipe(
    Effect.retry(Schedule.spaced("50 millis")),
    Effect.timeoutOrElse({
      duration: START_TIMEOUT,
      orElse: () => Effect.fail(new DemoFailed({ reason: `it was not ready within ${START_TIMEOUT}. ${logTail()}` }))
    }),
    Effect.catchDefect((defect) => (defect instanceof DemoFailed ? Effect.fail(defect) : Effect.die(defect))),
    Effect.mapError(({ reason }) => new DemoFailed({ reason: `The sandbox could not be started: ${reason}` }))
  )
})

/** Returns the running sandbox of this home, otherwise starts a temporary one. */
export const sandboxForDemo = Effect.gen(function* () {
  const runningFile = runningSandbox.pipe(
    Effect.flatMap(({ file, home }) =>
      Effect.map(requireRunningService(file), (runningFile) => ({ file: runningFile, home }))
    )
  )
  const existingSandbox = yield* Effect.option(runningFile)
  return existingSandbox._tag === "Some" ? existingSandbox.value : { file: yield* ownSandbox, home: null }
})
