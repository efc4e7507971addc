import { address, type Bytes, largest, Unreadable } from "./bytes.ts"
import { chains, NATIVE } from "./contracts.ts"
import { fractionOf } from "./prices.ts"
import type { Trust } from "./shapes.ts"

/** Parses the amounts, fractions and fields of requests and quotes. */

/**
 * Returns the decimals of a token. The caller must supply the decimals of all tokens except the native token and its
 * wrapped form.
 */
export type DecimalsOf = (token: Bytes) => number

export class UnknownDecimals extends Error {
  constructor(token: Bytes) {
    super(`The decimals of ${token} are unknown. Set them in \`trust.decimals\`.`)
  }
}

const [BITCOIN, BITCOIN_DECIMALS] = [0, 8]

export const decimalsFrom =
  (chainId: number, { decimals = {} }: Trust): DecimalsOf =>
  (token) => {
    if (chainId === BITCOIN && token === NATIVE) return BITCOIN_DECIMALS
    if (token === NATIVE || token === chains[chainId]?.wrapped) return 18
    const knownDecimals = Object.entries(decimals).find(([knownToken]) => knownToken.toLowerCase() === token)?.[1]
    if (knownDecimals === undefined) throw new UnknownDecimals(token)
    return knownDecimals
  }

/** Converts an amount in token units, such as "1.5", to base units. */
export const parseUnits = (text: unknown, decimals: number): bigint => {
  const [, digits = "", fraction = ""] = (typeof text === "string" && /^(\d{1,78})(?:\.(\d{1,78}))?$/u.exec(text)) || []
  const significant = fraction.replace(/0+$/u, "")
  if (digits === "" || significant.length > decimals)
    throw new Unreadable(`${text} is not a valid amount of this token`)
  return BigInt(digits + significant.padEnd(decimals, "0"))
}

/** Returns a percentage of an amount, rounded down, so that the receiver never gets more than the percentage. */
export const percentRoundingDown = (amount: bigint, percent: number): bigint => {
  const { over, under } = fractionOf(percent)
  return (amount * over) / (100n * under)
}

export interface FeeFields {
  readonly transactionFeePercent?: number | undefined
  readonly extraFee?: { readonly percentage: number; readonly toAddress: string } | undefined
}

export const feesOf = (amount: bigint, { extraFee, transactionFeePercent = 0 }: FeeFields) => ({
  serviceFee: percentRoundingDown(amount, transactionFeePercent),
  extraFee:
    extraFee === undefined
      ? null
      : { to: address(extraFee.toAddress), amount: percentRoundingDown(amount, extraFee.percentage) }
})

interface SlippageFields {
  readonly slippage?: number | undefined
  readonly minAmountOut?: string | undefined
}

interface OutputResponse {
  readonly amountOut: string
  readonly minAmountOut: string
}

/**
 * Returns the minimum output that a swap or withdrawal must enforce. It is the highest of the quote's minimum, the
 * quoted output less slippage and one base unit, and the minimum amounts of the request and of the caller. Slippage
 * applies to the amount before fees.
 */
export const minOutputOf = (
  slippageRequest: SlippageFields,
  response: OutputResponse,
  trustedMinimum: string | undefined,
  decimals: number,
  beforeFees = (amount: bigint): bigint => amount
): bigint => {
  const amountOut = parseUnits(response.amountOut, decimals)
  return largest(
    parseUnits(response.minAmountOut, decimals),
    amountOut - percentRoundingDown(beforeFees(amountOut), slippageRequest.slippage ?? 0.5) - 1n,
    parseUnits(slippageRequest.minAmountOut ?? "0", decimals),
    parseUnits(trustedMinimum ?? "0", decimals)
  )
}

/** Pairs the quote fields that must repeat the request with the requested values. */
export const echoedFields = <A extends object>(
  path: string,
  quotedFields: A,
  requestFields: Partial<Record<keyof A, unknown>>
) =>
  Object.entries(requestFields).map(([name, value]) => ({
    path: `${path}${name}`,
    said: (quotedFields as Record<string, unknown>)[name],
    requestedValue: value
  }))

/** Removes trailing zeros, because "1.50" and "1.5" are the same amount. */
export const removeTrailingZeros = (text: string): string => (text.includes(".") ? text.replace(/\.?0+$/u, "") : text)
