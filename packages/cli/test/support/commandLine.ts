import { type ChildProcess, execFileSync, spawn } from "node:child_process"
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert } from "@effect/vitest"
import { Console, Context, Effect } from "effect"
import { waitUntil, waitUntilTrue } from "../../../core/test/support/until.ts"
import { bundleProgram } from "../../../http/test/support/bundleProgram.ts"
import { exitCodeOfExit, program } from "../../src/program.ts"

/** Runs the command line in separate processes, as a person or a script does. */

const source = join(import.meta.dirname, "../../src/main.ts")
const launcherFolder = join(import.meta.dirname, "../../bin")

/** The file of the program, and its additional environment variables. */
interface Binary {
  readonly file: string
  readonly variables: Readonly<Record<string, string>>
}

const launcherIn = (folder: string) => join(folder, "countersign.mjs")

/** The checkout's sources, as `npm run countersign` runs them. */
const checkoutBinary: Binary = { file: launcherIn(launcherFolder), variables: {} }

/**
 * Bundles the program, and returns the launcher next to the bundle, as in the published package. Unlike that package,
 * the bundle contains the sandbox.
 */
export const bundleBinary = async (): Promise<Binary> => {
  const { compileCache, folder } = await bundleProgram(source, [launcherFolder])
  return { file: launcherIn(join(folder, "bin")), variables: { NODE_COMPILE_CACHE: compileCache } }
}

export const temporaryHome = (): string => mkdtempSync(join(tmpdir(), "countersign-cli-"))
export const removeHome = (home: string): void => rmSync(home, { recursive: true, force: true })

/** The encryption key of secrets in all commands of these tests. */
export const SECRETS_KEY = Buffer.alloc(32, "test").toString("base64")

/** Returns an environment without the developer's own settings in environment variables and `.env` files. */
const environment = (home: string, extra: Readonly<Record<string, string>>) => ({
  PATH: process.env.PATH ?? "",
  HOME: home,
  NO_COLOR: "1",
  COUNTERSIGN_HOME: home,
  SECRETS_KEY,
  ...extra
})

const start = async (
  home: string,
  words: ReadonlyArray<string>,
  extra: Readonly<Record<string, string>>,
  binary = bundleBinary()
): Promise<ChildProcess> => {
  const { file, variables } = await binary
  return spawn(process.execPath, [file, ...words], {
    cwd: home,
    env: environment(home, { ...variables, ...extra }),
    stdio: ["ignore", "pipe", "pipe"]
  })
}

const collectOutput = (child: ChildProcess) => {
  const output = { out: "", err: "" }
  child.stdout!.on("data", (chunk: Buffer) => {
    output.out += String(chunk)
  })
  child.stderr!.on("data", (chunk: Buffer) => {
    output.err += String(chunk)
  })
  return output
}

export interface Outcome {
  readonly code: number | null
  readonly out: string
  readonly err: string
}

const outcomeOf = (child: ChildProcess): Promise<Outcome> => {
  const output = collectOutput(child)
  return new Promise((resolve) => child.once("close", (code) => resolve({ code, ...output })))
}

/** More parallel processes would only compete for the CPU. */
const PARALLEL_MAX = 3
let runningCount = 0
const waitingCallbacks: Array<() => void> = []

const runWithLimit = async <A>(work: () => Promise<A>): Promise<A> => {
  if (runningCount === PARALLEL_MAX) await new Promise<void>((resolve) => waitingCallbacks.push(resolve))
  else runningCount += 1
  try {
    return await work()
  } finally {
    const nextCallback = waitingCallbacks.shift()
    if (nextCallback === undefined) runningCount -= 1
    else nextCallback()
  }
}

/** Runs one command until it exits. */
export const run = (
  home: string,
  words: ReadonlyArray<string>,
  extra: Readonly<Record<string, string>> = {}
): Promise<Outcome> => runWithLimit(async () => outcomeOf(await start(home, words, extra)))

/** Runs one command in this process, for tests of the output that do not need a separate process. */
export const runHere = async (
  home: string,
  words: ReadonlyArray<string>,
  extra: Readonly<Record<string, string>> = {},
  context: Context.Context<never> = Context.empty()
): Promise<Outcome> => {
  const output = { out: "", err: "" }
  const lineOf = (parts: ReadonlyArray<unknown>) => `${parts.map(String).join(" ")}\n`
  const console: Console.Console = {
    ...globalThis.console,
    log: (...parts) => {
      output.out += lineOf(parts)
    },
    error: (...parts) => {
      output.err += lineOf(parts)
    }
  }
  const exit = await Effect.runPromiseExit(
    program(words, { COUNTERSIGN_HOME: home, SECRETS_KEY, ...extra }).pipe(
      Effect.provideService(Console.Console, console),
      Effect.provide(context)
    )
  )
  return { code: exitCodeOfExit(exit, words), ...output }
}

export const runDemo = (home: string): Promise<Outcome> =>
  outcomeOf(
    spawn(
      process.execPath,
      [join(import.meta.dirname, "../../bin/node24.mjs"), join(import.meta.dirname, "../../demo/main.ts")],
      {
        cwd: home,
        env: environment(home, { TMPDIR: home }),
        stdio: ["ignore", "pipe", "pipe"]
      }
    )
  )

// biome-ignore lint/suspicious/noExplicitAny: the tests read JSON as a script without generated types does.
export type Json = any

export const assertCode = ({ code, err, out }: Outcome, expected: number): void =>
  assert.strictEqual(code, expected, `${err}\n${out}`)

/** Returns the output of a command with --json, which must be exactly one document. */
export const jsonOf = (outcome: Outcome): Json => {
  assertCode(outcome, 0)
  assert.strictEqual(outcome.err, "")
  return JSON.parse(outcome.out)
}

/** Returns the command lines of live processes by process id. */
const commandLinesInProc = (): ReadonlyMap<number, string> => {
  const pids = readdirSync("/proc").filter((name) => /^\d+$/u.test(name))
  const lines = pids.map((pid) => {
    try {
      return [Number(pid), readFileSync(`/proc/${pid}/cmdline`, "utf8")] as const
    } catch {
      return [Number(pid), ""] as const
    }
  })
  return new Map(lines.filter(([, line]) => line !== ""))
}

/** Returns the command lines on systems without /proc. The state of a zombie process is Z. */
const commandLinesByPs = (): ReadonlyMap<number, string> => {
  const columns = ["-axww", "-o", "pid=", "-o", "stat=", "-o", "command="]
  const lines = execFileSync("ps", columns, { encoding: "utf8" }).matchAll(/^ *(\d+) +[^Z\s]\S* +(.*)$/gmu)
  return new Map([...lines].map(([, pid, line = ""]) => [Number(pid), line]))
}

const commandLines = process.platform === "linux" ? commandLinesInProc : commandLinesByPs

/** Returns the ids of the chain processes that use this folder. */
export const chainsAliveOn = (home: string): ReadonlyArray<number> => {
  const folder = join(home, "chains")
  return [...commandLines()].filter(([, line]) => line.includes(folder)).map(([pid]) => pid)
}

export const untilGone = (pid: number): Promise<void> => waitUntilTrue(() => !commandLines().has(pid))

const isResponding = (url: string): Promise<boolean> =>
  fetch(url).then(
    ({ ok }) => ok,
    () => false
  )

export interface RunningService {
  readonly url: string
  /** Returns the log output of the service. */
  readonly said: () => string
  /** Stops the service with the signal of Ctrl-C, or with another signal. */
  readonly stop: (signal?: NodeJS.Signals) => Promise<Outcome>
}

/**
 * Starts a program through a shell, as npm and npx do. A signal ends the shell, which does not forward it to the
 * program.
 */
const startThroughShell = async (
  home: string,
  words: ReadonlyArray<string>,
  extra: Readonly<Record<string, string>>
): Promise<ChildProcess> => {
  const { file, variables } = await bundleBinary()
  return spawn("sh", ["-c", `"$0" "$@"; true`, process.execPath, file, ...words], {
    cwd: home,
    env: environment(home, { npm_command: "exec", ...variables, ...extra }),
    stdio: ["ignore", "pipe", "pipe"]
  })
}

const startFromCheckout: typeof startThroughShell = (home, words, extra) =>
  start(home, words, extra, Promise.resolve(checkoutBinary))

const startFunctions = { AS_PUBLISHED: start, THROUGH_SHELL: startThroughShell, FROM_CHECKOUT: startFromCheckout }

/** Starts `countersign serve`, and waits until it has printed its address. */
export const startServe = async (
  home: string,
  words: ReadonlyArray<string>,
  extra: Readonly<Record<string, string>>,
  startKind: "AS_PUBLISHED" | "THROUGH_SHELL" | "FROM_CHECKOUT" = "AS_PUBLISHED"
): Promise<RunningService> => {
  const child = await startFunctions[startKind](home, ["serve", ...words], extra)
  const output = collectOutput(child)
  const outcomePromise = new Promise<Outcome>((resolve) => child.once("close", (code) => resolve({ code, ...output })))
  const url = () => /"listening".*?"url":"([^"]+)"/u.exec(output.out)?.[1]
  await waitUntil(
    // The process may exit before its output is read.
    async () => {
      if (child.exitCode !== null)
        throw new Error(`The service ended with ${child.exitCode}: ${(await outcomePromise).err}`)
      return output
    },
    () => url() !== undefined
  )
  return {
    url: url()!,
    said: () => output.out,
    stop: (signal = "SIGINT") => {
      child.kill(signal)
      return outcomePromise
    }
  }
}

export interface RunningSandbox {
  readonly home: string
  /** The content of `sandbox.json`, which the sandbox writes for scripts. */
  readonly file: Json
  /** Returns the message that the sandbox printed when it started. */
  readonly welcome: () => string
  readonly run: (...words: ReadonlyArray<string>) => Promise<Outcome>
  readonly http: (method: string, path: string, body?: object, key?: string) => Promise<{ status: number; body: Json }>
  /** Sends the signal to the started process, as Ctrl-C does, and waits until the process ends. */
  readonly stop: (signal?: NodeJS.Signals) => Promise<Outcome>
  /** Kills the service process without a clean-up. */
  readonly kill: () => Promise<void>
}

/**
 * Returns the id of the process that has locked the folder. Returns null if no process has locked it, or while the lock
 * file is being written.
 */
const lockHolderPid = (home: string): number | null => {
  try {
    return JSON.parse(readFileSync(join(home, "sandbox.lock"), "utf8")).pid
  } catch {
    return null
  }
}

/** Starts a sandbox. Kills it and its chains as soon as the condition is true. */
export const killSandboxWhen = async (home: string, isConditionMet: () => boolean): Promise<void> => {
  const previousHolderPid = lockHolderPid(home)
  const child = await start(home, ["sandbox", "start", "--port", "0"], {})
  const endPromise = new Promise<void>((resolve) => child.once("close", () => resolve()))
  const holderPid = await waitUntil(
    () => lockHolderPid(home),
    // The lock file of the previous, killed run exists until the new process replaces it.
    (pid) => pid !== null && pid !== previousHolderPid && isConditionMet()
  )
  for (const pid of [holderPid!, ...chainsAliveOn(home)]) process.kill(pid, "SIGKILL")
  await endPromise
}

/** Starts `countersign sandbox start`, and waits until it responds. */
export const startSandbox = async (home: string, ...words: ReadonlyArray<string>): Promise<RunningSandbox> => {
  const child = await start(home, ["sandbox", "start", "--port", "0", ...words], {})
  const output = collectOutput(child)
  const outcomePromise = new Promise<Outcome>((resolve) => child.once("close", (code) => resolve({ code, ...output })))
  const path = join(home, "sandbox.json")
  const readFileOrNull = () => (existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : null)
  await waitUntil(
    async () => {
      if (child.exitCode !== null)
        throw new Error(`The sandbox ended with ${child.exitCode}: ${(await outcomePromise).err}`)
      return output
    },
    // `sandbox.json` of the previous run already exists. So the condition is that the process runs and has printed its
    // message.
    ({ out }) => out.includes("Ctrl-C")
  )
  await waitUntilTrue(async () => {
    const file = readFileOrNull()
    return file !== null && (await isResponding(`${file.baseUrl}/healthz`))
  })
  const file = readFileOrNull()
  return {
    home,
    file,
    welcome: () => output.out,
    run: (...command) => run(home, command),
    http: async (method, route, body, key = file.apiKey) => {
      const response = await fetch(file.baseUrl + route, {
        method,
        headers: { "x-api-key": key, "content-type": "application/json" },
        ...(body === undefined ? {} : { body: JSON.stringify(body) })
      })
      return { status: response.status, body: await response.json() }
    },
    stop: async (signal = "SIGINT") => {
      child.kill(signal)
      const outcome = await outcomePromise
      await untilGone(file.pid)
      return outcome
    },
    kill: async () => {
      process.kill(file.pid, "SIGKILL")
      await outcomePromise
    }
  }
}
