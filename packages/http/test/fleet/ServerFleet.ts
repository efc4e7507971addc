import { type ChildProcess, fork } from "node:child_process"
import { join } from "node:path"
import { bundleProgram, type ProgramBundle } from "../support/bundleProgram.ts"
import type { ServerAssignment, ServerMessage } from "./ServerAssignment.ts"

const START_TIMEOUT_MS = 120_000

/** A server process that has loaded its code and waits for its assignment. */
interface StandbyServer {
  readonly child: ChildProcess
  readonly loaded: Promise<void>
}

interface RunningServer {
  readonly child: ChildProcess
  readonly url: string
}

const waitForMessage = <Tag extends ServerMessage["_tag"]>(
  child: ChildProcess,
  tag: Tag
): Promise<Extract<ServerMessage, { readonly _tag: Tag }>> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`The server was not ${tag} in time`)), START_TIMEOUT_MS)
    const onExit = (code: number | null, signal: string | null) => {
      clearTimeout(timer)
      reject(new Error(`The server ended by itself: ${code ?? signal}`))
    }
    child.once("exit", onExit)
    child.on("message", (message: ServerMessage) => {
      if (message._tag !== tag) return
      clearTimeout(timer)
      child.off("exit", onExit)
      resolve(message as Extract<ServerMessage, { readonly _tag: Tag }>)
    })
  })

const waitForExit = (child: ChildProcess): Promise<void> =>
  child.exitCode !== null || child.signalCode !== null
    ? Promise.resolve()
    : new Promise((resolve) => child.once("exit", () => resolve()))

/** Manages server processes on one database. Replaces each process that it kills. */
export class ServerFleet {
  readonly #program: ProgramBundle
  readonly #place: ServerAssignment
  readonly #size: number
  readonly #slots: Array<RunningServer | null> = []
  /** All processes that are still running. */
  readonly #alive = new Set<ChildProcess>()
  #standby: StandbyServer
  #waiters: Array<() => void> = []

  /** Creates a fleet of `size` processes, which are not started yet. */
  static async of(assignment: ServerAssignment, size: number): Promise<ServerFleet> {
    return new ServerFleet(await bundleProgram(join(import.meta.dirname, "server.ts")), assignment, size)
  }

  constructor(program: ProgramBundle, assignment: ServerAssignment, size: number) {
    this.#program = program
    this.#place = assignment
    this.#size = size
    this.#standby = this.#spawn()
  }

  /** Starts the servers one after another, because each start needs a process that has loaded its code. */
  async start(): Promise<void> {
    for (let slot = 0; slot < this.#size; slot++) await this.#fill(slot)
  }

  /** Returns the URL of a server that was running recently. Waits if no server runs. */
  async url(nth: number): Promise<string> {
    for (;;) {
      const runningServers = this.#slots.filter((one) => one !== null)
      const chosenServer = runningServers[nth % Math.max(1, runningServers.length)]
      if (chosenServer !== undefined) return chosenServer.url
      await new Promise<void>((resolve) => this.#waiters.push(resolve))
    }
  }

  /** Kills the process of a slot with SIGKILL and starts a new one. Resolves when the new one listens. */
  async kill(slot: number): Promise<void> {
    const runningServer = this.#slots[slot]
    this.#slots[slot] = null
    runningServer?.child.kill("SIGKILL")
    if (runningServer != null) await waitForExit(runningServer.child)
    await this.#fill(slot)
  }

  /** Sends SIGTERM to each server. Returns the exit codes. */
  async stop(): Promise<ReadonlyArray<number | null>> {
    const children = this.#slots.flatMap((one) => (one === null ? [] : [one.child]))
    this.#slots.fill(null)
    for (const child of children) child.kill("SIGTERM")
    await Promise.all(children.map(waitForExit))
    return children.map(({ exitCode }) => exitCode)
  }

  async close(): Promise<void> {
    for (const child of this.#alive) child.kill("SIGKILL")
    await Promise.all([...this.#alive].map(waitForExit))
  }

  #spawn(): StandbyServer {
    const child = fork(this.#program.file, {
      stdio: ["ignore", "ignore", "inherit", "ipc"],
      env: { ...process.env, NODE_COMPILE_CACHE: this.#program.compileCache }
    })
    this.#alive.add(child)
    child.once("exit", () => this.#alive.delete(child))
    const loadedPromise = waitForMessage(child, "Loaded").then(() => undefined)
    loadedPromise.catch(() => undefined)
    return { child, loaded: loadedPromise }
  }

  async #fill(slot: number): Promise<void> {
    const { child, loaded } = this.#standby
    // The standby process is replaced before the first `await`, because a concurrent call may need one for another
    // slot.
    this.#standby = this.#spawn()
    await loaded
    child.send(this.#place)
    const { url } = await waitForMessage(child, "Listening")
    this.#slots[slot] = { child, url }
    for (const wake of this.#waiters.splice(0)) wake()
  }
}
