import { assert, describe, it } from "@effect/vitest"
import { DateTime, Option } from "effect"
import { monthAt, monthEndingAt, nextMonthStart, periodOf, zoneOrNone } from "./Period.ts"

const iso = DateTime.formatIso
const boundsOf = (month: string, zone: string) => {
  const { from, to } = periodOf(month, zone)
  return [iso(from), iso(to)]
}

describe("zoneOrNone", () => {
  it.each(["America/Sao_Paulo", "Brazil/East", "Asia/Kolkata", "UTC", "Etc/GMT+3", "europe/kiev"])(
    "accepts %s",
    (name) => {
      assert.isTrue(Option.isSome(zoneOrNone(name)))
    }
  )
  it.each(["", " ", "+03:00", "-03:00", "+3", "Mars/Olympus", "America", "America/Sao_Paulo ", "GMT+25"])(
    "rejects %j",
    (name) => assert.isTrue(Option.isNone(zoneOrNone(name)))
  )
})

describe("periodOf", () => {
  it.each([
    ["2026-11", "America/Sao_Paulo", "2026-11-01T03:00:00.000Z", "2026-12-01T03:00:00.000Z"],
    ["2018-11", "UTC", "2018-11-01T00:00:00.000Z", "2018-12-01T00:00:00.000Z"],
    ["2026-12", "Pacific/Apia", "2026-11-30T11:00:00.000Z", "2026-12-31T11:00:00.000Z"],
    ["2026-01", "Pacific/Kiritimati", "2025-12-31T10:00:00.000Z", "2026-01-31T10:00:00.000Z"],
    ["2026-02", "Etc/GMT+12", "2026-02-01T12:00:00.000Z", "2026-03-01T12:00:00.000Z"],
    // Daylight saving time begins in this month.
    ["2026-03", "Europe/Berlin", "2026-02-28T23:00:00.000Z", "2026-03-31T22:00:00.000Z"],
    // Midnight occurs twice on this day. The month starts at the first one.
    ["2026-11", "America/Havana", "2026-11-01T04:00:00.000Z", "2026-12-01T05:00:00.000Z"],
    // Midnight does not occur on this day. The month starts at the first instant after it.
    ["2011-04", "Asia/Amman", "2011-03-31T22:00:00.000Z", "2011-04-30T21:00:00.000Z"]
  ])("of %s in %s begins at %s and ends at %s", (month, zone, from, to) => {
    assert.deepStrictEqual(boundsOf(month, zone), [from, to])
  })

  it("has no gaps or overlaps in any zone", () => {
    for (const zone of ["America/Sao_Paulo", "America/Havana", "Pacific/Apia", "Asia/Amman", "Europe/Lisbon"]) {
      let { to } = periodOf("2009-12", zone)
      for (let index = 0; index < 240; index++) {
        const month = `${2010 + Math.floor(index / 12)}-${String((index % 12) + 1).padStart(2, "0")}`
        const period = periodOf(month, zone)
        assert.deepStrictEqual(period.from, to, `${month} ${zone}`)
        assert.strictEqual(monthAt(zone, period.from), month)
        assert.strictEqual(monthEndingAt(zone, period.to), month)
        assert.deepStrictEqual(nextMonthStart(zone, period.from), period.to)
        to = period.to
      }
    }
  })
})
