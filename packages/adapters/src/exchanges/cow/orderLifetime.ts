import type { OrderLimit } from "@countersign/core/trading/swap"
import { schemeOf } from "./limitIntent.ts"

const WEEK_SECONDS = 7 * 86_400
const YEAR_SECONDS = 365 * 86_400
/** The order book requires that a new order is valid for at least a minute, and its owner needs time to sign it. */
const MIN_SECONDS = 120
/** The maximum expiry in an order. */
const LAST_SECOND = 2 ** 32 - 1

export interface OrderLifetime {
  /** Seconds from the quote on. */
  readonly seconds: number
  /** Reports that the lifetime differs from the requested one; null if it does not. */
  readonly notice: string | null
}

const dateText = (unixSeconds: number): string => `${new Date(unixSeconds * 1_000).toISOString().slice(0, 19)}Z`

/**
 * The lifetime of an order: the requested one within the order book's limits, or one week by default. The order book
 * accepts orders of up to a year. For orders that are signed on-chain it accepts the maximum expiry.
 */
export const orderLifetime = ({ account, expirationSeconds }: OrderLimit, nowSeconds: number): OrderLifetime => {
  if (expirationSeconds === null) return { seconds: WEEK_SECONDS, notice: null }
  const isPresigned = account !== null && schemeOf(account) === "PRESIGN"
  const longest = isPresigned ? LAST_SECOND - nowSeconds : YEAR_SECONDS
  const seconds = Math.min(Math.max(expirationSeconds, MIN_SECONDS), longest)
  const bound = seconds < expirationSeconds ? `at most ${longest}` : `at least ${MIN_SECONDS}`
  return {
    seconds,
    notice:
      seconds === expirationSeconds
        ? null
        : `The order expires at ${dateText(nowSeconds + seconds)}, ${seconds} seconds after the quote. The order book accepts lifetimes of ${bound} seconds, and \`expiration\` is ${expirationSeconds}.`
  }
}
