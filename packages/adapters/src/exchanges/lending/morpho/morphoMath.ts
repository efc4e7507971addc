import { mulDivRoundingUp } from "@countersign/core/foundation/primitives"

/** Morpho Blue's arithmetic (morpho-blue 1.0.0): SharesMathLib, `_isHealthy`, and the curve of AdaptiveCurveIRM. */

const WAD = 10n ** 18n
const ORACLE_PRICE_SCALE = 10n ** 36n
const VIRTUAL_ASSETS = 1n
/** Shares have this many more digits than their token. */
export const SHARE_DIGITS = 6
const VIRTUAL_SHARES = 10n ** BigInt(SHARE_DIGITS)
const YEAR_SECONDS = 31_536_000n

export interface MarketTotals {
  readonly totalSupplyAssets: bigint
  readonly totalSupplyShares: bigint
  readonly totalBorrowAssets: bigint
  readonly totalBorrowShares: bigint
  /** Morpho's fraction of the interest, scaled by 10^18. */
  readonly fee: bigint
}

export const debtRoundingUp = (borrowShares: bigint, { totalBorrowAssets, totalBorrowShares }: MarketTotals): bigint =>
  mulDivRoundingUp(borrowShares, totalBorrowAssets + VIRTUAL_ASSETS, totalBorrowShares + VIRTUAL_SHARES)

export const suppliedRoundingDown = (
  supplyShares: bigint,
  { totalSupplyAssets, totalSupplyShares }: MarketTotals
): bigint => (supplyShares * (totalSupplyAssets + VIRTUAL_ASSETS)) / (totalSupplyShares + VIRTUAL_SHARES)

/** The lender shares of a supplied amount, rounded down like the contract does. */
export const sharesRoundingDown = (assets: bigint, { totalSupplyAssets, totalSupplyShares }: MarketTotals): bigint =>
  (assets * (totalSupplyShares + VIRTUAL_SHARES)) / (totalSupplyAssets + VIRTUAL_ASSETS)

/** The shares that a withdrawal of an amount burns, rounded up like the contract does. */
export const sharesRoundingUp = (assets: bigint, { totalSupplyAssets, totalSupplyShares }: MarketTotals): bigint =>
  mulDivRoundingUp(assets, totalSupplyShares + VIRTUAL_SHARES, totalSupplyAssets + VIRTUAL_ASSETS)

/** The maximum debt for a collateral, in base units of the loan token. Rounded down twice, like the contract does. */
export const borrowableRoundingDown = (collateral: bigint, price: bigint, lltv: bigint): bigint =>
  (((collateral * price) / ORACLE_PRICE_SCALE) * lltv) / WAD

/** The minimum collateral for a debt, which is the inverse of `borrowableRoundingDown`. */
export const neededRoundingUp = (debt: bigint, price: bigint, lltv: bigint): bigint =>
  mulDivRoundingUp(mulDivRoundingUp(debt, WAD, lltv), ORACLE_PRICE_SCALE, price)

/** Scaled by 10^18; null if there is no debt. */
export const healthFactorRoundingDown = (borrowable: bigint, debt: bigint): bigint | null =>
  debt === 0n ? null : (borrowable * WAD) / debt

/** Whole loan tokens per whole collateral token, scaled by 10^18. */
export const priceE18Of = (price: bigint, loanDecimals: number, collateralDecimals: number): bigint =>
  (price * 10n ** BigInt(collateralDecimals)) / 10n ** BigInt(loanDecimals) / WAD

const TARGET_UTILIZATION = 900_000_000_000_000_000n
const CURVE_STEEPNESS = 4n * WAD

/** The utilization: the borrowed divided by the supplied amount, scaled by 10^18. */
const utilization = ({ totalBorrowAssets, totalSupplyAssets }: MarketTotals): bigint =>
  totalSupplyAssets === 0n ? 0n : (totalBorrowAssets * WAD) / totalSupplyAssets

/**
 * Rates per year without compounding, scaled by 10^18, of a market with accrued interest. `rateAtTarget` is per second.
 */
export const marketRates = (totals: MarketTotals, rateAtTarget: bigint) => {
  const usedE18 = utilization(totals)
  const room = usedE18 > TARGET_UTILIZATION ? WAD - TARGET_UTILIZATION : TARGET_UTILIZATION
  // BigInt division rounds towards zero, like Solidity's.
  const error = ((usedE18 - TARGET_UTILIZATION) * WAD) / room
  const steepness = error < 0n ? WAD - (WAD * WAD) / CURVE_STEEPNESS : CURVE_STEEPNESS - WAD
  const ratePerSecond = (((steepness * error) / WAD + WAD) * rateAtTarget) / WAD
  const borrowRateE18 = ratePerSecond * YEAR_SECONDS
  const supplyRateE18 = (((borrowRateE18 * usedE18) / WAD) * (WAD - totals.fee)) / WAD
  return { borrowRateE18, supplyRateE18 }
}
