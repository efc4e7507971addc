const PIPS_OF_A_PERCENT = 10_000

export const pipsToPercent = (feePips: number): string => `${feePips / PIPS_OF_A_PERCENT} %`

const CENTS = 100

/** Rounds a US dollar value of the API to the nearest cent. Null if unknown. */
export const formatUsd = (usd: string | null): string | null =>
  usd === null ? null : `$${(Math.round(Number(usd) * CENTS) / CENTS).toLocaleString("en-US")}`

/** Rounds a percentage of the API to two decimals. Null if unknown. */
export const formatPercent = <Percent extends string | null>(percent: Percent): Percent =>
  (percent === null ? null : Number(percent).toFixed(2)) as Percent
