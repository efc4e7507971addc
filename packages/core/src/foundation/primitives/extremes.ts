/** Returns the larger of two bigints. */
export const greater = (a: bigint, b: bigint): bigint => (a > b ? a : b)

/** Returns the smaller of two bigints. */
export const lesser = (a: bigint, b: bigint): bigint => (a < b ? a : b)
