import type { Bytes } from "./bytes.ts"
import type { Pair } from "./liquidityMath.ts"

/** What a router holds of a token. */
export interface Held {
  /** What calls before have given it, for certain. */
  readonly known: bigint
  /** What positions give it, as the quote says. */
  readonly promised: bigint
  /** What swaps that leave their output with it enforce. */
  readonly enforced: bigint
}

/** A pool of Uniswap V3 by its own order of the tokens; the fee in millionths. */
export interface PoolName {
  readonly token0: Bytes
  readonly token1: Bytes
  readonly fee: number
}

/** What a call does to a position, or to a pool. */
export type PositionAct =
  | (PoolName & { readonly does: "CREATE_POOL"; readonly sqrtPriceX96: bigint })
  | (PoolName & {
      readonly does: "MINT"
      readonly tickLower: number
      readonly tickUpper: number
      readonly recipient: Bytes
      readonly least: Pair
      readonly held: readonly [Held, Held]
    })
  | {
      readonly does: "INCREASE"
      readonly tokenId: bigint
      readonly token0: Bytes
      readonly token1: Bytes
      readonly least: Pair
      readonly held: readonly [Held, Held]
    }
  | { readonly does: "DECREASE"; readonly tokenId: bigint; readonly liquidity: bigint; readonly least: Pair }
  | { readonly does: "COLLECT"; readonly tokenId: bigint; readonly isWhole: boolean }
  | { readonly does: "BURN"; readonly tokenId: bigint }
