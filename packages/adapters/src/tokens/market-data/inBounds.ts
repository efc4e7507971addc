/** Two sources of the same price differ by less than this factor. A wrong price differs by more. */
const FACTOR = 10n

export const isInBounds = (a: bigint, b: bigint): boolean => a <= b * FACTOR && b <= a * FACTOR
