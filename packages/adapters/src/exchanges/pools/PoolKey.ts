import type { Address } from "@countersign/core/foundation/primitives"

interface KeyOfAnyPool {
  /** The address of the pool's contract, or the 32-byte id of a Uniswap V4 pool. */
  readonly id: string
  /** Name of the exchange, such as `Uniswap V3`. */
  readonly venue: string
  /**
   * Tokens in the pool's order. Uniswap V4's native token is represented by the wrapped native token, because the
   * router wraps and unwraps between pools.
   */
  readonly token0: Address
  readonly token1: Address
}

/** A pool (pair) of Uniswap V2 or of a fork. */
export interface PairKey extends KeyOfAnyPool {
  readonly _tag: "V2"
  /** Same as `id`. */
  readonly address: Address
  readonly router: Address
  readonly feeNumerator: bigint
  readonly feeDenominator: bigint
}

/** A pool of Uniswap V3 or of a fork. */
export interface V3Key extends KeyOfAnyPool {
  readonly _tag: "V3"
  /** Same as `id`. */
  readonly address: Address
  readonly factory: Address
  readonly feePips: number
}

/** A pool of Uniswap V4 without a hook. */
export interface V4Key extends KeyOfAnyPool {
  readonly _tag: "V4"
  readonly poolManager: Address
  /** The pool's currencies. The zero address represents the native token. */
  readonly currency0: Address
  readonly currency1: Address
  readonly feePips: number
  readonly tickSpacing: number
}

/** Identifies a pool that may exist, with all data to read it and to swap through it. */
export type PoolKey = PairKey | V3Key | V4Key

/** Returns the contract that a swap through the pool calls. */
export const contractOf = (key: PoolKey): Address => (key._tag === "V4" ? key.poolManager : key.address)

/** Returns the pool's fee in millionths. The fee of a V2 pair is rounded down. */
export const feePipsOf = (key: PoolKey): number =>
  key._tag === "V2" ? Number(((key.feeDenominator - key.feeNumerator) * 1_000_000n) / key.feeDenominator) : key.feePips
