import type { EvmChainId } from "@countersign/core/foundation/chains"
import type { Address } from "@countersign/core/foundation/primitives"
import { sqrtPriceX96Of, tickAtSqrtPriceX96 } from "@countersign/core/trading/liquidity"
import { type Role, type SandboxToken, sandboxPairs, sandboxTokens } from "./market.ts"

export interface PlannedPosition {
  readonly tickLower: number
  readonly tickUpper: number
  readonly amount0: bigint
  readonly amount1: bigint
  /** Liquidity of these amounts, rounded to nine digits. */
  readonly liquidity: bigint
}

export interface PlannedPool {
  readonly token0: Address
  readonly token1: Address
  readonly feePips: number
  readonly tickSpacing: number
  readonly sqrtPriceX96: bigint
  /** Positions with overlapping price ranges, widest range first. */
  readonly positions: ReadonlyArray<PlannedPosition>
}

interface Tier {
  /**
   * Price relative to the market price, in units of 1e-4. The prices of tiers differ by less than their fees, as after
   * arbitrage.
   */
  readonly price4: bigint
  /** TVL of this tier, as a fraction of the TVL of the pair's largest tier. */
  readonly share: number
  /**
   * Half widths of the ranges in ticks, each with its share of the tier's value. Ordinary swaps cross the ticks of the
   * narrow ranges.
   */
  readonly shape: ReadonlyArray<readonly [halfWidthTicks: number, part: number]>
}

const volatileShape = (unit: number): Tier["shape"] => [
  [unit * 160, 0.6],
  [unit * 40, 0.24],
  [unit * 10, 0.115],
  [unit * 2, 0.03],
  [unit, 0.01],
  [unit / 5, 0.005]
]

const tierByFee: Readonly<Record<number, Tier>> = {
  100: {
    price4: 10_001n,
    share: 1,
    shape: [
      [800, 0.3],
      [80, 0.4],
      [12, 0.25],
      [3, 0.05]
    ]
  },
  500: { price4: 10_000n, share: 1, shape: volatileShape(50) },
  2500: { price4: 10_006n, share: 0.5, shape: volatileShape(100) },
  3000: { price4: 10_009n, share: 0.5, shape: volatileShape(120) },
  10000: { price4: 9_971n, share: 0.1, shape: volatileShape(400) }
}

const sqrtAt = (tick: number): number => 1.0001 ** (tick / 2)

/** Rounds to nine significant digits, because the last bits of a logarithm may differ between machines. */
const roundToBaseUnits = (amount: number): bigint => {
  const [digits, exponent] = amount.toExponential(8).split("e")
  const shift = Number(exponent) - 8
  const integer = BigInt(digits!.replace(".", ""))
  return shift >= 0 ? integer * 10n ** BigInt(shift) : integer / 10n ** BigInt(-shift)
}

/**
 * Plans a pool of two tokens. Its price differs from the market price by the tier's `price4` and by `offset4`, both in
 * units of 1e-4.
 */
export const planPool = (
  tokenA: SandboxToken,
  tokenB: SandboxToken,
  feePips: number,
  tickSpacing: number,
  sizeUsd: number,
  offset4 = 0n
): PlannedPool => {
  const [base, quote] = tokenA.address < tokenB.address ? [tokenA, tokenB] : [tokenB, tokenA]
  const { price4, share, shape } = tierByFee[feePips]!
  const sqrtPriceX96 = sqrtPriceX96Of(
    { numerator: base.priceUsd8 * (price4 + offset4), denominator: quote.priceUsd8 * 10_000n },
    { baseDecimals: base.decimals, quoteDecimals: quote.decimals, baseIsToken0: true }
  )

  const sqrtPrice = Number(sqrtPriceX96) / 2 ** 96
  const usdPerUnit0 = Number(base.priceUsd8) / 1e8 / 10 ** base.decimals
  const usdPerUnit1 = Number(quote.priceUsd8) / 1e8 / 10 ** quote.decimals
  const tick = tickAtSqrtPriceX96(sqrtPriceX96)
  const positions = shape.map(([halfWidth, valueShare]) => {
    // The range is asymmetric, so that no two positions share a boundary.
    const tickLower = Math.floor((tick - halfWidth * 1.25) / tickSpacing) * tickSpacing
    const tickUpper = Math.ceil((tick + halfWidth) / tickSpacing) * tickSpacing
    const amount0PerLiquidity = 1 / sqrtPrice - 1 / sqrtAt(tickUpper)
    const amount1PerLiquidity = sqrtPrice - sqrtAt(tickLower)
    const usdPerLiquidity = amount0PerLiquidity * usdPerUnit0 + amount1PerLiquidity * usdPerUnit1
    const liquidity = (sizeUsd * share * valueShare) / usdPerLiquidity
    return {
      tickLower,
      tickUpper,
      amount0: roundToBaseUnits(liquidity * amount0PerLiquidity),
      amount1: roundToBaseUnits(liquidity * amount1PerLiquidity),
      liquidity: roundToBaseUnits(liquidity)
    }
  })
  return { token0: base.address, token1: quote.address, feePips, tickSpacing, sqrtPriceX96, positions }
}

/** Tick spacings by fee tier of Uniswap's factory. */
export const tickSpacings: Readonly<Record<number, number>> = { 100: 1, 500: 10, 3000: 60, 10000: 200 }

/** Plans the Uniswap V3 pools of a sandbox chain. They are the same after every reset. */
export const sandboxPools = (chainId: EvmChainId): ReadonlyArray<PlannedPool> => {
  const tokens = sandboxTokens(chainId)
  const tokenOf = (role: Role) => tokens.find((token) => token.role === role)!
  return sandboxPairs(chainId).flatMap(({ roles: [a, b], feePips, sizeMillionUsd }) =>
    feePips.map((fee) => planPool(tokenOf(a), tokenOf(b), fee, tickSpacings[fee]!, sizeMillionUsd * 1e6))
  )
}
