import { assert, describe, it } from "@effect/vitest"
import { healthBar, healthText } from "./healthBar.ts"

describe("a health factor", () => {
  it.each([
    ["1.15", "1.15", "[#-------------------]"],
    ["1.9999", "1.99", "[#########-----------]"],
    ["2", "2.00", "[##########----------]"],
    ["0.5", "0.50", "[--------------------]"],
    ["81700000000", "81700000000.00", "[####################]"],
    [null, "no debt", "[####################]"]
  ])("of %s is %s", (health, text, bar) => {
    assert.strictEqual(healthText(health), text)
    assert.strictEqual(healthBar(health), bar)
  })
})
