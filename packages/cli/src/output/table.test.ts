import { assert, describe, it } from "@effect/vitest"
import { card, table } from "./table.ts"

describe("tables and cards", () => {
  const name = "key\u001b[2J\u009b1A\u0007\r\u202e"

  it("show control characters of names as text, so that no name controls the terminal", () => {
    const shownText = "key�[2J�1A���"
    assert.strictEqual(table(["NAME"], [[name]]), `NAME\n${shownText}`)
    assert.strictEqual(card([["name", name]]), `name  ${shownText}`)
  })

  it("show each row of a table on one line", () => {
    assert.strictEqual(table(["NAME"], [["one\ntwo"]]), "NAME\none two")
  })

  it("keep the lines of a card, and joined emoji", () => {
    assert.strictEqual(card([["name", "one\ntwo 👩‍🚀"]]), "name  one\ntwo 👩‍🚀")
  })
})
