import { type ChildProcess, spawn } from "node:child_process"
import { closeSync, openSync, writeFileSync } from "node:fs"
import { readFile, rm } from "node:fs/promises"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import type { EvmChainId } from "@countersign/core/foundation/chains"
import { PRIVATE_FILE_MODE } from "../../src/storage/files/index.ts"
import { AnvilRpc } from "./AnvilRpc.ts"
import { anvilBinary } from "./anvilBinary.ts"
import { hiddenAddress } from "./hiddenAddress.ts"
import { endProcess, processOrNone } from "./processes.ts"

const START_TIMEOUT_MS = 120_000
const STOP_TIMEOUT_MS = 60_000
const POLL_MS = 5
/** Any: the address is of this one anvil alone. */
const PORT = 8_545
const OWN_FILES_UMASK = 0o077

/** The state that a crash of the machine can cost; an orderly end, or an anvil that outlives us, dumps everything. */
const STATE_INTERVAL_SECONDS = 20
/** World states kept for calls at past blocks: about a megabyte each, and copied with every block. */
const STATES_KEPT = 32
/** Blocks whose transactions, receipts and logs are kept: about 20 kB each. */
const BLOCKS_KEPT = 5_000

export const stateFile = (folder: string): string => join(folder, "state.json")
const pidFile = (folder: string): string => join(folder, "anvil.pid")

const argumentsFor = (
  chainId: EvmChainId,
  folder: string,
  host: string,
  baseFeePerGas: bigint
): ReadonlyArray<string> => [
  ...["--host", host, "--port", `${PORT}`, "--silent", "--no-cors", "--chain-id", `${chainId}`],
  ...["--state", stateFile(folder), "--state-interval", `${STATE_INTERVAL_SECONDS}`],
  ...["--prune-history", `${STATES_KEPT}`, "--transaction-block-keeper", `${BLOCKS_KEPT}`],
  ...["--gas-limit", "60000000", "--block-base-fee-per-gas", `${baseFeePerGas}`],
  ...["--order", "fifo", "--no-request-size-limit"]
]

/** One running anvil. It belongs to a process group of its own, so that Ctrl-C in a terminal reaches it only through us. */
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

  /** SIGTERM makes it write its state first; a dump that takes too long is cut off. */
  async stop(signal: "SIGTERM" | "SIGKILL" = "SIGTERM"): Promise<void> {
    this.rpc.close()
    const insist = setTimeout(() => this.#child.kill("SIGKILL"), STOP_TIMEOUT_MS)
    this.#child.kill(signal)
    await this.exited
    clearTimeout(insist)
    await rm(pidFile(this.#folder), { force: true })
  }

  /** For the last moments of this process, when nothing can be waited for. */
  abandon(): void {
    this.#child.kill("SIGTERM")
  }
}

/** False while nothing listens yet. */
const answers = (anvil: AnvilProcess): Promise<boolean> =>
  anvil.rpc.call("eth_chainId").then(
    () => true,
    () => false
  )

/** Starts anvil on the chain data in `folder` and waits until it answers. */
export const startAnvil = async (chainId: EvmChainId, folder: string, baseFeePerGas: bigint): Promise<AnvilProcess> => {
  // A file and not a pipe: anvil outlives a killed parent, and must not stumble over a closed pipe.
  const logFile = join(folder, "anvil.log")
  const host = hiddenAddress()
  const log = openSync(logFile, "w", PRIVATE_FILE_MODE)
  // anvil writes its state with the rights of other programs' files.
  const umask = process.umask(OWN_FILES_UMASK)
  const child = spawn(anvilBinary(), argumentsFor(chainId, folder, host, baseFeePerGas), {
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
      endReason = `it ended with ${code ?? signal}`
      resolve()
    })
  })
  if (child.pid !== undefined) writeFileSync(pidFile(folder), `${child.pid}`, { mode: PRIVATE_FILE_MODE })

  const deadline = Date.now() + START_TIMEOUT_MS
  const anvil = new AnvilProcess(child, folder, exit, new AnvilRpc(host, PORT))
  while (endReason === undefined && Date.now() < deadline) {
    if (await answers(anvil)) return anvil
    await sleep(POLL_MS)
  }
  anvil.rpc.close()
  child.kill("SIGKILL")
  const logTail = (await readFile(logFile, "utf8")).trim().slice(-400)
  throw new Error(`anvil of chain ${chainId} did not start: ${endReason ?? "it never listened"}. ${logTail}`)
}

/** Ends the anvil that a killed run has left on this chain data, letting it write its state. Others are left alone. */
export const reapOrphan = async (folder: string): Promise<void> => {
  const pid = Number(await readFile(pidFile(folder), "utf8").catch(() => "0"))
  if (!Number.isInteger(pid) || pid <= 0) return
  if (processOrNone(pid)?.commandLine.includes(stateFile(folder))) await endProcess(pid, STOP_TIMEOUT_MS)
  await rm(pidFile(folder), { force: true })
}
