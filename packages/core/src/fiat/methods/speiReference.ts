const DIGITS = 7

/** A numeric SPEI reference of at most seven digits and not zero, which is the same for each request of an order. */
export const speiReferenceOf = (orderId: string): string => {
  const highest = 10 ** DIGITS - 1
  return String((Number.parseInt(orderId.replaceAll("-", "").slice(0, 8), 16) % highest) + 1).padStart(DIGITS, "0")
}
