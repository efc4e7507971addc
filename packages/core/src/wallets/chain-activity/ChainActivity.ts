import { Context, type Effect, type Option } from "effect"
import type { EvmChainId } from "../../foundation/chains/index.ts"
import type { UpstreamUnavailable } from "../../foundation/errors/index.ts"
import type { Address, Hash32 } from "../../foundation/primitives/index.ts"
import type { BlockGone, BlockMark, BlockRange, RangeRefused } from "../../trading/pools/index.ts"
import type { Evidence, Touch } from "./Activity.ts"

/**
 * How coin is looked for: not at all; in every block of the range, of which each is read; or where the balances of the
 * accounts changed, for which nodes must have the state of past blocks. Where they don't, no coin is found. Nor is coin
 * that came and went again between two operations of an account and left no difference.
 */
export type CoinSearch = "NONE" | "EVERY_BLOCK" | "CHANGED_BALANCES"

export interface ActivityRequest {
  readonly range: BlockRange
  /** Touches of these accounts alone; null for those of every account. */
  readonly among: ReadonlyArray<Address> | null
  readonly coin: CoinSearch
  /** The block before the range, which has to be in the chain still; null where that does not matter. */
  readonly anchor: BlockMark | null
}

export interface BlocksRead {
  /** The blocks of the range, where every block was read; else the last one alone. */
  readonly marks: ReadonlyArray<BlockMark>
  readonly touches: ReadonlyArray<Touch>
  /** Whether the node told of coin that calls inside transactions move. */
  readonly seesInternalCoin: boolean
}

export type ReadError = UpstreamUnavailable | RangeRefused | BlockGone

/** What happens to accounts, read from their chain. */
export class ChainActivity extends Context.Service<
  ChainActivity,
  {
    readonly head: (chainId: EvmChainId) => Effect.Effect<BlockMark, UpstreamUnavailable>
    /** The blocks at these numbers; null where the chain has none. */
    readonly marks: (
      chainId: EvmChainId,
      numbers: ReadonlyArray<number>
    ) => Effect.Effect<ReadonlyArray<BlockMark | null>, UpstreamUnavailable>
    readonly between: (chainId: EvmChainId, request: ActivityRequest) => Effect.Effect<BlocksRead, ReadError>
    /** None while nodes do not agree on it, or have it in no block. */
    readonly evidence: (
      chainId: EvmChainId,
      transactionHash: Hash32
    ) => Effect.Effect<Option.Option<Evidence>, UpstreamUnavailable>
  }
>()("@countersign/core/chain-activity/ChainActivity") {}
