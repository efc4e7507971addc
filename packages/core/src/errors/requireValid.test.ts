import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
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
  it.effect("answers a request that keeps every bound, as it is inside and not as it is written", () =>
    Effect.gen(function* () {
      const request = aRequest({ fee: { percentage: 100 } })
      assert.deepStrictEqual(yield* requireRequest(request), request)
    })
  )

  it.effect("names every field that breaks a bound", () =>
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

  it.effect("tells what is missing, of another kind, and no request at all", () =>
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
})
