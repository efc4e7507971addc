const DIGITS = 7

/** A numeric SPEI reference with at most seven digits, not zero. Every request of an order has the same reference. */
export const speiReferenceOf = (orderId: string): string => {
  const highest = 10 ** DIGITS - 1
  return String((Number.parseInt(orderId.replaceAll("-", "").slice(0, 8), 16) % highest) + 1).padStart(DIGITS, "0")
}
