import { assert, describe, it } from "@effect/vitest"
import { at } from "../../foundation/primitives/ids.fixture.ts"
import { aFiatQuote } from "./FiatOrder.fixture.ts"
import { quoteProblem } from "./newOrder.ts"

describe("quoteProblem", () => {
  const quote = aFiatQuote({ expiresAt: at(300) })

  it("is null until the quote expires", () => {
    assert.isNull(quoteProblem(quote, null, at(300)))
    assert.strictEqual(quoteProblem(quote, null, at(301))?._tag, "FIAT_QUOTE_EXPIRED")
  })

  it("names the order of a used quote, also after the quote has expired", () => {
    for (const now of [at(1), at(301)]) {
      assert.include(quoteProblem(quote, "order-1", now)?.message, "order-1")
    }
  })
})
