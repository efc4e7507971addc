import { Context, type Effect, Schema } from "effect"
import type { UpstreamUnavailable } from "../../foundation/errors/index.ts"
import type { BitcoinAddress, Hash32, HexBytes } from "../../foundation/primitives/index.ts"
import type { PreviousOutput } from "./BitcoinTransactions.ts"

/** In satoshis. */
export interface BitcoinBalance {
  /** What is in blocks. */
  readonly confirmed: bigint
  /** What waiting transactions add, or take where it is below zero. */
  readonly unconfirmed: bigint
}

/** The operator has named no host that Bitcoin's chain could be read from. */
export class NoBitcoinSource extends Schema.TaggedError<NoBitcoinSource>("core/bitcoin/NoBitcoinSource")(
  "NO_BITCOIN_SOURCE",
  {}
) {
  override get message(): string {
    return "No source of Bitcoin's chain is configured. The operator names one with ESPLORA_URLS."
  }
}

/** A block of Bitcoin's chain. */
export interface BitcoinBlock {
  readonly hash: Hash32
  readonly height: number
}

/** All of a block. */
export interface BitcoinBlockContent {
  /** The hash of the block before it. */
  readonly previous: Hash32
  readonly minedAtMs: number
  /** In its order, the miner's first. */
  readonly transactions: ReadonlyArray<BitcoinTransaction>
}

/** An output that no transaction has spent, as far as the asked host knows. */
export interface BitcoinCoin extends PreviousOutput {
  /** Null while its transaction waits for a block. */
  readonly block: BitcoinBlock | null
  /** Told while it matters: coins of a miner can be spent a hundred blocks later. */
  readonly isCoinbase: boolean
}

/** A transaction as the chain, or a host's list of waiting ones, has it. */
export interface BitcoinTransaction {
  readonly txid: Hash32
  /** Empty scripts and zero values for what a coinbase spends. */
  readonly inputs: ReadonlyArray<PreviousOutput & { readonly sequence: number }>
  readonly outputs: ReadonlyArray<{ readonly script: HexBytes; readonly value: bigint }>
  readonly lockTime: number
  /** In satoshis. */
  readonly fee: bigint
  /** In weight units (BIP-141). */
  readonly weight: number
  readonly isCoinbase: boolean
  /** Null while it waits for a block. `minedAtMs` is what the block says. */
  readonly block: (BitcoinBlock & { readonly minedAtMs: number }) | null
}

/** What nodes relay, in satoshis per 1,000 virtual bytes. */
export interface RelayRates {
  /** The lowest rate of a transaction. */
  readonly least: bigint
  /** What a replacement adds to the earlier fee for its own size (BIP-125, rule 4). */
  readonly incremental: bigint
}

/** For nodes that do not report them: the defaults of Bitcoin Core before version 29.1. */
export const DEFAULT_RELAY_RATES: RelayRates = { least: 1_000n, incremental: 1_000n }

/** Why a node did not take a transaction. */
export class BroadcastRefused extends Schema.TaggedError<BroadcastRefused>("core/bitcoin/BroadcastRefused")(
  "BROADCAST_REFUSED",
  {
    /** In the node's words. */
    reason: Schema.String,
    /**
     * TAKEN: another transaction has its coins, or they are unknown. KNOWN: it is in a block already. POLICY: its fee is too
     * low now, or the node's list is full, which may pass. INVALID: no node takes it ever.
     */
    kind: Schema.Literals(["TAKEN", "KNOWN", "POLICY", "INVALID"])
  }
) {
  override get message(): string {
    return `The Bitcoin node refused the transaction: ${this.reason}`
  }
}

type Read<A, E = never> = Effect.Effect<A, E | UpstreamUnavailable | NoBitcoinSource>

/** Bitcoin's chain and the transactions that wait for it. */
export class BitcoinChain extends Context.Service<
  BitcoinChain,
  {
    readonly balance: (address: BitcoinAddress) => Read<BitcoinBalance>
    /** The latest block. */
    readonly tip: Read<BitcoinBlock>
    /** The height of the latest block. */
    readonly tipHeight: Read<number>
    /** The height that a node of the operator has verified, or that two servers report if several answer. One server can't raise it. */
    readonly agreedHeight: Read<number>
    /** The hash of the block at this height; null above the tip. */
    readonly blockHash: (height: number) => Read<Hash32 | null>
    /** All coins of an address, those of waiting transactions included. */
    readonly coins: (address: BitcoinAddress) => Read<ReadonlyArray<BitcoinCoin>>
    /** Null where neither the chain nor the list of waiting transactions has it. */
    readonly transaction: (txid: Hash32) => Read<BitcoinTransaction | null>
    /** All bytes of a transaction, signatures included; null where it is unknown. */
    readonly transactionBytes: (txid: Hash32) => Read<HexBytes | null>
    /** The transaction that spends an output; null while none does. */
    readonly spender: (output: Pick<PreviousOutput, "txid" | "vout">) => Read<Hash32 | null>
    /**
     * Transactions that pay to or spend from an address: waiting ones first, then the latest block's. A page goes on after
     * `after`, the last of the page before; an empty page is the end.
     */
    readonly transactionsOf: (address: BitcoinAddress, after: Hash32 | null) => Read<ReadonlyArray<BitcoinTransaction>>
    readonly block: (hash: Hash32) => Read<BitcoinBlockContent>
    /** In satoshis per 1,000 virtual bytes, so that a block within that many is likely; by ascending number of blocks. */
    readonly feeRates: Read<ReadonlyMap<number, bigint>>
    readonly relayRates: Read<RelayRates>
    /** Hands a signed transaction in. The same one again is no failure while it waits. */
    readonly broadcast: (transaction: HexBytes) => Read<void, BroadcastRefused>
  }
>()("@countersign/core/bitcoin/BitcoinChain") {}
