import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { longArraysOf } from "./longArrays.ts"

const Payload = Schema.Struct({
  name: Schema.String,
  amounts: Schema.Array(Schema.NumberFromString).check(
    Schema.isMinLength(1),
    Schema.isMaxLength(2, { message: "Expected at most 2 amounts" })
  ),
  steps: Schema.Array(
    Schema.Union([
      Schema.Struct({ type: Schema.Literal("a"), parts: Schema.Array(Schema.String).check(Schema.isMaxLength(1)) }),
      Schema.Struct({ type: Schema.Literal("b"), parts: Schema.Array(Schema.String).check(Schema.isMaxLength(3)) })
    ])
  ),
  tags: Schema.NullOr(Schema.NonEmptyArray(Schema.String).check(Schema.isMaxLength(1))).pipe(
    Schema.withDecodingDefaultKey(Effect.succeed(null))
  )
})

const problemsOf = longArraysOf(Payload.ast)!
const problem = (path: string, message: string) => ({ path, code: "invalid", message })

describe("longArraysOf", () => {
  it("finds the arrays that are longer than their schema allows, for any elements", () => {
    assert.deepStrictEqual(problemsOf({ amounts: [{}, {}, {}], tags: [1, 2] }), [
      problem("amounts", "Expected at most 2 amounts"),
      problem("tags", "Expected at most 1 elements")
    ])
  })

  it("uses the highest limit of a union of schemas, at any depth", () => {
    const steps = [{ parts: [1, 2, 3] }, { parts: [1, 2, 3, 4] }, 0]
    assert.deepStrictEqual(problemsOf({ steps }), [problem("steps[1].parts", "Expected at most 3 elements")])
  })

  it.each([null, "text", [], [[1, 2, 3]], { amounts: "1,2,3" }, { amounts: ["1", "2"], tags: null }])(
    "finds no long array in %j",
    (value) => assert.isEmpty(problemsOf(value))
  )

  it("returns null for a schema without arrays", () => {
    assert.isNull(longArraysOf(Schema.Struct({ name: Schema.String, more: Schema.Struct({}) }).ast))
  })
})
