import { deploymentOf } from "@countersign/adapters/chains/deployments"
import type { EvmChainId } from "@countersign/core/foundation/chains"
import { decimalFromBaseUnits } from "@countersign/core/foundation/primitives"

const COIN_DECIMALS = 18
const SHOWN_DIGITS = 6n

/**
 * The native amount with six decimals, rounded down. A smaller amount is shown with all digits, so that it is not shown
 * as zero.
 */
export const coins = (wei: bigint, chainId: EvmChainId): string => {
  const unit = 10n ** (BigInt(COIN_DECIMALS) - SHOWN_DIGITS)
  const shownWei = wei < unit ? wei : (wei / unit) * unit
  return `${decimalFromBaseUnits(shownWei, COIN_DECIMALS)} ${deploymentOf(chainId).nativeCurrency.symbol}`
}

const CENT_E6 = 10_000n

/** Converts millionths of a US dollar to dollars and cents, rounded down. Less than a cent is shown with all digits. */
export const dollars = (usdE6: bigint): string =>
  `$${decimalFromBaseUnits(usdE6 < CENT_E6 ? usdE6 : (usdE6 / CENT_E6) * CENT_E6, 6)}`
