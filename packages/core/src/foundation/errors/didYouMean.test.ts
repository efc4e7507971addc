import { assert, describe, it } from "@effect/vitest"
import { suggestWord } from "./didYouMean.ts"

const knownWords = ["walletAddress", "toAddress", "amountIn", "minAmountOut", "slippage"]

describe("didYouMean", () => {
  it.each([
    ["walletaddress", "walletAddress"],
    ["walletAdress", "walletAddress"],
    ["amounIn", "amountIn"],
    ["amuontIn", "amountIn"],
    ["slipage", "slippage"],
    ["amountOut", "amountIn"],
    ["x", null],
    ["", null],
    ["recipient", null],
    ["w".repeat(100_000), null]
  ])("suggests for %s the name %s", (word, suggestion) => {
    assert.strictEqual(suggestWord(word, knownWords), suggestion)
  })
})
