import type { DisplayFee } from "@countersign/core/accounting/history"
import type { ChainId } from "@countersign/core/foundation/chains"
import type { Fee } from "@countersign/core/foundation/fees"
import { type Address, type DecimalString, decimalFromBaseUnits } from "@countersign/core/foundation/primitives"
import { type Asset, currencyDigits, isToken, type Token } from "@countersign/core/foundation/tokens"

/** Finds a token by chain and address; null if the token is not listed. */
export type FindToken = (chainId: ChainId, address: Address) => Token | null

/** Decimals of the native token, which are the same on every EVM chain. */
const COIN_DECIMALS = 18

/** Formats wei in units of the native token. */
export const coinText = (wei: bigint): DecimalString => decimalFromBaseUnits(wei, COIN_DECIMALS)

/** Formats base units in token units. Returns base units if the token is unknown. */
export const amountText = (amount: bigint, token: Token | null): DecimalString =>
  decimalFromBaseUnits(amount, token?.decimals ?? 0)

/** Formats a signed amount. */
export const changeText = (change: bigint, token: Token): string =>
  change < 0n ? `-${amountText(-change, token)}` : amountText(change, token)

/** Formats base units of a token or a currency as a decimal amount. */
export const assetText = (amount: bigint, asset: Asset, find: FindToken): DecimalString =>
  isToken(asset)
    ? amountText(amount, find(asset.chainId, asset.token))
    : decimalFromBaseUnits(amount, currencyDigits(asset.currency))

const feeBodyWithMaximum = (fee: Fee, maximum: bigint | null, find: FindToken) => ({
  type: fee.type,
  token: isToken(fee) ? fee.token : null,
  currency: isToken(fee) ? null : fee.currency,
  amount: assetText(fee.amount, fee, find),
  maxAmount: maximum === null ? null : assetText(maximum, fee, find),
  toAddress: fee.toAddress,
  percentage: fee.percentage
})

/** Builds a fee of a quote. The gas fee is a maximum. */
export const feeBody = (fee: Fee, find: FindToken) =>
  feeBodyWithMaximum(fee, fee.type === "GAS" ? fee.amount : null, find)

/** Builds a fee of a transaction in the history. */
export const shownFeeBody = (fee: DisplayFee, find: FindToken) => feeBodyWithMaximum(fee, fee.maximum, find)
