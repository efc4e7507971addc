const PIPS_OF_A_PERCENT = 10_000

export const percentOfPips = (feePips: number): string => `${feePips / PIPS_OF_A_PERCENT} %`

const CENTS = 100

/** A US dollar value of the API rounded to the nearest cent; null if unknown. */
export const shownUsd = (usd: string | null): string | null =>
  usd === null ? null : `$${(Math.round(Number(usd) * CENTS) / CENTS).toLocaleString("en-US")}`

/** A percentage of the API rounded to two decimals; null if unknown. */
export const shownPercent = <Percent extends string | null>(percent: Percent): Percent =>
  (percent === null ? null : Number(percent).toFixed(2)) as Percent
