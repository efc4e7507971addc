import { Context, type Effect, Schema } from "effect"
import type { UpstreamUnavailable } from "../errors/index.ts"
import type { BitcoinAddress } from "../primitives/index.ts"

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

/** Reads of Bitcoin's chain. */
export class BitcoinChain extends Context.Service<
  BitcoinChain,
  {
    readonly balance: (address: BitcoinAddress) => Effect.Effect<BitcoinBalance, UpstreamUnavailable | NoBitcoinSource>
    /** The height of the latest block. */
    readonly tipHeight: Effect.Effect<number, UpstreamUnavailable | NoBitcoinSource>
  }
>()("@countersign/core/bitcoin/BitcoinChain") {}
