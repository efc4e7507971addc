import { assert, describe, it } from "@effect/vitest"
import { at } from "../../foundation/primitives/ids.fixture.ts"
import { quoteExpiry } from "./FiatQuotes.ts"

const DAY_MS = 86_400_000

describe("quoteExpiry", () => {
  it("is the expiry of the provider's offer, but at most a day after the quote", () => {
    for (const [offerMs, expectedMs] of [
      [300_000, 300_000],
      [DAY_MS, DAY_MS],
      [1_000 * DAY_MS, DAY_MS]
    ] as const) {
      assert.deepStrictEqual(quoteExpiry(at(0), { expiresAt: at(offerMs) }), at(expectedMs))
    }
  })
})
