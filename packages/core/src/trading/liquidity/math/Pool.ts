import type { ConcentratedPool } from "./ConcentratedPool.ts"
import { type ConstantProductPool, swapConstantProduct } from "./ConstantProductPool.ts"
import type { SwapOutcome } from "./SwapOutcome.ts"
import { swapConcentrated } from "./swapConcentrated.ts"

/** The immutable state of a pool at one block. A swap returns a new state. */
export type Pool = ConcentratedPool | ConstantProductPool

/**
 * Swaps an exact input or output amount. The result equals the contract's result at the pool's block, to the last base
 * unit. Amounts are base units below 2^255.
 */
export const swapThrough = (pool: Pool, zeroForOne: boolean, amount: bigint, exactIn: boolean): SwapOutcome<Pool> =>
  pool._tag === "Concentrated"
    ? swapConcentrated(pool, zeroForOne, amount, exactIn)
    : swapConstantProduct(pool, zeroForOne, amount, exactIn)
