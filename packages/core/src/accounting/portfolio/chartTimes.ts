const HOUR_MS = 3_600_000

/**
 * Possible step widths of a chart, in hours. From 24 hours on, the steps are full UTC days, because sources have only
 * daily prices of older times.
 */
const STEP_HOURS = [1, 2, 4, 8, 12, 24, 48, 96, 168, 336, 672, 1_344, 2_688] as const

const MAX_STEPS = 60

/** Returns the times of a chart, oldest first: the multiples of a step, and the current time. */
export const chartTimes = (fromMs: number, nowMs: number): ReadonlyArray<number> => {
  const hours = STEP_HOURS.find((step) => (nowMs - fromMs) / (step * HOUR_MS) <= MAX_STEPS) ?? STEP_HOURS.at(-1)!
  const step = hours * HOUR_MS
  const first = Math.ceil(fromMs / step) * step
  const count = Math.max(0, Math.ceil((nowMs - first) / step))
  return [...Array.from({ length: count }, (_, i) => first + i * step), nowMs]
}
