import { assert, describe, it } from "@effect/vitest"
import { encodeFunctionData, parseAbi } from "viem"
import { encoderOf } from "./encoderOf.ts"

const abi = parseAbi([
  "function plain(uint256 amount, address to)",
  "function none()",
  "function many(bytes[] data)",
  "function many(uint256 deadline, bytes[] data)"
])
const encode = encoderOf(abi)

describe("encoderOf", () => {
  it("encodes calls like viem, the first time and later, including overloaded functions", () => {
    const to = `0x${"ab".repeat(20)}` as const
    for (const amount of [1n, 2n]) {
      assert.strictEqual(
        encode("plain", [amount, to]),
        encodeFunctionData({ abi, functionName: "plain", args: [amount, to] })
      )
      assert.strictEqual(encode("none", []), encodeFunctionData({ abi, functionName: "none" }))
      assert.strictEqual(
        encode("many", [["0x12"]]),
        encodeFunctionData({ abi, functionName: "many", args: [["0x12"]] })
      )
      const args = [amount, ["0x12"]] as const
      assert.strictEqual(encode("many", args), encodeFunctionData({ abi, functionName: "many", args }))
    }
  })
})
