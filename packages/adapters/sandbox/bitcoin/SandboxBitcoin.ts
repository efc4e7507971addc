import { type ChildProcess, fork } from "node:child_process"
import { closeSync, mkdirSync, openSync } from "node:fs"
import { readFile, rm } from "node:fs/promises"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { PRIVATE_FILE_MODE } from "../../src/storage/files/index.ts"
import { hiddenAddress } from "../anvil/hiddenEndpoint.ts"
import type { SandboxClock } from "../network/SandboxClock.ts"
import { SandboxError } from "../SandboxError.ts"
import { type BitcoinKey, exampleBitcoinKeys, sandboxBitcoinKeys } from "./bitcoinKeys.ts"
import { checkoutFile } from "./checkout.ts"

/** Module that resolves imports of the packages to their sources, as in the sandbox's own process. */
const SOURCES = "cli/src/sources.mjs"
const PROGRAM = "adapters/sandbox/bitcoin/node/main.ts"

const START_TIMEOUT_MS = 120_000
const STOP_TIMEOUT_MS = 60_000
const BLOCK_EVERY_MS = 4_000
/** UTXOs of each wallet, in satoshis. There are two, so that one can be spent while the other is pending. */
const FIRST_UTXOS: ReadonlyArray<number> = [100_000_000, 50_000_000]
const PRIVATE_FOLDER_MODE = 0o700

interface RunningNode {
  readonly child: ChildProcess
  readonly url: string
}

/** Requests that control the chain. */
export type BitcoinControl =
  | { readonly mine: number; readonly address?: string }
  | { readonly reorg: number }
  | { readonly satoshisPerVbyte: number }
  | { readonly hasBlocks: boolean }
  | { readonly address: string; readonly satoshis: number }
  | { readonly status: true }

export interface BitcoinStatus {
  readonly height: number
  readonly waiting: number
  readonly satoshisPerVbyte: number
  /** Whether the chain mines blocks automatically. */
  readonly hasBlocks: boolean
  /** Id of the transaction that a request sent; null for other requests. */
  readonly txid: string | null
}

const portOf = (child: ChildProcess): Promise<number> =>
  new Promise((resolve, reject) => {
    const startTimeout = setTimeout(() => reject(new Error("the process did not listen in time")), START_TIMEOUT_MS)
    const settle = (end: () => void) => () => {
      clearTimeout(startTimeout)
      end()
    }
    child.once("message", ({ port }: { readonly port: number }) => settle(() => resolve(port))())
    child.once("error", (cause) => settle(() => reject(cause))())
    child.once("exit", (code, signal) => settle(() => reject(new Error(`the process exited with ${code ?? signal}`)))())
  })

/**
 * The sandbox's Bitcoin chain: regtest rules with mainnet address formats. The first request starts it in its own
 * process, so that it does not delay the start of the sandbox.
 */
export class SandboxBitcoin {
  readonly wallets: ReadonlyArray<BitcoinKey> = sandboxBitcoinKeys()
  readonly #folder: string
  readonly #clock: SandboxClock
  readonly #blockEveryMs: number
  #running: Promise<RunningNode> | undefined

  constructor(home: string, clock: SandboxClock, blockEveryMs = BLOCK_EVERY_MS) {
    this.#blockEveryMs = blockEveryMs
    this.#folder = join(home, "bitcoin")
    this.#clock = clock
  }

  get isRunning(): boolean {
    return this.#running !== undefined
  }

  /** Returns the URL of the process's own Esplora API, which is reachable only from this machine. */
  async ownUrl(): Promise<string> {
    return `${(await this.#ensure()).url}/esplora`
  }

  /** Forwards a request to Esplora's HTTP API. */
  async forward(method: string, path: string, body: string) {
    const response = await fetch(`${await this.ownUrl()}${path}`, method === "POST" ? { method, body } : {})
    const type = response.headers.get("content-type") ?? "text/plain"
    return { status: response.status, body: await response.text(), headers: { "content-type": type } }
  }

  async control(request: object): Promise<BitcoinStatus> {
    const { url } = await this.#ensure()
    const response = await fetch(`${url}/control`, { method: "POST", body: JSON.stringify(request) })
    if (response.ok) return (await response.json()) as BitcoinStatus
    throw new SandboxError({ message: await response.text() })
  }

  async followClock(): Promise<void> {
    if (this.#running !== undefined) await this.control({ clockOffsetSeconds: this.#clock.offsetSeconds })
  }

  async reset(): Promise<void> {
    await this.close()
    await rm(this.#folder, { recursive: true, force: true })
  }

  async close(): Promise<void> {
    const runningNode = await this.#running?.catch(() => undefined)
    this.#running = undefined
    if (runningNode === undefined || runningNode.child.exitCode !== null || runningNode.child.signalCode !== null)
      return
    const exitPromise = new Promise<void>((resolve) => runningNode.child.once("exit", () => resolve()))
    const killTimer = setTimeout(() => runningNode.child.kill("SIGKILL"), STOP_TIMEOUT_MS)
    runningNode.child.kill("SIGTERM")
    await exitPromise
    clearTimeout(killTimer)
  }

  #ensure(): Promise<RunningNode> {
    this.#running ??= this.#start().catch((cause: unknown) => {
      this.#running = undefined
      throw cause
    })
    return this.#running
  }

  async #start(): Promise<RunningNode> {
    mkdirSync(this.#folder, { recursive: true, mode: PRIVATE_FOLDER_MODE })
    const host = hiddenAddress()
    const logFile = join(this.#folder, "node.log")
    const log = openSync(logFile, "w", PRIVATE_FILE_MODE)
    const options = {
      folder: this.#folder,
      host,
      clockOffsetSeconds: this.#clock.offsetSeconds,
      blockEveryMs: this.#blockEveryMs,
      firstPayments: [...this.wallets, ...Object.values(exampleBitcoinKeys())].flatMap(({ address }) =>
        FIRST_UTXOS.map((satoshis) => ({ address, satoshis }))
      )
    }
    const child = fork(checkoutFile(PROGRAM), [JSON.stringify(options)], {
      stdio: ["ignore", log, log, "ipc"],
      env: {},
      execArgv: [`--import=${pathToFileURL(checkoutFile(SOURCES)).href}`]
    })
    closeSync(log)
    try {
      const port = await portOf(child)
      child.once("exit", () => {
        this.#running = undefined
      })
      child.unref()
      child.channel?.unref()
      return { child, url: `http://${host}:${port}` }
    } catch (cause) {
      child.kill("SIGKILL")
      const tail = (await readFile(logFile, "utf8")).trim().slice(-400)
      throw new SandboxError({ message: `The sandbox's Bitcoin chain did not start: ${String(cause)}. ${tail}`, cause })
    }
  }
}
