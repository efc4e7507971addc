import type { Bytes } from "./bytes.ts"
import type { AmountPair } from "./liquidityMath.ts"

/** A router's balance of a token in base units, as three amounts of different certainty. */
export interface HeldAmount {
  /** Amount from earlier calls, which is certain. */
  readonly known: bigint
  /** Amount that the quote states for a withdrawal from a position. */
  readonly promised: bigint
  /** Minimum output that earlier swaps enforce. */
  readonly enforced: bigint
}

/** A Uniswap V3 pool in its own token order. The fee is in millionths. */
export interface PoolKey {
  readonly token0: Bytes
  readonly token1: Bytes
  readonly fee: number
}

/** An action on a position or a pool, decoded from a call. */
export type PositionAct =
  | (PoolKey & { readonly does: "CREATE_POOL"; readonly sqrtPriceX96: bigint })
  | (PoolKey & {
      readonly does: "MINT"
      readonly tickLower: number
      readonly tickUpper: number
      readonly recipient: Bytes
      readonly minAmounts: AmountPair
      readonly held: readonly [HeldAmount, HeldAmount]
    })
  | {
      readonly does: "INCREASE"
      readonly tokenId: bigint
      readonly token0: Bytes
      readonly token1: Bytes
      readonly minAmounts: AmountPair
      readonly held: readonly [HeldAmount, HeldAmount]
    }
  | { readonly does: "DECREASE"; readonly tokenId: bigint; readonly liquidity: bigint; readonly minAmounts: AmountPair }
  | { readonly does: "COLLECT"; readonly tokenId: bigint; readonly isWhole: boolean }
  | { readonly does: "BURN"; readonly tokenId: bigint }
