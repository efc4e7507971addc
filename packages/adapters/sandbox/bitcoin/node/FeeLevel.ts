const DEFAULT_RATE = 5
/** Percent of the fee level, by target number of blocks. */
const SHARES: ReadonlyArray<readonly [blocks: number, percent: number]> = [
  [1, 110],
  [2, 100],
  [3, 80],
  [6, 60],
  [25, 40],
  [144, 20]
]

const sharePercent = (blocks: number): number => SHARES.find(([within]) => within === blocks)![1]

/**
 * The fee rates that the sandbox's chain reports. They are a setting, because no transactions compete for its blocks.
 */
export class FeeLevel {
  /** In sat/vB, for a confirmation within two blocks. */
  satoshisPerVbyte = DEFAULT_RATE

  /** In sat/vB. Transactions below this rate take over 25 blocks on Bitcoin, and wait for a request in the sandbox. */
  get floor(): number {
    return (this.satoshisPerVbyte * sharePercent(25)) / 100
  }

  get estimates(): Readonly<Record<string, number>> {
    return Object.fromEntries(
      SHARES.map(([blocks, percent]) => [blocks, Math.max(1, (this.satoshisPerVbyte * percent) / 100)])
    )
  }
}
