import type { OrderLimit } from "@countersign/core/trading/swap"
import { schemeOf } from "./limitIntent.ts"

const WEEK_SECONDS = 7 * 86_400
const YEAR_SECONDS = 365 * 86_400
/** The order book requires a minute of an order that arrives, and its owner needs time to sign it. */
const SHORTEST_SECONDS = 120
/** The last second that fits into an order. */
const LAST_SECOND = 2 ** 32 - 1

export interface OrderLifetime {
  /** From the quote on. */
  readonly seconds: number
  /** Says that this is not the requested lifetime; null where it is. */
  readonly notice: string | null
}

const dateText = (unixSeconds: number): string => `${new Date(unixSeconds * 1_000).toISOString().slice(0, 19)}Z`

/**
 * The lifetime of an order: the requested one within what the order book takes, a week where none is requested. The book takes
 * orders of up to a year, and those that are signed on chain up to the last second that fits into an order.
 */
export const orderLifetime = ({ account, expirationSeconds }: OrderLimit, nowSeconds: number): OrderLifetime => {
  if (expirationSeconds === null) return { seconds: WEEK_SECONDS, notice: null }
  const isPresigned = account !== null && schemeOf(account) === "PRESIGN"
  const longest = isPresigned ? LAST_SECOND - nowSeconds : YEAR_SECONDS
  const seconds = Math.min(Math.max(expirationSeconds, SHORTEST_SECONDS), longest)
  const bound = seconds < expirationSeconds ? `at most ${longest}` : `at least ${SHORTEST_SECONDS}`
  return {
    seconds,
    notice:
      seconds === expirationSeconds
        ? null
        : `The order expires at ${dateText(nowSeconds + seconds)}, ${seconds} seconds after the quote. The order book accepts lifetimes of ${bound} seconds, and \`expiration\` is ${expirationSeconds}.`
  }
}
