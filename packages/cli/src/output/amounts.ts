import { deploymentOf } from "@countersign/adapters/chains/deployments"
import type { EvmChainId } from "@countersign/core/foundation/chains"
import { decimalFromBaseUnits } from "@countersign/core/foundation/primitives"

const COIN_DECIMALS = 18
const SHOWN_DIGITS = 6n

/** The native amount with six decimals, rounded down; smaller amounts in full, so that they are not shown as zero. */
export const coins = (wei: bigint, chainId: EvmChainId): string => {
  const unit = 10n ** (BigInt(COIN_DECIMALS) - SHOWN_DIGITS)
  const shownWei = wei < unit ? wei : (wei / unit) * unit
  return `${decimalFromBaseUnits(shownWei, COIN_DECIMALS)} ${deploymentOf(chainId).nativeCurrency.symbol}`
}

const CENT_E6 = 10_000n

/** Millionths of a US dollar in dollars and cents, rounded down; less than a cent in full. */
export const dollars = (usdE6: bigint): string =>
  `$${decimalFromBaseUnits(usdE6 < CENT_E6 ? usdE6 : (usdE6 / CENT_E6) * CENT_E6, 6)}`
