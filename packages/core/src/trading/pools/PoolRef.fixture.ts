import { anAddress } from "../../foundation/primitives/ids.fixture.ts"
import type { PoolHour } from "./PoolActivity.ts"
import type { PoolRef } from "./PoolRef.ts"

/** Creates a pool that no other test uses. */
export const aPool = (changes: Partial<PoolRef> = {}): PoolRef => ({
  chainId: 1,
  address: anAddress(),
  token0: anAddress(),
  token1: anAddress(),
  feePips: 3_000,
  ...changes
})

/** Creates counts with amounts that exceed a 64-bit column. */
export const anHour = (hour: number, factor = 1n): PoolHour => ({
  hour,
  transactions: Number(factor),
  volume0: factor * 10n ** 30n,
  volume1: factor * 7n,
  fees0: factor * 10n ** 20n,
  fees1: factor
})
