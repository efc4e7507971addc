import { Context, type Effect, Schema } from "effect"
import type { UpstreamUnavailable } from "../../foundation/errors/index.ts"
import type { BitcoinAddress, Hash32, HexBytes } from "../../foundation/primitives/index.ts"
import type { PreviousOutput } from "./BitcoinTransactions.ts"

/** In satoshis. */
export interface BitcoinBalance {
  /** The confirmed balance. */
  readonly confirmed: bigint
  /** The balance change by unconfirmed transactions, negative for a decrease. */
  readonly unconfirmed: bigint
}

/** The operator has configured no server for Bitcoin. */
export class NoBitcoinSource extends Schema.TaggedError<NoBitcoinSource>("core/bitcoin/NoBitcoinSource")(
  "NO_BITCOIN_SOURCE",
  {}
) {
  override get message(): string {
    return "No Bitcoin data source is configured. The operator sets one with ESPLORA_URLS."
  }
}

/** A Bitcoin block. */
export interface BitcoinBlock {
  readonly hash: Hash32
  readonly height: number
}

/** The content of a block. */
export interface BitcoinBlockContent {
  /** The hash of the previous block. */
  readonly previous: Hash32
  readonly minedAtMs: number
  /** In block order, the coinbase transaction first. */
  readonly transactions: ReadonlyArray<BitcoinTransaction>
}

/** An unspent output, as far as the queried server knows. */
export interface Utxo extends PreviousOutput {
  /** Null while its transaction is unconfirmed. */
  readonly block: BitcoinBlock | null
  /** False once the coinbase output is mature, which is after a hundred blocks. */
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
  /** The minimum fee rate of a relayed transaction. */
  readonly minRate: bigint
  /** The fee rate by which a replacement must exceed the earlier fee, for its own size (BIP-125, rule 4). */
  readonly incremental: bigint
}

/** The defaults of Bitcoin Core before version 29.1, for nodes that do not report their rates. */
export const DEFAULT_RELAY_RATES: RelayRates = { minRate: 1_000n, incremental: 1_000n }

/** The rejection of a transaction by a node. */
export class BroadcastRefused extends Schema.TaggedError<BroadcastRefused>("core/bitcoin/BroadcastRefused")(
  "BROADCAST_REFUSED",
  {
    /** The node's error message. */
    reason: Schema.String,
    /**
     * TAKEN: another transaction spends its UTXOs, or they are unknown. KNOWN: a block already includes it. POLICY: its
     * fee is too low at present, or the mempool is full, so a retry may succeed. INVALID: every node rejects it
     * permanently.
     */
    kind: Schema.Literals(["TAKEN", "KNOWN", "POLICY", "INVALID"])
  }
) {
  override get message(): string {
    return `The Bitcoin node refused the transaction: ${this.reason}`
  }
}

type Read<A, E = never> = Effect.Effect<A, E | UpstreamUnavailable | NoBitcoinSource>

/** The Bitcoin blockchain and mempool. */
export class BitcoinChain extends Context.Service<
  BitcoinChain,
  {
    readonly balance: (address: BitcoinAddress) => Read<BitcoinBalance>
    /** The latest block. */
    readonly tip: Read<BitcoinBlock>
    /** The height of the latest block. */
    readonly tipHeight: Read<number>
    /** The height that the operator's node verified, or else that two servers report. One server can't raise it. */
    readonly agreedHeight: Read<number>
    /** The hash of the block at this height; null above the tip. */
    readonly blockHash: (height: number) => Read<Hash32 | null>
    /** All UTXOs of an address, including the outputs of unconfirmed transactions. */
    readonly utxos: (address: BitcoinAddress) => Read<ReadonlyArray<Utxo>>
    /** Null if neither the chain nor the mempool has the transaction. */
    readonly transaction: (txid: Hash32) => Read<BitcoinTransaction | null>
    /** The serialized transaction with signatures; null if the transaction is unknown. */
    readonly transactionBytes: (txid: Hash32) => Read<HexBytes | null>
    /** The transaction that spends an output; null if the output is unspent. */
    readonly spender: (output: Pick<PreviousOutput, "txid" | "vout">) => Read<Hash32 | null>
    /**
     * Transactions that pay to or spend from an address: unconfirmed ones first, then from the latest block on. `after`
     * is the last transaction of the previous page; an empty page is the end.
     */
    readonly transactionsOf: (address: BitcoinAddress, after: Hash32 | null) => Read<ReadonlyArray<BitcoinTransaction>>
    readonly block: (hash: Hash32) => Read<BitcoinBlockContent>
    /**
     * Fee rates in satoshis per 1,000 virtual bytes, by number of blocks. At a rate, a transaction is likely confirmed
     * within its number of blocks. Sorted by number of blocks.
     */
    readonly feeRates: Read<ReadonlyMap<number, bigint>>
    readonly relayRates: Read<RelayRates>
    /** Broadcasts a signed transaction. A repeated broadcast succeeds while the transaction is unconfirmed. */
    readonly broadcast: (transaction: HexBytes) => Read<void, BroadcastRefused>
  }
>()("@countersign/core/bitcoin/BitcoinChain") {}
