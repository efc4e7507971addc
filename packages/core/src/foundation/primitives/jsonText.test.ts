import { assert, describe, it } from "@effect/vitest"
import { DateTime, Schema } from "effect"
import { jsonText } from "./jsonText.ts"

const Record = Schema.Struct({
  amount: Schema.BigInt,
  at: Schema.DateTimeUtc,
  note: Schema.NullOr(Schema.String),
  place: Schema.optionalKey(Schema.Int)
})

const record = {
  amount: 2n ** 200n,
  at: DateTime.makeUnsafe("2026-01-02T03:04:05.006Z"),
  note: 'a "quoted" \\ line\n\u2028'
}

describe("jsonText", () => {
  it("encodes like a schema of JSON strings, and omits absent fields", () => {
    const codec = Schema.fromJsonString(Schema.toCodecJson(Schema.toType(Record)))
    const excess = { ...record, other: 1 }
    assert.strictEqual(jsonText(Record).encode(excess), Schema.encodeSync(codec)(excess))
    assert.deepStrictEqual(jsonText(Record).decode(jsonText(Record).encode(record)), record)
  })

  it("throws for a value of a wrong type, and for text that does not encode such a record", () => {
    assert.throws(() => jsonText(Record).encode({ ...record, amount: 1 as never }))
    for (const text of ["", "{}", '{"amount":1}']) assert.throws(() => jsonText(Record).decode(text))
  })
})
