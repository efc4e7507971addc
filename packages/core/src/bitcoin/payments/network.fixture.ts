import { Effect, Layer, Result } from "effect"
import { UpstreamUnavailable } from "../../foundation/errors/index.ts"
import { aHash } from "../../foundation/primitives/ids.fixture.ts"
import { type Hash32, HexBytes } from "../../foundation/primitives/index.ts"
import type { BitcoinTerms } from "../../operations/intents/index.ts"
import {
  type BitcoinBlock,
  BitcoinChain,
  type BitcoinTransaction,
  BitcoinTransactions,
  BroadcastRefused
} from "../chain/index.ts"

type KnownTransaction = Omit<BitcoinTransaction, "block">

/** Returns a signed version of a transaction in this test network. A different `variant` is a different signature. */
export const signedBytes = (txid: Hash32, variant = "5a"): HexBytes => HexBytes.make(`0x02${txid.slice(2)}${variant}`)

export const aKnownTransaction = (
  txid: Hash32,
  { inputs, outputs }: Pick<BitcoinTerms, "inputs" | "outputs">
): KnownTransaction => ({
  txid,
  inputs: inputs.map((input) => ({ ...input, sequence: 0xffff_fffd })),
  outputs,
  fee: [...inputs].reduce((sum, { value }) => sum + value, 0n) - outputs.reduce((sum, { value }) => sum + value, 0n),
  weight: 400,
  lockTime: 0,
  isCoinbase: false
})

/** A simulated Bitcoin network, as seen by one node: blocks, mempool and transactions. */
export class Network {
  readonly blocks: Array<BitcoinBlock & { readonly txids: ReadonlyArray<Hash32> }> = []
  readonly waitingTxids = new Set<Hash32>()
  readonly knownTransactions = new Map<Hash32, KnownTransaction>()
  readonly sentTxids: Array<Hash32> = []
  /** Maps on-chain txids to txids without signatures, for transactions with signatures outside the witness. */
  readonly unsignedIds = new Map<Hash32, Hash32>()
  /** The node's response to every broadcast. Null if it accepts valid transactions. */
  refusal: BroadcastRefused | null = null
  isDown = false
  /** The height of the last block whose transactions the node has read. Null if it has read all blocks. */
  readHeight: number | null = null

  readonly blockOf = (txid: Hash32) => this.blocks.find(({ txids }) => txids.includes(txid)) ?? null
  readonly has = (txid: Hash32) => this.waitingTxids.has(txid) || this.blockOf(txid) !== null
  readonly spenderOf = ({ txid, vout }: { readonly txid: Hash32; readonly vout: number }) =>
    [...this.knownTransactions.values()].find(
      (one) => this.has(one.txid) && one.inputs.some((input) => input.txid === txid && input.vout === vout)
    )?.txid ?? null

  /** Mines a block with these transactions, and then `more` empty blocks. */
  readonly mine = (txids: ReadonlyArray<Hash32>, more = 0) => {
    for (const txid of txids) this.waitingTxids.delete(txid)
    const block = (list: ReadonlyArray<Hash32>) =>
      this.blocks.push({ hash: aHash(), height: this.blocks.length, txids: list })
    block(txids)
    for (let i = 0; i < more; i++) block([])
  }

  /**
   * Replaces the last blocks with empty ones. Their transactions return to the mempool. If `isDropped` is set, they are
   * dropped instead.
   */
  readonly reorg = (count: number, isDropped = false) => {
    const replacedBlocks = this.blocks.splice(-count)
    this.mine([], count - 1)
    if (!isDropped) for (const txid of replacedBlocks.flatMap(({ txids }) => txids)) this.waitingTxids.add(txid)
  }

  /**
   * Removes the last block, which created the UTXOs of unconfirmed transactions, and clears the mempool. The node then
   * rejects every broadcast.
   */
  readonly loseUtxos = () => {
    this.reorg(1, true)
    this.waitingTxids.clear()
    this.refusal = new BroadcastRefused({ kind: "TAKEN", reason: "bad-txns-inputs-missingorspent" })
  }

  /** Adds a transaction that replaces the conflicting unconfirmed transactions. */
  readonly replace = (replacement: KnownTransaction) => {
    this.knownTransactions.set(replacement.txid, replacement)
    for (const input of replacement.inputs) {
      const previousSpender = this.spenderOf(input)
      if (previousSpender !== null) this.waitingTxids.delete(previousSpender)
    }
    this.waitingTxids.add(replacement.txid)
  }

  readonly transactionOf = (txid: Hash32): BitcoinTransaction | null => {
    const knownTransaction = this.knownTransactions.get(txid)
    const block = this.blockOf(txid)
    if (knownTransaction === undefined || !this.has(txid)) return null
    const isUnread = block !== null && this.readHeight !== null && block.height > this.readHeight
    return {
      ...knownTransaction,
      block: block === null || isUnread ? null : { hash: block.hash, height: block.height, minedAtMs: 1_000 }
    }
  }

  readonly take = (bytes: HexBytes): BroadcastRefused | null => {
    const txid = `0x${bytes.slice(4, 68)}` as Hash32
    this.sentTxids.push(txid)
    const knownTransaction = this.knownTransactions.get(txid)
    if (this.refusal !== null) return this.refusal
    if (this.blockOf(txid) !== null) return new BroadcastRefused({ kind: "KNOWN", reason: "already in block chain" })
    const hasConflict = knownTransaction?.inputs.some((input) => (this.spenderOf(input) ?? txid) !== txid) ?? true
    if (hasConflict) return new BroadcastRefused({ kind: "TAKEN", reason: "txn-mempool-conflict" })
    this.waitingTxids.add(txid)
    return null
  }
}

const outpointsText = (inputs: BitcoinTerms["inputs"] | KnownTransaction["inputs"]) =>
  inputs.map(({ txid, vout }) => `${txid}:${vout}`).join()
const outputsText = (outputs: BitcoinTerms["outputs"]) =>
  outputs.map(({ script, value }) => `${script}:${value}`).join()

const failIfCalled = (): never => {
  throw new Error("The tracking of payments creates none")
}

/** Provides the ports that payment tracking needs, implemented on this network. */
export const networkPorts = (network: Network) => {
  const readNetwork = <A>(response: () => A) =>
    Effect.suspend(() =>
      network.isDown
        ? Effect.fail(new UpstreamUnavailable({ upstream: "Esplora", reason: "it is down" }))
        : Effect.sync(response)
    )
  return Layer.merge(
    Layer.mock(BitcoinChain, {
      tipHeight: readNetwork(() => network.blocks.length - 1),
      blockHash: (height) => readNetwork(() => network.blocks[height]?.hash ?? null),
      findTransaction: (txid) => readNetwork(() => network.transactionOf(txid)),
      spenderOf: (output) => readNetwork(() => network.spenderOf(output)),
      broadcast: (bytes) =>
        Effect.flatMap(
          readNetwork(() => network.take(bytes)),
          (refusal) => (refusal === null ? Effect.void : Effect.fail(refusal))
        )
    }),
    Layer.mock(BitcoinTransactions, {
      scriptOf: failIfCalled,
      addressOf: failIfCalled,
      buildPsbt: ({ inputs, outputs }) => {
        const isIt = (one: KnownTransaction) =>
          outpointsText(one.inputs) === outpointsText(inputs) && outputsText(one.outputs) === outputsText(outputs)
        const txid = [...network.knownTransactions.values()].find(isIt)?.txid ?? aHash()
        return { txid: network.unsignedIds.get(txid) ?? txid, psbt: HexBytes.make("0x") }
      },
      verifySigned: (submittedBytes, { txid }) =>
        submittedBytes.startsWith(`0x02${txid.slice(2)}`)
          ? Result.succeed({ txid, bytes: submittedBytes })
          : Result.fail({ code: "not_as_quoted" as const, reason: "It is another transaction." })
    })
  )
}
