import { assert, describe, it } from "@effect/vitest"
import { retryAfterMs } from "./retryAfterMs.ts"

describe("retryAfterMs", () => {
  const nowMs = Date.parse("2026-10-21T07:28:00Z")

  it.each([
    ["120", 120_000],
    [" 0 ", 0],
    ["Wed, 21 Oct 2026 07:29:30 GMT", 90_000],
    ["Wed, 21 Oct 2026 07:00:00 GMT", 0]
  ])("reads %j", (header, expected) => assert.strictEqual(retryAfterMs(header, nowMs), expected))

  it.each([undefined, "", "soon", "-5", "1.5", "2026-10-21", "99999999999"])("ignores %j", (header) =>
    assert.isNull(retryAfterMs(header, nowMs))
  )
})
