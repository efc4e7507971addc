import { type ChildProcess, spawn } from "node:child_process"
import { closeSync, openSync, writeFileSync } from "node:fs"
import { readFile, rm } from "node:fs/promises"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import type { EvmChainId } from "@countersign/core/foundation/chains"
import { PRIVATE_FILE_MODE } from "../../src/storage/files/index.ts"
import { AnvilRpc } from "./AnvilRpc.ts"
import { anvilBinary } from "./anvilBinary.ts"
import { type HiddenEndpoint, hiddenAddress, hiddenPort } from "./hiddenEndpoint.ts"
import { endProcess, processOrNone } from "./processes.ts"

const START_TIMEOUT_MS = 120_000
const STOP_TIMEOUT_MS = 60_000
const POLL_MS = 5
const OWN_FILES_UMASK = 0o077

/**
 * Interval at which anvil stores its state. After a crash of the machine at most this much is lost. An orderly stop
 * always stores the complete state.
 */
const STATE_INTERVAL_SECONDS = 20
/** Number of past world states that anvil keeps for calls at earlier blocks. Each uses about 1 MB. */
const STATES_KEPT = 32
/** Number of blocks whose transactions, receipts and logs anvil keeps. Each uses about 20 kB. */
const BLOCKS_KEPT = 5_000

export const stateFile = (folder: string): string => join(folder, "state.json")
const pidFile = (folder: string): string => join(folder, "anvil.pid")

const argumentsFor = (
  chainId: EvmChainId,
  folder: string,
  { host, port }: HiddenEndpoint,
  baseFeePerGas: bigint
): ReadonlyArray<string> => [
  ...["--host", host, "--port", `${port}`, "--silent", "--no-cors", "--chain-id", `${chainId}`],
  ...["--state", stateFile(folder), "--state-interval", `${STATE_INTERVAL_SECONDS}`],
  ...["--prune-history", `${STATES_KEPT}`, "--transaction-block-keeper", `${BLOCKS_KEPT}`],
  ...["--gas-limit", "60000000", "--block-base-fee-per-gas", `${baseFeePerGas}`],
  ...["--order", "fifo", "--no-request-size-limit"]
]

/** A running anvil in its own process group, so that Ctrl-C in a terminal does not reach it. */
export class AnvilProcess {
  readonly pid: number
  readonly rpc: AnvilRpc
  readonly exited: Promise<void>
  readonly #child: ChildProcess
  readonly #folder: string

  constructor(child: ChildProcess, folder: string, exit: Promise<void>, rpc: AnvilRpc) {
    this.#child = child
    this.#folder = folder
    this.exited = exit
    this.pid = child.pid!
    this.rpc = rpc
  }

  /** Stops anvil. On SIGTERM it first stores its state. If it does not end in time, it gets SIGKILL. */
  async stop(signal: "SIGTERM" | "SIGKILL" = "SIGTERM"): Promise<void> {
    this.rpc.close()
    const killTimer = setTimeout(() => this.#child.kill("SIGKILL"), STOP_TIMEOUT_MS)
    this.#child.kill(signal)
    await this.exited
    clearTimeout(killTimer)
    await rm(pidFile(this.#folder), { force: true })
  }

  /** Ends anvil without waiting, for the exit of this process. */
  abandon(): void {
    this.#child.kill("SIGTERM")
  }
}

/** Returns whether this chain's anvil responds. False until it listens. */
const isResponding = (anvil: AnvilProcess, chainId: EvmChainId): Promise<boolean> =>
  anvil.rpc.call("eth_chainId").then(
    (reportedChainId) => Number(reportedChainId) === chainId,
    () => false
  )

/** Starts anvil on the chain data in `folder` and waits until it responds. */
export const startAnvil = async (chainId: EvmChainId, folder: string, baseFeePerGas: bigint): Promise<AnvilProcess> => {
  // The log is a file and not a pipe. anvil survives if its parent is killed, and would then fail because of the closed
  // pipe.
  const logFile = join(folder, "anvil.log")
  const endpoint = { host: hiddenAddress(), port: hiddenPort() }
  const log = openSync(logFile, "w", PRIVATE_FILE_MODE)
  // Prevents other users of the machine from reading anvil's state file.
  const umask = process.umask(OWN_FILES_UMASK)
  const child = spawn(anvilBinary(), argumentsFor(chainId, folder, endpoint, baseFeePerGas), {
    cwd: folder,
    env: {},
    detached: true,
    stdio: ["ignore", log, log]
  })
  process.umask(umask)
  closeSync(log)
  let endReason: string | undefined
  const exit = new Promise<void>((resolve) => {
    child.once("error", (cause) => {
      endReason = cause.message
      resolve()
    })
    child.once("exit", (code, signal) => {
      endReason = `the process exited with ${code ?? signal}`
      resolve()
    })
  })
  if (child.pid !== undefined) writeFileSync(pidFile(folder), `${child.pid}`, { mode: PRIVATE_FILE_MODE })

  const deadline = Date.now() + START_TIMEOUT_MS
  const anvil = new AnvilProcess(child, folder, exit, new AnvilRpc(endpoint.host, endpoint.port))
  while (endReason === undefined && Date.now() < deadline) {
    if (await isResponding(anvil, chainId)) return anvil
    await sleep(POLL_MS)
  }
  anvil.rpc.close()
  child.kill("SIGKILL")
  const logTail = (await readFile(logFile, "utf8")).trim().slice(-400)
  throw new Error(
    `anvil of chain ${chainId} did not start: ${endReason ?? "the process did not listen in time"}. ${logTail}`
  )
}

/**
 * Ends the anvil that a killed run has left running on this chain data, after it has stored its state. Does not end
 * other processes.
 */
export const reapOrphan = async (folder: string): Promise<void> => {
  const pid = Number(await readFile(pidFile(folder), "utf8").catch(() => "0"))
  if (!Number.isInteger(pid) || pid <= 0) return
  if (processOrNone(pid)?.commandLine.includes(stateFile(folder))) await endProcess(pid, STOP_TIMEOUT_MS)
  await rm(pidFile(folder), { force: true })
}
