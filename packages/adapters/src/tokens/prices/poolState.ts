import type { Address } from "@countersign/core/foundation/primitives"
import { MAX_TICK, MIN_TICK, sqrtPriceX96AtTick } from "@countersign/core/trading/liquidity"
import { decodeFunctionResult, parseAbi } from "viem"
import { encoderOf, type ReadCall } from "../../chains/evm/index.ts"
import { type CallResult, poolAbi } from "../../exchanges/pools/index.ts"

const poolData = encoderOf(poolAbi)

/** Oracle functions of UniswapV3Pool. */
const oracleAbi = parseAbi([
  "function observe(uint32[] secondsAgos) view returns (int56[] tickCumulatives, uint160[] secondsPerLiquidityCumulativeX128s)"
])
const oracleData = encoderOf(oracleAbi)

/**
 * Windows for the average price in seconds, longest first. The longest one is used if the pool stores enough
 * observations. A window shorter than the last one would depend on only a few blocks, so there is no average then.
 */
const windowsSeconds = [1_800, 600, 120, 30] as const

const slot0Call = poolData("slot0", [])
const liquidityCall = poolData("liquidity", [])
const observeCalls = windowsSeconds.map((seconds) => oracleData("observe", [[seconds, 0]]))

export interface PricedPool {
  readonly token0: Address
  readonly token1: Address
  readonly liquidity: bigint
  /**
   * Square roots of the price (token1 per token0 in base units), as Q64.96: the current price and the average. The
   * average is null if the pool stores too few observations.
   */
  readonly sqrtPriceX96: bigint
  readonly averageSqrtPriceX96: bigint | null
}

/** Builds the calls for a pool, in the order in which `pricedPool` expects their results. */
export const poolCalls = (address: Address): ReadonlyArray<ReadCall> =>
  [slot0Call, liquidityCall, ...observeCalls].map((callData) => ({ target: address, callData }))

export const CALLS_PER_POOL = 2 + windowsSeconds.length

/**
 * Returns the price at the mean tick of a window, which is the geometric mean of the price over time. Rounded towards
 * the lower tick, like `OracleLibrary.consult`.
 */
export const averageSqrtPrice = ([before, now]: readonly [before: bigint, now: bigint], seconds: number): bigint => {
  const [difference, span] = [now - before, BigInt(seconds)]
  const floor = difference / span - (difference < 0n && difference % span !== 0n ? 1n : 0n)
  return sqrtPriceX96AtTick(Math.min(MAX_TICK, Math.max(MIN_TICK, Number(floor))))
}

const averageOf = (observations: ReadonlyArray<CallResult>): bigint | null => {
  for (const [i, data] of observations.entries()) {
    if (data === null) continue
    const [cumulatives] = decodeFunctionResult({ abi: oracleAbi, functionName: "observe", data })
    return averageSqrtPrice([cumulatives[0]!, cumulatives[1]!], windowsSeconds[i]!)
  }
  return null
}

/** Builds a pool from the results of its calls; null if the pool does not exist or is not initialized. */
export const pricedPool = (
  tokens: Pick<PricedPool, "token0" | "token1">,
  [slot0 = null, liquidity = null, ...observations]: ReadonlyArray<CallResult>
): PricedPool | null => {
  if (slot0 === null || liquidity === null) return null
  const [sqrtPriceX96] = decodeFunctionResult({ abi: poolAbi, functionName: "slot0", data: slot0 })
  if (sqrtPriceX96 === 0n) return null
  return {
    ...tokens,
    sqrtPriceX96,
    liquidity: decodeFunctionResult({ abi: poolAbi, functionName: "liquidity", data: liquidity }),
    averageSqrtPriceX96: averageOf(observations)
  }
}
