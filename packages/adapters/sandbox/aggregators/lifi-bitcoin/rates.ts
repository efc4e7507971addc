import type { EvmChainId } from "@countersign/core/foundation/chains"
import { type Address, NATIVE_COIN } from "@countersign/core/foundation/primitives"
import { BTC_USD8, sandboxTokens } from "../../deployment/market.ts"

/** The price of a token in the sandbox, which is also the price of its pools. */
export interface TokenRate {
  readonly priceUsd8: bigint
  readonly decimals: number
}

const SATOSHI_DECIMALS = 8
const BPS = 10_000n
/** The fee is 0.25 %, and one US dollar for the payout transaction. */
const FEE_BPS = 25n
const PAYOUT_USD8 = 100_000_000n

/** Undefined if the sandbox does not have the token. */
export const rateOf = (chainId: EvmChainId, token: Address): TokenRate | undefined => {
  const tokens = sandboxTokens(chainId)
  // The wrapped native token is the first token, and has the same price as the native token.
  return token === NATIVE_COIN ? tokens[0] : tokens.find(({ address }) => address === token)
}

const dollars8 = (amount: bigint, { decimals, priceUsd8 }: TokenRate): bigint =>
  (amount * priceUsd8) / 10n ** BigInt(decimals)

const lessFees = (usd8: bigint): bigint => (usd8 * (BPS - FEE_BPS)) / BPS - PAYOUT_USD8

const unitsOf = (usd8: bigint, { decimals, priceUsd8 }: TokenRate): bigint =>
  (usd8 * 10n ** BigInt(decimals)) / priceUsd8

const BITCOIN: TokenRate = { priceUsd8: BTC_USD8, decimals: SATOSHI_DECIMALS }

/** Base units of a token for an amount in satoshis. Zero or negative if the fees exceed the amount. */
export const tokensFor = (satoshis: bigint, rate: TokenRate): bigint =>
  unitsOf(lessFees(dollars8(satoshis, BITCOIN)), rate)

/** Satoshis for base units of a token. */
export const satoshisFor = (amount: bigint, rate: TokenRate): bigint =>
  unitsOf(lessFees(dollars8(amount, rate)), BITCOIN)
