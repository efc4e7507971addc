import { HexBytes } from "@countersign/core/foundation/primitives"
import { assert, describe, it } from "@effect/vitest"
import { Redacted } from "effect"
import { operatorAddresses, operatorKeyProblem } from "./operatorKeys.ts"

const key = (digit: string) => Redacted.make(HexBytes.make(`0x${digit.padStart(64, "0")}`))

describe("operator keys", () => {
  it("are identified by their addresses", () => {
    assert.deepStrictEqual(operatorAddresses({ "0.7": [key("1")], "0.8": [] }), {
      "0.7": ["0x7e5f4552091a69125d5dfcb7b8c2659029395bdf" as never],
      "0.8": []
    })
  })

  it("are rejected if one serves both versions, is repeated, or is missing", () => {
    assert.isNull(operatorKeyProblem({ "0.7": [key("1"), key("2")], "0.8": [key("3")] }, "0.7"))
    assert.isNull(operatorKeyProblem({ "0.7": [key("1"), key("2")], "0.8": [key("3")] }, "0.8"))
    const sharedKeys = { "0.7": [key("1"), key("2")], "0.8": [key("3"), key("1")] }
    assert.isNull(operatorKeyProblem(sharedKeys, "0.7"))
    assert.match(
      operatorKeyProblem(sharedKeys, "0.8") ?? "",
      /0x7e5f4552[0-9a-f]+ is also an operator key of EntryPoint 0\.7/u
    )
    assert.match(operatorKeyProblem({ "0.7": [key("1"), key("1")], "0.8": [] }, "0.7") ?? "", /different/u)
    assert.match(operatorKeyProblem({ "0.7": [key("1")], "0.8": [] }, "0.8") ?? "", /0\.8 needs its own operator key/u)
  })
})
