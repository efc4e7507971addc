import type { Address } from "@countersign/core/foundation/primitives"

interface KeyOfAnyPool {
  /** The contract's address, or the 32-byte id of a Uniswap V4 pool. */
  readonly id: string
  /** Name of the exchange, such as `Uniswap V3`. */
  readonly venue: string
  /**
   * In the pool's token order. The native token of Uniswap V4 is represented by the wrapped native token, because the
   * router wraps and unwraps between pools.
   */
  readonly token0: Address
  readonly token1: Address
}

/** A pair of Uniswap V2 or a fork. */
export interface PairKey extends KeyOfAnyPool {
  readonly _tag: "V2"
  /** Equal to the id. */
  readonly address: Address
  readonly router: Address
  readonly feeNumerator: bigint
  readonly feeDenominator: bigint
}

/** A pool of Uniswap V3 or a fork. */
export interface V3Key extends KeyOfAnyPool {
  readonly _tag: "V3"
  /** Equal to the id. */
  readonly address: Address
  readonly factory: Address
  readonly feePips: number
}

/** A pool of Uniswap V4 without a hook. */
export interface V4Key extends KeyOfAnyPool {
  readonly _tag: "V4"
  readonly poolManager: Address
  /** The currencies of the pool. Address zero represents the native token. */
  readonly currency0: Address
  readonly currency1: Address
  readonly feePips: number
  readonly tickSpacing: number
}

/** A pool that may exist, with all data to find and to use it. */
export type PoolKey = PairKey | V3Key | V4Key

/** The contract that a swap through the pool calls. */
export const contractOf = (key: PoolKey): Address => (key._tag === "V4" ? key.poolManager : key.address)

/** The pool's fee in millionths. The fee of a pair is rounded to the nearest millionth. */
export const feePipsOf = (key: PoolKey): number =>
  key._tag === "V2" ? Number(((key.feeDenominator - key.feeNumerator) * 1_000_000n) / key.feeDenominator) : key.feePips
