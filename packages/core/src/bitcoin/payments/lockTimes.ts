/** A mainnet block, and a lower bound for the average seconds between blocks (584 in 2023). */
const KNOWN_BLOCK = { height: 840_000, seconds: 1_713_571_767, secondsBetween: 580 } as const

/** Returns an upper bound for the block height at this time. */
const maxBlockHeight = (nowMs: number): number =>
  KNOWN_BLOCK.height + Math.ceil(Math.max(0, nowMs / 1_000 - KNOWN_BLOCK.seconds) / KNOWN_BLOCK.secondsBetween)

/**
 * Returns the candidate lock times of a payment, in order of preference. With a lock time, blocks that replace the
 * latest blocks can't include the payment. Miners therefore have no incentive to reorg for its fee (fee sniping). The
 * height before the latest one comes first, because nodes may be one block behind. The upper bound prevents a server
 * that reports a wrong height from delaying the payment.
 */
export const lockTimesOf = (tipHeight: number, nowMs: number): ReadonlyArray<number> => {
  const height = Math.min(tipHeight, maxBlockHeight(nowMs))
  return [Math.max(0, height - 1), height]
}
