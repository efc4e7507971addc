import { deploymentOf } from "@countersign/adapters/chains/deployments"
import type { EvmChainId } from "@countersign/core/foundation/chains"
import { decimalFromBaseUnits } from "@countersign/core/foundation/primitives"

const NATIVE_TOKEN_DECIMALS = 18
const SIGNIFICANT_DIGITS = 6n

/**
 * Formats a native amount with at most six decimals, rounded down. An amount that would become zero is displayed with
 * all digits.
 */
export const nativeTokensText = (wei: bigint, chainId: EvmChainId): string => {
  const unit = 10n ** (BigInt(NATIVE_TOKEN_DECIMALS) - SIGNIFICANT_DIGITS)
  const shownWei = wei < unit ? wei : (wei / unit) * unit
  return `${decimalFromBaseUnits(shownWei, NATIVE_TOKEN_DECIMALS)} ${deploymentOf(chainId).nativeCurrency.symbol}`
}

const CENT_E6 = 10_000n

/**
 * Formats millionths of a US dollar as dollars with at most two decimals, rounded down. An amount below one cent is
 * displayed with all digits.
 */
export const dollars = (usdE6: bigint): string =>
  `$${decimalFromBaseUnits(usdE6 < CENT_E6 ? usdE6 : (usdE6 / CENT_E6) * CENT_E6, 6)}`
