const UNITS = [
  ["d", 86_400],
  ["h", 3_600],
  ["min", 60]
] as const

/** Formats the time since a date-time in its two largest units, such as "3 d 4 h". */
export const ageOf = (at: string, nowMs = Date.now()): string => {
  let seconds = Math.max(0, Math.floor((nowMs - Date.parse(at)) / 1_000))
  const unitTexts = UNITS.flatMap(([unit, length]) => {
    const count = Math.floor(seconds / length)
    seconds -= count * length
    return count === 0 ? [] : [`${count} ${unit}`]
  })
  return unitTexts.length === 0 ? "less than a minute" : unitTexts.slice(0, 2).join(" ")
}
