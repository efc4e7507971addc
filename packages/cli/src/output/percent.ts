const PIPS_OF_A_PERCENT = 10_000

/** A fee in millionths, in percent. */
export const percentOfPips = (feePips: number): string => `${feePips / PIPS_OF_A_PERCENT} %`

const CENTS = 100

/** A dollar figure of the API to the cent, rounded to the nearest, for people; null where it is not known. */
export const shownUsd = (usd: string | null): string | null =>
  usd === null ? null : `$${(Math.round(Number(usd) * CENTS) / CENTS).toLocaleString("en-US")}`

/** A percentage of the API to two decimals, rounded to the nearest, for people; null where it is not known. */
export const shownPercent = <Percent extends string | null>(percent: Percent): Percent =>
  (percent === null ? null : Number(percent).toFixed(2)) as Percent
