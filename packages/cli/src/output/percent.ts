const PIPS_OF_A_PERCENT = 10_000

/** A fee in millionths as a percentage. */
export const percentOfPips = (feePips: number): string => `${feePips / PIPS_OF_A_PERCENT} %`

const CENTS = 100

/** A US dollar value of the API rounded to the nearest cent; null if not known. */
export const shownUsd = (usd: string | null): string | null =>
  usd === null ? null : `$${(Math.round(Number(usd) * CENTS) / CENTS).toLocaleString("en-US")}`

/** A percentage of the API rounded to two decimals; null if not known. */
export const shownPercent = <Percent extends string | null>(percent: Percent): Percent =>
  (percent === null ? null : Number(percent).toFixed(2)) as Percent
