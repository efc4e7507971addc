import { createRequire } from "node:module"
import { SandboxError } from "../../SandboxError.ts"

/** Types for the used part of bcoin, which has no types. Hashes are hexadecimal, in wire byte order. */
export interface NodeTransaction {
  readonly inputs: ReadonlyArray<{ readonly prevout: { readonly hash: string; readonly index: number } }>
  toRaw(): Buffer
  hash(encoding: "hex"): string
  isCoinbase(): boolean
}

export interface NodeBlock {
  readonly txs: ReadonlyArray<NodeTransaction>
  readonly time: number
  toRaw(): Buffer
  rhash(): string
}

export interface NodeEntry {
  readonly height: number
  readonly time: number
  rhash(): string
}

export interface NodeChain {
  readonly tip: NodeEntry
  readonly height: number
  on(event: "connect" | "disconnect", listener: (entry: NodeEntry, block: NodeBlock) => void): void
  add(block: NodeBlock): Promise<NodeEntry | null>
  getEntry(height: number): Promise<NodeEntry | null>
}

export interface NodeMempool {
  readonly map: ReadonlyMap<string, { readonly tx: NodeTransaction }>
  /** Returns null if the transaction is accepted, or the hashes of its unknown parents. Throws if a rule forbids it. */
  addTX(transaction: NodeTransaction): Promise<ReadonlyArray<string> | null>
  evictEntry(entry: { readonly tx: NodeTransaction }): void
  removeOrphan(hash: string): void
}

export interface FullNode {
  readonly chain: NodeChain
  readonly mempool: NodeMempool
  readonly network: { readonly time: { offset: number } }
  readonly miner: {
    readonly cpu: {
      createJob(parent: NodeEntry | null, address: unknown): Promise<{ mineAsync(): Promise<NodeBlock> }>
    }
  }
  http: { open(): Promise<void>; close(): Promise<void> }
  open(): Promise<void>
  close(): Promise<void>
}

interface UtxoView {
  getOutput(previous: unknown): { readonly script: { readonly raw: Buffer }; readonly value: number } | null
}

type Check = (
  this: NodeTransaction & { checkInput(index: number, utxo: unknown, flags: number): void },
  view: UtxoView,
  flags: number
) => void

export interface Bcoin {
  readonly FullNode: new (options: object) => FullNode
  readonly Block: { fromRaw(bytes: Buffer): NodeBlock }
  readonly TX: { fromRaw(bytes: Buffer): NodeTransaction; readonly prototype: { check: Check } }
  readonly Script: { fromRaw(bytes: Buffer): unknown; readonly flags: { readonly VERIFY_WITNESS: number } }
  readonly Address: { fromScript(script: unknown): unknown }
}

export type ScriptErrorOf = new (code: string, message: string) => Error

/** Loads bcoin, which is installed only in this workspace, because a service does not need it. */
export const loadBcoin = (): { readonly bcoin: Bcoin; readonly ScriptError: ScriptErrorOf } => {
  // Selects the JavaScript cryptography, because the native module is not installed.
  process.env.NODE_BACKEND = "js"
  const require = createRequire(import.meta.url)
  try {
    return {
      bcoin: require("bcoin") as Bcoin,
      ScriptError: require("bcoin/lib/script/scripterror") as ScriptErrorOf
    }
  } catch (cause) {
    throw new SandboxError({
      message:
        "The sandbox runs Bitcoin on bcoin, which is not installed. A service on the real chain does not need it. " +
        "In a checkout of Countersign, run `npm ci` without --omit=dev.",
      cause
    })
  }
}
