import { fiatLimitDefaults } from "@countersign/core/fiat"
import { assert, describe, it } from "@effect/vitest"
import { fiatLimits } from "./fiatLimits.ts"

describe("FIAT_LIMITS", () => {
  it("replaces the limits of the named payment methods", () => {
    const { fiatLimits: rules } = fiatLimits.parse("PIX=1/2/3/4, WIRE=0/0/0/0")!
    assert.deepStrictEqual(rules?.PIX, {
      perTransaction: 1n,
      daily: 2n,
      monthly: 3n,
      quarterly: 4n,
      timeZone: "America/Sao_Paulo"
    })
    assert.strictEqual(rules?.WIRE.daily, 0n)
    assert.deepStrictEqual(rules?.ACH, fiatLimitDefaults.ACH)
  })

  it("sets other limits for the named verification levels", () => {
    const { fiatLevelLimits, fiatLimits: rules } = fiatLimits.parse(
      "PIX=1/2/3/4,DOCUMENTS:PIX=5/6/7/8,BUSINESS:ACH=9/9/9/9"
    )!
    assert.strictEqual(rules?.PIX.daily, 2n)
    assert.deepStrictEqual(fiatLevelLimits, {
      BASIC: {},
      DOCUMENTS: { PIX: { perTransaction: 5n, daily: 6n, monthly: 7n, quarterly: 8n } },
      BUSINESS: { ACH: { perTransaction: 9n, daily: 9n, monthly: 9n, quarterly: 9n } }
    })
  })

  it.each([
    "PIX=1/2/3",
    "PIX=1/2/3/4/5",
    "CASH=1/2/3/4",
    "PIX=1/2/3/-4",
    "PIX=1/2/3/4,PIX=1/2/3/4",
    "PIX",
    "GOLD:PIX=1/2/3/4",
    ":PIX=1/2/3/4"
  ])("rejects %j: an amount is missing, or a method is unknown or repeated", (text) => {
    assert.isUndefined(fiatLimits.parse(text))
  })
})
