const DIGITS = 7

/**
 * Returns a numeric SPEI reference with seven digits, which are not all zero. It is the same for every request of an
 * order.
 */
export const speiReferenceOf = (orderId: string): string => {
  const highest = 10 ** DIGITS - 1
  return String((Number.parseInt(orderId.replaceAll("-", "").slice(0, 8), 16) % highest) + 1).padStart(DIGITS, "0")
}
