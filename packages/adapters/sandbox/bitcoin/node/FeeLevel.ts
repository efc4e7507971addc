const DEFAULT_RATE = 5
/** Percentages of the fee level, by confirmation target in blocks. */
const SHARES: ReadonlyArray<readonly [blocks: number, percent: number]> = [
  [1, 110],
  [2, 100],
  [3, 80],
  [6, 60],
  [25, 40],
  [144, 20]
]

const sharePercent = (blocks: number): number => SHARES.find(([target]) => target === blocks)![1]

/**
 * The fee rates that the sandbox's chain reports. They are configured, because no transactions compete for its blocks.
 */
export class FeeLevel {
  /** Fee rate in sat/vB for a confirmation within two blocks. */
  satoshisPerVbyte = DEFAULT_RATE

  /**
   * Fee rate in sat/vB below which transactions remain unconfirmed until blocks are mined on request. On mainnet they
   * would take more than 25 blocks.
   */
  get floor(): number {
    return (this.satoshisPerVbyte * sharePercent(25)) / 100
  }

  get estimates(): Readonly<Record<string, number>> {
    return Object.fromEntries(
      SHARES.map(([blocks, percent]) => [blocks, Math.max(1, (this.satoshisPerVbyte * percent) / 100)])
    )
  }
}
