import type { OrderLimit } from "@countersign/core/trading/swap"
import { schemeOf } from "./limitIntent.ts"

const WEEK_SECONDS = 7 * 86_400
const YEAR_SECONDS = 365 * 86_400
/**
 * Minimum lifetime of an order in seconds: the order book requires at least a minute, and the owner needs time to sign.
 */
const MIN_SECONDS = 120
/** Maximum expiry that an order can contain (uint32). */
const LAST_SECOND = 2 ** 32 - 1

export interface OrderLifetime {
  /** Seconds after the quote. */
  readonly seconds: number
  /** A notice that the lifetime differs from the requested one; null if it does not. */
  readonly notice: string | null
}

const dateText = (unixSeconds: number): string => `${new Date(unixSeconds * 1_000).toISOString().slice(0, 19)}Z`

/**
 * Returns the lifetime of an order: the requested one within the order book's limits, or one week by default. The order
 * book accepts a lifetime of up to a year. For orders that are signed on-chain, it accepts any expiry.
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
