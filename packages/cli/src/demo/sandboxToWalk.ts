import { type ChildProcess, spawn } from "node:child_process"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { readSandboxFile, type SandboxFile } from "@countersign/adapters/home"
import { Effect, Schedule } from "effect"
import { runningSandbox } from "../environment/runningSandbox.ts"
import { exchange } from "./client.ts"
import { DemoFailed } from "./DemoFailed.ts"

const START_TIMEOUT = "90 seconds"
const STOP_TIMEOUT_MS = 20_000

/** The sandbox's file, once the service that it names answers. */
const answering = Effect.fnUntraced(function* (file: SandboxFile | null) {
  if (file === null) return yield* new DemoFailed({ reason: "The sandbox has not written down its address." })
  const { status } = yield* exchange("GET", `${file.baseUrl}/healthz`)
  return status === 200 ? file : yield* new DemoFailed({ reason: `${file.baseUrl}/healthz answered ${status}.` })
})

const temporaryHome = Effect.acquireRelease(
  Effect.promise(() => mkdtemp(join(tmpdir(), "countersign-demo-"))),
  (home) => Effect.promise(() => rm(home, { recursive: true, force: true }))
)

interface StartedSandbox {
  readonly child: ChildProcess
  readonly lastWords: () => string
  /** Null while it runs. */
  readonly ended: () => string | null
}

const started = (home: string) =>
  Effect.acquireRelease(
    Effect.sync((): StartedSandbox => {
      const command = [join(import.meta.dirname, "../main.ts"), "sandbox", "start", "--port", "0"]
      const child = spawn(process.execPath, command, {
        env: { ...process.env, COUNTERSIGN_HOME: home },
        stdio: ["ignore", "ignore", "pipe"]
      })
      let lastWords = ""
      let ended: string | null = null
      child.stderr.on("data", (chunk: Buffer) => {
        lastWords = (lastWords + String(chunk)).slice(-2_000)
      })
      child.once("error", (cause) => {
        ended = cause.message
      })
      child.once("exit", (code, signal) => {
        ended = `it ended with ${code ?? signal}`
      })
      return { child, lastWords: () => lastWords.trim(), ended: () => ended }
    }),
    ({ child, ended }) =>
      Effect.promise(async () => {
        if (ended() !== null) return
        const exited = new Promise((resolve) => child.once("exit", resolve))
        child.kill("SIGINT")
        const insist = setTimeout(() => child.kill("SIGKILL"), STOP_TIMEOUT_MS)
        await exited
        clearTimeout(insist)
      })
  )

/** A fresh sandbox in a temporary home on free ports; it ends with the scope. */
const ownSandbox = Effect.gen(function* () {
  const home = yield* temporaryHome
  const { ended, lastWords } = yield* started(home)
  const look = Effect.gen(function* () {
    const reason = ended()
    if (reason !== null) return yield* Effect.die(new DemoFailed({ reason: `${reason}. ${lastWords()}` }))
    return yield* answering(yield* readSandboxFile(home))
  })
  return yield* look.pipe(
    Effect.retry(Schedule.spaced("50 millis")),
    Effect.timeoutOrElse({
      duration: START_TIMEOUT,
      orElse: () => Effect.fail(new DemoFailed({ reason: `it was not ready within ${START_TIMEOUT}. ${lastWords()}` }))
    }),
    Effect.catchDefect((defect) => (defect instanceof DemoFailed ? Effect.fail(defect) : Effect.die(defect))),
    Effect.mapError(({ reason }) => new DemoFailed({ reason: `The sandbox could not be started: ${reason}` }))
  )
})

/** The sandbox that runs on this home, else one of the walk's own. */
export const sandboxToWalk = Effect.gen(function* () {
  const running = runningSandbox.pipe(
    Effect.flatMap(({ file, home }) => Effect.map(answering(file), (found) => ({ file: found, home })))
  )
  const found = yield* Effect.option(running)
  return found._tag === "Some" ? found.value : { file: yield* ownSandbox, home: null }
})
