import type { ConcentratedPool } from "./ConcentratedPool.ts"
import { type ConstantProductPool, swapConstantProduct } from "./ConstantProductPool.ts"
import type { SwapOutcome } from "./SwapOutcome.ts"
import { swapConcentrated } from "./swapConcentrated.ts"

/** A pool of any kind at one block. A value: what a swap changes is another pool. */
export type Pool = ConcentratedPool | ConstantProductPool

/**
 * Swaps an exact amount, in or out, through a pool. To the last unit what its contract does at the block that the pool was
 * read at. Amounts are base units below 2^255.
 */
export const swapThrough = (pool: Pool, zeroForOne: boolean, amount: bigint, exactIn: boolean): SwapOutcome<Pool> =>
  pool._tag === "Concentrated"
    ? swapConcentrated(pool, zeroForOne, amount, exactIn)
    : swapConstantProduct(pool, zeroForOne, amount, exactIn)
