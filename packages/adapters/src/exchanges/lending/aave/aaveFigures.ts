import type { Address } from "@countersign/core/foundation/primitives"
import type { LendingFigures, LiquidationPrice } from "@countersign/core/trading/lending"
import { maxUint256 } from "viem"
import type { Reserve } from "./Reserve.ts"

const RAY_TO_E18 = 10n ** 9n
const USD8_TO_E18 = 10n ** 10n
const BPS = 10_000n

/** A reserve that a wallet uses as collateral. */
export interface Collateral {
  readonly asset: Address
  /** US dollars per token, with eight decimals. */
  readonly priceUsd8: bigint
  readonly valueUsd8: bigint
  readonly liquidationThreshold: bigint
}

export interface AccountData {
  readonly debtUsd8: bigint
  /** Scaled by 10^18; the maximum number if there is no debt. */
  readonly healthFactor: bigint
}

export const healthFactorOf = ({ healthFactor }: Pick<AccountData, "healthFactor">): bigint | null =>
  healthFactor === maxUint256 ? null : healthFactor

/**
 * Returns the collateral price at which the health factor is 1, if the prices of other collaterals are constant. Uses
 * the collateral `preferredToken` if the others do not secure the debt without it. Otherwise uses the most valuable such
 * collateral. Null if there is no debt or no such collateral, and in an eMode with several collaterals.
 */
export const liquidationPrice = (
  collaterals: ReadonlyArray<Collateral>,
  { debtUsd8, healthFactor }: AccountData,
  preferredToken: Address | null,
  isInEMode: boolean
): LiquidationPrice | null => {
  const [only, ...others] = collaterals
  if (only === undefined || healthFactor === maxUint256 || healthFactor === 0n) return null
  if (others.length === 0) {
    const priceE18 = (only.priceUsd8 * USD8_TO_E18 * 10n ** 18n) / healthFactor
    return { token: only.asset, priceE18, inToken: null }
  }
  if (isInEMode) return null
  const securedValue = ({ liquidationThreshold, valueUsd8 }: Collateral) => valueUsd8 * liquidationThreshold
  const totalSecuredValue = collaterals.reduce((sum, one) => sum + securedValue(one), 0n)
  /** Returns the amount of debt that the other collaterals do not secure. */
  const neededValue = (one: Collateral) => debtUsd8 * BPS - (totalSecuredValue - securedValue(one))
  const decisiveCollaterals = collaterals.filter((one) => neededValue(one) > 0n && securedValue(one) > 0n)
  const [first, ...rest] = decisiveCollaterals
  if (first === undefined) return null
  const chosenCollateral =
    decisiveCollaterals.find(({ asset }) => asset === preferredToken) ??
    rest.reduce((largest, one) => (one.valueUsd8 > largest.valueUsd8 ? one : largest), first)
  return {
    token: chosenCollateral.asset,
    priceE18:
      (chosenCollateral.priceUsd8 * USD8_TO_E18 * neededValue(chosenCollateral)) / securedValue(chosenCollateral),
    inToken: null
  }
}

export interface Rates {
  /** Annual rate in ray (scaled by 10^27). */
  readonly currentLiquidityRate: bigint
  readonly currentVariableBorrowRate: bigint
}

export const aaveFigures = (
  account: AccountData,
  price: LiquidationPrice | null,
  supplyRates: Rates | null,
  borrowRates: Rates | null
): LendingFigures => ({
  healthFactorE18: healthFactorOf(account),
  liquidationPrice: price,
  supplyRateE18: supplyRates === null ? null : supplyRates.currentLiquidityRate / RAY_TO_E18,
  borrowRateE18: borrowRates === null ? null : borrowRates.currentVariableBorrowRate / RAY_TO_E18
})

/** Returns the value of a balance in US dollars with eight decimals, rounded down. */
export const valueUsd8RoundingDown = (
  units: bigint,
  { decimals }: Pick<Reserve, "decimals">,
  priceUsd8: bigint
): bigint => (units * priceUsd8) / 10n ** BigInt(decimals)
