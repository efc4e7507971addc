import { Context, type Effect, Schema } from "effect"
import type { UpstreamUnavailable } from "../../foundation/errors/index.ts"
import type { BitcoinAddress, Hash32, HexBytes } from "../../foundation/primitives/index.ts"
import type { PreviousOutput } from "./BitcoinTransactions.ts"

/** The balance of an address, in satoshis. */
export interface BitcoinBalance {
  readonly confirmed: bigint
  /** The balance change that unconfirmed transactions cause. Negative for a decrease. */
  readonly unconfirmed: bigint
}

/** The operator has not configured a Bitcoin server. */
export class NoBitcoinSource extends Schema.TaggedError<NoBitcoinSource>("core/bitcoin/NoBitcoinSource")(
  "NO_BITCOIN_SOURCE",
  {}
) {
  override get message(): string {
    return "No Bitcoin data source is configured. The operator can set one with ESPLORA_URLS."
  }
}

export interface BitcoinBlock {
  readonly hash: Hash32
  readonly height: number
}

export interface BitcoinBlockContent {
  /** The hash of the previous block. */
  readonly previous: Hash32
  readonly minedAtMs: number
  /** In block order, starting with the coinbase transaction. */
  readonly transactions: ReadonlyArray<BitcoinTransaction>
}

/** An output that is unspent according to the queried server. */
export interface Utxo extends PreviousOutput {
  /** Null while its transaction is unconfirmed. */
  readonly block: BitcoinBlock | null
  /**
   * True for an immature coinbase output (fewer than 100 confirmations). For a mature one it may be true or false,
   * depending on the server's response.
   */
  readonly isCoinbase: boolean
}

/** A confirmed transaction, or an unconfirmed one in a server's mempool. */
export interface BitcoinTransaction {
  readonly txid: Hash32
  /** A coinbase input has an empty script and a zero value. */
  readonly inputs: ReadonlyArray<PreviousOutput & { readonly sequence: number }>
  readonly outputs: ReadonlyArray<{ readonly script: HexBytes; readonly value: bigint }>
  readonly lockTime: number
  /** In satoshis. */
  readonly fee: bigint
  /** In weight units (BIP-141). */
  readonly weight: number
  readonly isCoinbase: boolean
  /** Null while unconfirmed. `minedAtMs` is the block's timestamp. */
  readonly block: (BitcoinBlock & { readonly minedAtMs: number }) | null
}

/** The relay policy of nodes, in satoshis per 1,000 virtual bytes. */
export interface RelayRates {
  /** Minimum fee rate of transactions that nodes relay. */
  readonly minRate: bigint
  /**
   * Fee rate for BIP-125, rule 4: the fee of a replacement must exceed the fees of the replaced transactions by at
   * least this rate times the size of the replacement.
   */
  readonly incremental: bigint
}

/** The defaults of Bitcoin Core before version 29.1, for nodes that do not report their rates. */
export const DEFAULT_RELAY_RATES: RelayRates = { minRate: 1_000n, incremental: 1_000n }

/** A node rejected the broadcast of a transaction. */
export class BroadcastRefused extends Schema.TaggedError<BroadcastRefused>("core/bitcoin/BroadcastRefused")(
  "BROADCAST_REFUSED",
  {
    /** The node's error message. */
    reason: Schema.String,
    /**
     * TAKEN: another transaction spends its UTXOs, or the node does not have them. KNOWN: a block already includes it.
     * POLICY: the node's policy rejects it at present, for example because its fee is too low, so a retry may succeed.
     * INVALID: the node rejects it for another reason. UNDECIDED: a node rejects it, and another one, which may have
     * accepted it, does not respond.
     */
    kind: Schema.Literals(["TAKEN", "KNOWN", "POLICY", "INVALID", "UNDECIDED"])
  }
) {
  override get message(): string {
    return `The Bitcoin node rejected the transaction: ${this.reason}`
  }
}

type Read<A, E = never> = Effect.Effect<A, E | UpstreamUnavailable | NoBitcoinSource>

/** Reads the Bitcoin blockchain and mempool, and broadcasts transactions. */
export class BitcoinChain extends Context.Service<
  BitcoinChain,
  {
    readonly balanceOf: (address: BitcoinAddress) => Read<BitcoinBalance>
    /** The latest block. */
    readonly tip: Read<BitcoinBlock>
    /** The height of the latest block. */
    readonly tipHeight: Read<number>
    /**
     * The height that the operator's own node has verified. Without an own node, or if it does not respond, the height
     * that at least two servers have reached, so that a single server can't raise it. If only one server responds, its
     * height.
     */
    readonly agreedHeight: Read<number>
    /** Returns the hash of the block at this height. Null above the tip. */
    readonly blockHash: (height: number) => Read<Hash32 | null>
    /** Returns all UTXOs of an address, including outputs of unconfirmed transactions. */
    readonly utxosOf: (address: BitcoinAddress) => Read<ReadonlyArray<Utxo>>
    /** Returns a transaction. Null if it is neither confirmed nor in the mempool. */
    readonly findTransaction: (txid: Hash32) => Read<BitcoinTransaction | null>
    /** Returns the serialized transaction with signatures. Null if it is neither confirmed nor in the mempool. */
    readonly findTransactionBytes: (txid: Hash32) => Read<HexBytes | null>
    /** Returns the txid of the transaction that spends an output. Null if the output is unspent. */
    readonly spenderOf: (output: Pick<PreviousOutput, "txid" | "vout">) => Read<Hash32 | null>
    /**
     * Returns a page of the transactions that pay to an address or spend from it: unconfirmed ones first, then from the
     * latest block backward. `after` is the last transaction of the previous page. An empty page is the end.
     */
    readonly transactionsOf: (address: BitcoinAddress, after: Hash32 | null) => Read<ReadonlyArray<BitcoinTransaction>>
    readonly block: (hash: Hash32) => Read<BitcoinBlockContent>
    /**
     * Fee rates in satoshis per 1,000 virtual bytes, by number of blocks. A transaction with a rate is likely to be
     * confirmed within its number of blocks. Sorted by number of blocks.
     */
    readonly feeRates: Read<ReadonlyMap<number, bigint>>
    readonly relayRates: Read<RelayRates>
    /** Broadcasts a signed transaction. A repeated broadcast succeeds while the transaction is unconfirmed. */
    readonly broadcast: (transaction: HexBytes) => Read<void, BroadcastRefused>
  }
>()("@countersign/core/bitcoin/BitcoinChain") {}
