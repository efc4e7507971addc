import { assert, describe, it } from "@effect/vitest"
import { operatorText } from "./operatorText.ts"

describe("operatorText", () => {
  it.each([
    ["quote_expired", "quote_expired"],
    ["the amount must be above 10.00 USD", "the amount must be above 10.00 USD"],
    ["no account 31254097 at 021000021", "no account [digits] at [digits]"],
    ["tax id 529.982.247-25 of +55 (41) 99999-0000", "tax id [digits] of +[digits]"],
    ["PIX key ana.souza@example.com is unknown", "PIX key [email] is unknown"],
    ["PIX key 123e4567-e12b-12d1-a456-426655440000", "PIX key [token]"],
    [`Bearer ${"k3y".repeat(8)}.x`, "Bearer [token].x"],
    ["two\r\nlines\u0000 \u001b[31mred", "two lines [31mred"]
  ])("of %j is %j", (text, expected) => assert.strictEqual(operatorText(text), expected))

  it("is limited in length", () => assert.lengthOf(operatorText("no ".repeat(5_000)), 200))
})
