import { assert, describe, it } from "@effect/vitest"
import { defaultJsonLimits, jsonProblemOrNull } from "./jsonProblem.ts"

const limits = { depthMax: 3, fieldsMax: 4, elementsMax: 5, valuesMax: 20 }
const codeOf = (text: string) => jsonProblemOrNull(text, limits)?.code ?? null

const list = (element: string, count: number) => `[${Array.from({ length: count }, () => element).join(",")}]`
const object = (count: number) => `{${Array.from({ length: count }, (_, i) => `"f${i}": ${i}`).join(", ")}}`

describe("jsonProblemOrNull", () => {
  it.each([
    ["", null],
    ["1", null],
    ["{}", null],
    ['{"a":[1,{"b":2}]}', null],
    ['{"a":[1,{"b":[]}]}', "too_deep"],
    ['{"a":"[[[[[,,,,,,,,,,,,,,,,,,,,,,,"}', null],
    ['{"a":"\\"[[[[[["}', null],
    ['{"a":"\\\\"}', null],
    ["[[],[]]", null],
    [object(4), null],
    [object(5), "too_many_fields"],
    [`[${object(5)}]`, "too_many_fields"],
    [list("1", 5), null],
    [list("1", 6), "too_many_elements"],
    [`{"a": ${list("1", 6)}}`, "too_many_elements"],
    [list("[1,2]", 5), null],
    [list("[1,2,3,4]", 5), "too_many_values"],
    ["]]]]}}}}[[[", null],
    ['"unterminated', null]
  ])("of %s is %s", (text, code) => assert.strictEqual(codeOf(text), code))

  it("states the limit in the message", () => {
    assert.strictEqual(jsonProblemOrNull(list("1", 6), limits)?.message, "Expected arrays of at most 5 elements.")
  })

  it("stops scanning at the limit", () => {
    assert.strictEqual(jsonProblemOrNull("[".repeat(1_000_000), defaultJsonLimits)?.code, "too_deep")
    assert.strictEqual(jsonProblemOrNull(list("{}", 400_000), defaultJsonLimits)?.code, "too_many_elements")
  })
})
