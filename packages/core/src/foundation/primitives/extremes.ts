/** Returns the larger of two bigints. */
export const maxBigInt = (a: bigint, b: bigint): bigint => (a > b ? a : b)

/** Returns the smaller of two bigints. */
export const minBigInt = (a: bigint, b: bigint): bigint => (a < b ? a : b)
