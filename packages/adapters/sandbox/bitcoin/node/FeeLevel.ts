const DEFAULT_RATE = 5
/** By blocks to wait for, in hundredths of the level. */
const SHARES: ReadonlyArray<readonly [blocks: number, percent: number]> = [
  [1, 110],
  [2, 100],
  [3, 80],
  [6, 60],
  [25, 40],
  [144, 20]
]

/** What the chain's host says of fees: nobody competes for blocks of a sandbox, so it is told. */
export class FeeLevel {
  /** Satoshis for each virtual byte, so that one of the next two blocks is likely. */
  satoshisPerVbyte = DEFAULT_RATE

  get estimates(): Readonly<Record<string, number>> {
    return Object.fromEntries(
      SHARES.map(([blocks, percent]) => [blocks, Math.max(1, (this.satoshisPerVbyte * percent) / 100)])
    )
  }
}
