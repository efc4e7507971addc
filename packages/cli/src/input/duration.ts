import { Duration, Option } from "effect"

const UNIT_SECONDS = {
  s: 1,
  sec: 1,
  second: 1,
  seconds: 1,
  m: 60,
  min: 60,
  minute: 60,
  minutes: 60,
  h: 3_600,
  hour: 3_600,
  hours: 3_600,
  d: 86_400,
  day: 86_400,
  days: 86_400,
  w: 604_800,
  week: 604_800,
  weeks: 604_800
} as const

const isUnit = (word: string): word is keyof typeof UNIT_SECONDS => Object.hasOwn(UNIT_SECONDS, word)

/** A length of time as people write it: `90d`, `12h`, `1h30m`, `1.5 hours`. */
export const durationOrNone = (text: string): Option.Option<Duration.Duration> => {
  const parts = [...text.matchAll(/(\d+(?:\.\d+)?)\s*([a-z]+)\s*/giu)]
  if (parts.length === 0 || parts.map(([part]) => part).join("") !== text.trimStart()) return Option.none()
  let seconds = 0
  for (const [, count, word = ""] of parts) {
    const unit = word.toLowerCase()
    if (!isUnit(unit)) return Option.none()
    seconds += Number(count) * UNIT_SECONDS[unit]
  }
  return Option.some(Duration.millis(Math.round(seconds * 1_000)))
}
