import { assert, describe, it } from "@effect/vitest"
import { Address } from "../../foundation/primitives/index.ts"
import { outputRecipientProblems } from "./outputRecipient.ts"

const addressOf = (word: string) => Address.make(`0x${word.padStart(40, "0")}`)

describe("outputRecipientProblems", () => {
  it.each(["0", "1", "2"])("refuse %s, which routers treat as a constant", (word) => {
    const [problem, ...others] = outputRecipientProblems(addressOf(word))
    assert.deepStrictEqual([problem?.path, problem?.code, others], ["toAddress", "router_alias", []])
  })

  it.each(["3", "10", "a1", "f".repeat(40)])("accept %s", (word) => {
    assert.deepStrictEqual(outputRecipientProblems(addressOf(word)), [])
  })
})
