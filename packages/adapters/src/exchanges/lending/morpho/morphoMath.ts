import { mulDivRoundingUp } from "@countersign/core/foundation/primitives"

/**
 * Morpho Blue's arithmetic (morpho-blue 1.0.0): SharesMathLib, `_isHealthy`, and the rate curve of AdaptiveCurveIRM.
 */

const WAD = 10n ** 18n
const ORACLE_PRICE_SCALE = 10n ** 36n
const VIRTUAL_ASSETS = 1n
/** Number of decimals that shares have in addition to those of the token. */
export const SHARE_DIGITS = 6
const VIRTUAL_SHARES = 10n ** BigInt(SHARE_DIGITS)
const YEAR_SECONDS = 31_536_000n

export interface MarketTotals {
  readonly totalSupplyAssets: bigint
  readonly totalSupplyShares: bigint
  readonly totalBorrowAssets: bigint
  readonly totalBorrowShares: bigint
  /** Fraction of the interest that Morpho keeps, scaled by 10^18. */
  readonly fee: bigint
}

export const debtRoundingUp = (borrowShares: bigint, { totalBorrowAssets, totalBorrowShares }: MarketTotals): bigint =>
  mulDivRoundingUp(borrowShares, totalBorrowAssets + VIRTUAL_ASSETS, totalBorrowShares + VIRTUAL_SHARES)

export const suppliedAmountRoundingDown = (
  supplyShares: bigint,
  { totalSupplyAssets, totalSupplyShares }: MarketTotals
): bigint => (supplyShares * (totalSupplyAssets + VIRTUAL_ASSETS)) / (totalSupplyShares + VIRTUAL_SHARES)

/** Converts a supplied amount to a lender's shares. Rounded down, like the contract. */
export const sharesRoundingDown = (assets: bigint, { totalSupplyAssets, totalSupplyShares }: MarketTotals): bigint =>
  (assets * (totalSupplyShares + VIRTUAL_SHARES)) / (totalSupplyAssets + VIRTUAL_ASSETS)

/** Returns the number of shares that a withdrawal of an amount burns. Rounded up, like the contract. */
export const sharesRoundingUp = (assets: bigint, { totalSupplyAssets, totalSupplyShares }: MarketTotals): bigint =>
  mulDivRoundingUp(assets, totalSupplyShares + VIRTUAL_SHARES, totalSupplyAssets + VIRTUAL_ASSETS)

/**
 * Returns the maximum debt for an amount of collateral, in base units of the loan token. Rounded down twice, like the
 * contract.
 */
export const borrowableRoundingDown = (collateral: bigint, price: bigint, lltv: bigint): bigint =>
  (((collateral * price) / ORACLE_PRICE_SCALE) * lltv) / WAD

/** Returns the minimum collateral for a debt: the inverse of `borrowableRoundingDown`. */
export const neededCollateralRoundingUp = (debt: bigint, price: bigint, lltv: bigint): bigint =>
  mulDivRoundingUp(mulDivRoundingUp(debt, WAD, lltv), ORACLE_PRICE_SCALE, price)

/** Returns the health factor scaled by 10^18; null if there is no debt. */
export const healthFactorRoundingDown = (borrowable: bigint, debt: bigint): bigint | null =>
  debt === 0n ? null : (borrowable * WAD) / debt

/** Converts an oracle price to loan tokens per collateral token, scaled by 10^18. */
export const priceE18Of = (price: bigint, loanDecimals: number, collateralDecimals: number): bigint =>
  (price * 10n ** BigInt(collateralDecimals)) / 10n ** BigInt(loanDecimals) / WAD

const TARGET_UTILIZATION = 900_000_000_000_000_000n
const CURVE_STEEPNESS = 4n * WAD

/** Returns the borrowed amount divided by the supplied amount, scaled by 10^18. */
const utilization = ({ totalBorrowAssets, totalSupplyAssets }: MarketTotals): bigint =>
  totalSupplyAssets === 0n ? 0n : (totalBorrowAssets * WAD) / totalSupplyAssets

/**
 * Computes the annual rates of a market without compounding, scaled by 10^18. The totals must include accrued interest.
 * `rateAtTarget` is per second.
 */
export const marketRates = (totals: MarketTotals, rateAtTarget: bigint) => {
  const usedE18 = utilization(totals)
  const errorRange = usedE18 > TARGET_UTILIZATION ? WAD - TARGET_UTILIZATION : TARGET_UTILIZATION
  // Division of bigints rounds towards zero, like Solidity's.
  const error = ((usedE18 - TARGET_UTILIZATION) * WAD) / errorRange
  const steepness = error < 0n ? WAD - (WAD * WAD) / CURVE_STEEPNESS : CURVE_STEEPNESS - WAD
  const ratePerSecond = (((steepness * error) / WAD + WAD) * rateAtTarget) / WAD
  const borrowRateE18 = ratePerSecond * YEAR_SECONDS
  const supplyRateE18 = (((borrowRateE18 * usedE18) / WAD) * (WAD - totals.fee)) / WAD
  return { borrowRateE18, supplyRateE18 }
}
