/** Two sources of one price differ by less. A wrong price, or one with wrong decimals, differs by more. */
const FACTOR = 10n

export const isInBounds = (a: bigint, b: bigint): boolean => a <= b * FACTOR && b <= a * FACTOR
