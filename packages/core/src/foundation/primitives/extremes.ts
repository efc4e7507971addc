/** `Math.max` for bigints. */
export const greater = (a: bigint, b: bigint): bigint => (a > b ? a : b)

/** `Math.min` for bigints. */
export const lesser = (a: bigint, b: bigint): bigint => (a < b ? a : b)
