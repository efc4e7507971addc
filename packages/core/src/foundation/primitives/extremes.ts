/** `Math.max` for units that do not fit a number. */
export const greater = (a: bigint, b: bigint): bigint => (a > b ? a : b)

/** `Math.min` for the same. */
export const lesser = (a: bigint, b: bigint): bigint => (a < b ? a : b)
