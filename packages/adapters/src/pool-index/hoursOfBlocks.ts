import type { BlockMark } from "@countersign/core/pools"

const HOUR_SECONDS = 3_600

export const hourOfTime = (seconds: number): number => Math.floor(seconds / HOUR_SECONDS)

/**
 * The hour of each block, in ascending order, between two whose times are known. Times never go back, so blocks between two
 * of the same hour are of it too: the boundaries of hours alone are looked for, by halving.
 */
export const hoursOfBlocks = async (
  numbers: ReadonlyArray<number>,
  first: BlockMark,
  last: BlockMark,
  timeOf: (block: number) => Promise<number>
): Promise<ReadonlyMap<number, number>> => {
  const hours = new Map<number, number>()
  const settle = async (some: ReadonlyArray<number>, lowHour: number, highHour: number): Promise<void> => {
    if (some.length === 0) return
    if (lowHour === highHour) {
      for (const number of some) hours.set(number, lowHour)
      return
    }
    const middle = some.length >> 1
    const hour = hourOfTime(await timeOf(some[middle]!))
    hours.set(some[middle]!, hour)
    await Promise.all([settle(some.slice(0, middle), lowHour, hour), settle(some.slice(middle + 1), hour, highHour)])
  }
  await settle(numbers, hourOfTime(first.at), hourOfTime(last.at))
  return hours
}
