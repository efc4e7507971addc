import type { Bytes } from "./bytes.ts"
import type { Pair } from "./liquidityMath.ts"

/** The amounts of a token that a router holds, by source. */
export interface Held {
  /** The amount from earlier calls, which is certain. */
  readonly known: bigint
  /** The amount from positions, as stated in the quote. */
  readonly promised: bigint
  /** The enforced minimum of swaps that pay out to the router. */
  readonly enforced: bigint
}

/** A Uniswap V3 pool in its own token order; the fee in millionths. */
export interface PoolName {
  readonly token0: Bytes
  readonly token1: Bytes
  readonly fee: number
}

/** The effect of a call on a position or a pool. */
export type PositionAct =
  | (PoolName & { readonly does: "CREATE_POOL"; readonly sqrtPriceX96: bigint })
  | (PoolName & {
      readonly does: "MINT"
      readonly tickLower: number
      readonly tickUpper: number
      readonly recipient: Bytes
      readonly minAmounts: Pair
      readonly held: readonly [Held, Held]
    })
  | {
      readonly does: "INCREASE"
      readonly tokenId: bigint
      readonly token0: Bytes
      readonly token1: Bytes
      readonly minAmounts: Pair
      readonly held: readonly [Held, Held]
    }
  | { readonly does: "DECREASE"; readonly tokenId: bigint; readonly liquidity: bigint; readonly minAmounts: Pair }
  | { readonly does: "COLLECT"; readonly tokenId: bigint; readonly isWhole: boolean }
  | { readonly does: "BURN"; readonly tokenId: bigint }
