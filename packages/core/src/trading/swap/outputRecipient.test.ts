import { assert, describe, it } from "@effect/vitest"
import { Address } from "../../foundation/primitives/index.ts"
import { outputRecipientProblems } from "./outputRecipient.ts"

const address = (word: string) => Address.make(`0x${word.padStart(40, "0")}`)

describe("outputRecipientProblems", () => {
  it.each(["0", "1", "2"])("refuses %s, which routers read as a word", (word) => {
    const [problem, ...others] = outputRecipientProblems(address(word))
    assert.deepStrictEqual([problem?.path, problem?.code, others], ["toAddress", "router_alias", []])
  })

  it.each(["3", "10", "a1", "f".repeat(40)])("takes %s", (word) => {
    assert.deepStrictEqual(outputRecipientProblems(address(word)), [])
  })
})
