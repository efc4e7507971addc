import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { BadRequest } from "./BadRequest.ts"
import { requireValid } from "./requireValid.ts"

const Percent = Schema.Finite.check(
  Schema.isBetween({ minimum: 0, maximum: 100 }, { message: "Expected a percentage" })
)

const Request = Schema.Struct({
  take: Schema.NumberFromString.check(Schema.isBetween({ minimum: 1, maximum: 9 })),
  status: Schema.optionalKey(Schema.Literals(["OPEN", "CLOSED"])),
  fee: Schema.NullOr(Schema.Struct({ percentage: Percent })),
  operations: Schema.Array(Schema.Struct({ params: Schema.Struct({ percentage: Percent }) }))
})
type Request = typeof Request.Type

const requireRequest = requireValid(Request)

const aRequest = (fields: object = {}) => ({ take: 1, fee: null, operations: [], ...fields }) as Request

describe("requireValid", () => {
  it.effect("returns a valid request in its decoded form", () =>
    Effect.gen(function* () {
      const request = aRequest({ fee: { percentage: 100 } })
      assert.deepStrictEqual(yield* requireRequest(request), request)
    })
  )

  it.effect("reports every invalid field", () =>
    Effect.gen(function* () {
      const operations = [{ params: { percentage: 1 } }, { params: { percentage: 101 } }]
      const error = yield* Effect.flip(requireRequest(aRequest({ take: 10, fee: { percentage: -1 }, operations })))
      assert.deepStrictEqual(error.problems, [
        { path: "take", code: "invalid", message: "Expected a value between 1 and 9" },
        { path: "fee.percentage", code: "invalid", message: "Expected a percentage" },
        { path: "operations[1].params.percentage", code: "invalid", message: "Expected a percentage" }
      ])
    })
  )

  it.effect("reports missing fields, wrong types, and a value that is not a request", () =>
    Effect.gen(function* () {
      const { operations, ...rest } = aRequest({ status: "GONE" })
      assert.deepStrictEqual((yield* Effect.flip(requireRequest(rest as Request))).problems, [
        { path: "status", code: "invalid", message: 'Expected one of "OPEN", "CLOSED"' },
        { path: "operations", code: "missing", message: "This field is required." }
      ])
      const [problem] = (yield* Effect.flip(requireRequest(null as unknown as Request))).problems
      assert.strictEqual(problem.path, "")
    })
  )

  it.effect("lists fifty problems, and counts the others", () =>
    Effect.gen(function* () {
      const operations = Array.from({ length: 80 }, () => ({ params: { percentage: -1 } }))
      const error = yield* Effect.flip(requireRequest(aRequest({ take: 10, operations })))
      assert.lengthOf(error.problems, 50)
      assert.strictEqual(error.report.omitted, 31)
      assert.match(error.message, /; and 31 more problems$/u)
      assert.strictEqual(error.withPaths((path) => `body.${path}`).report.omitted, 31)
    })
  )
})

describe("BadRequest", () => {
  it("lists at most fifty of its problems", () => {
    const [first, ...others] = Array.from({ length: 60 }, (_, i) => ({
      path: `p${i}`,
      code: "invalid",
      message: "No."
    }))
    const { listed, omitted } = new BadRequest({ problems: [first!, ...others], omitted: 5 }).report
    assert.deepStrictEqual([listed.length, omitted], [50, 15])
  })
})
