import { deploymentOf } from "@countersign/adapters/deployments"
import { chainOf, type EvmChainId } from "@countersign/core/chains"
import { decimalFromBaseUnits } from "@countersign/core/primitives"
import { DateTime } from "effect"

/** How the figures in findings are written. */

export const nameOf = (chainId: EvmChainId): string => chainOf(chainId).name

export const seconds = (milliseconds: number): string => `${Number((milliseconds / 1000).toFixed(1))} s`

export const count = (amount: number, noun: string): string => `${amount} ${noun}${amount === 1 ? "" : "s"}`

const COIN_DECIMALS = 18
const SHOWN_DIGITS = 6n

/** The chain's coin to six decimals, rounded down; smaller amounts in full, so that they are not shown as zero. */
export const coins = (wei: bigint, chainId: EvmChainId): string => {
  const unit = 10n ** (BigInt(COIN_DECIMALS) - SHOWN_DIGITS)
  const shownWei = wei < unit ? wei : (wei / unit) * unit
  return `${decimalFromBaseUnits(shownWei, COIN_DECIMALS)} ${deploymentOf(chainId).nativeCurrency.symbol}`
}

export const iso = (at: DateTime.Utc): string => DateTime.formatIso(at)
