/** Maximum factor between two sources of the same price. A wrong price usually differs by more. */
const FACTOR = 10n

export const isInBounds = (a: bigint, b: bigint): boolean => a <= b * FACTOR && b <= a * FACTOR
