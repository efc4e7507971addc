import type { ShownFee } from "@countersign/core/accounting/history"
import type { ChainId } from "@countersign/core/foundation/chains"
import type { Fee } from "@countersign/core/foundation/fees"
import { type Address, type DecimalString, decimalFromBaseUnits } from "@countersign/core/foundation/primitives"
import { type Asset, currencyDigits, isToken, type Token } from "@countersign/core/foundation/tokens"

/** Finds a token of a response; null for a token that is not listed. */
export type FindToken = (chainId: ChainId, address: Address) => Token | null

/** The decimals of every native token. */
const COIN_DECIMALS = 18

/** An amount in whole native tokens. */
export const coinText = (wei: bigint): DecimalString => decimalFromBaseUnits(wei, COIN_DECIMALS)

/** Whole tokens; base units for an unknown token. */
export const amountText = (amount: bigint, token: Token | null): DecimalString =>
  decimalFromBaseUnits(amount, token?.decimals ?? 0)

/** An amount that may be negative. */
export const changeText = (change: bigint, token: Token): string =>
  change < 0n ? `-${amountText(-change, token)}` : amountText(change, token)

/** An amount of an asset: whole tokens, or whole units of a currency. */
export const assetText = (amount: bigint, asset: Asset, find: FindToken): DecimalString =>
  isToken(asset)
    ? amountText(amount, find(asset.chainId, asset.token))
    : decimalFromBaseUnits(amount, currencyDigits(asset.currency))

const feeBodyUpTo = (fee: Fee, maximum: bigint | null, find: FindToken) => ({
  type: fee.type,
  token: isToken(fee) ? fee.token : null,
  currency: isToken(fee) ? null : fee.currency,
  amount: assetText(fee.amount, fee, find),
  maxAmount: maximum === null ? null : assetText(maximum, fee, find),
  toAddress: fee.toAddress,
  percentage: fee.percentage
})

/** A fee of a quote. */
export const feeBody = (fee: Fee, find: FindToken) => feeBodyUpTo(fee, fee.type === "GAS" ? fee.amount : null, find)

/** A fee of a history transaction. */
export const shownFeeBody = (fee: ShownFee, find: FindToken) => feeBodyUpTo(fee, fee.maximum, find)
