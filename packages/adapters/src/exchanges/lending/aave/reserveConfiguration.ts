/**
 * The decoded configuration word of an Aave reserve. Percentages are in basis points. Caps are in tokens without
 * decimals.
 */
export interface ReserveConfiguration {
  readonly ltv: bigint
  readonly liquidationThreshold: bigint
  readonly decimals: number
  readonly isActive: boolean
  readonly isFrozen: boolean
  readonly isPaused: boolean
  readonly canBorrow: boolean
  readonly isBorrowableInIsolation: boolean
  readonly isSiloed: boolean
  /** Zero if there is no cap. */
  readonly borrowCap: bigint
  readonly supplyCap: bigint
  /** Maximum debt in isolation mode, in US dollars with two decimals; zero if the reserve is not isolated. */
  readonly debtCeiling: bigint
}

const bits = (word: bigint, from: bigint, count: bigint): bigint => (word >> from) & ((1n << count) - 1n)

/**
 * Decodes a configuration word. Bit positions are from aave-v3-origin, ReserveConfiguration.sol. Bits 61, 62 and 212
 * are unused and zero from version 3.7 on.
 */
export const reserveConfiguration = (word: bigint): ReserveConfiguration => ({
  ltv: bits(word, 0n, 16n),
  liquidationThreshold: bits(word, 16n, 16n),
  decimals: Number(bits(word, 48n, 8n)),
  isActive: bits(word, 56n, 1n) === 1n,
  isFrozen: bits(word, 57n, 1n) === 1n,
  canBorrow: bits(word, 58n, 1n) === 1n,
  isPaused: bits(word, 60n, 1n) === 1n,
  isBorrowableInIsolation: bits(word, 61n, 1n) === 1n,
  isSiloed: bits(word, 62n, 1n) === 1n,
  borrowCap: bits(word, 80n, 36n),
  supplyCap: bits(word, 116n, 36n),
  debtCeiling: bits(word, 212n, 40n)
})

/**
 * Returns the indexes of the reserves that a wallet uses as collateral and has borrowed from, according to its
 * configuration word.
 */
export const userReserves = (
  word: bigint
): { readonly collateralIds: ReadonlyArray<number>; readonly borrowedIds: ReadonlyArray<number> } => {
  const collateralIds: Array<number> = []
  const borrowedIds: Array<number> = []
  for (let id = 0; word >> BigInt(2 * id) > 0n; id++) {
    const pair = bits(word, BigInt(2 * id), 2n)
    if ((pair & 1n) === 1n) borrowedIds.push(id)
    if ((pair & 2n) === 2n) collateralIds.push(id)
  }
  return { collateralIds, borrowedIds }
}
