/**
 * Returns the square root, rounded down. Newton's method starts above the root. The value that no longer decreases is
 * the result.
 */
export const squareRootRoundingDown = (square: bigint): bigint => {
  if (square < 2n) return square
  let root = 1n << BigInt((square.toString(16).length * 4 + 1) >> 1)
  for (;;) {
    const next = (root + square / root) >> 1n
    if (next >= root) return root
    root = next
  }
}

export const squareRootRoundingUp = (square: bigint): bigint => {
  const root = squareRootRoundingDown(square)
  return root * root === square ? root : root + 1n
}
