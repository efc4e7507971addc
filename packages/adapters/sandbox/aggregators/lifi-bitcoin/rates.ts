import type { EvmChainId } from "@countersign/core/foundation/chains"
import { type Address, NATIVE_TOKEN } from "@countersign/core/foundation/primitives"
import { BTC_USD8, sandboxTokens } from "../../deployment/market.ts"

/** A token and its price in the sandbox's pools. */
export interface TokenRate {
  readonly priceUsd8: bigint
  readonly decimals: number
}

const SATOSHI_DECIMALS = 8
const BPS = 10_000n
/** The fee is 0.25 %, plus one US dollar for the payout transaction. */
const FEE_BPS = 25n
const PAYOUT_USD8 = 100_000_000n

/** Returns the price of a token. Undefined if the sandbox does not have the token. */
export const rateOf = (chainId: EvmChainId, token: Address): TokenRate | undefined => {
  const tokens = sandboxTokens(chainId)
  // The first token is the wrapped native token, whose price is that of the native token.
  return token === NATIVE_TOKEN ? tokens[0] : tokens.find(({ address }) => address === token)
}

const usd8Of = (amount: bigint, { decimals, priceUsd8 }: TokenRate): bigint =>
  (amount * priceUsd8) / 10n ** BigInt(decimals)

const subtractFees = (usd8: bigint): bigint => (usd8 * (BPS - FEE_BPS)) / BPS - PAYOUT_USD8

const unitsOf = (usd8: bigint, { decimals, priceUsd8 }: TokenRate): bigint =>
  (usd8 * 10n ** BigInt(decimals)) / priceUsd8

const BITCOIN: TokenRate = { priceUsd8: BTC_USD8, decimals: SATOSHI_DECIMALS }

/** Converts satoshis to base units of a token, after fees. Zero or negative if the fees exceed the amount. */
export const tokensFor = (satoshis: bigint, rate: TokenRate): bigint =>
  unitsOf(subtractFees(usd8Of(satoshis, BITCOIN)), rate)

/** Converts base units of a token to satoshis, after fees. Zero or negative if the fees exceed the amount. */
export const satoshisFor = (amount: bigint, rate: TokenRate): bigint =>
  unitsOf(subtractFees(usd8Of(amount, rate)), BITCOIN)
