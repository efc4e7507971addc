import { assert, describe, it } from "@effect/vitest"
import { Option, Schema } from "effect"
import { API_KEY_ENTROPY_BYTES, apiKeyIdOrNone, apiKeyText } from "./ApiKey.ts"

const entropyOf = (seed: number) =>
  Uint8Array.from({ length: API_KEY_ENTROPY_BYTES }, (_, i) => (i * 37 + seed * 101) % 256)
const keyOf = (seed: number) => Option.getOrThrow(apiKeyText("live", entropyOf(seed)))

describe("An API key", () => {
  it("has the format cs_<env>_<id>_<secret><checksum>, from which its id can be parsed", () => {
    const { id, text } = keyOf(1)
    assert.match(text, /^cs_live_[0-9A-Za-z]{16}_[0-9A-Za-z]{38}$/u)
    assert.deepStrictEqual(apiKeyIdOrNone(text), Option.some(id))
  })

  it.prop(
    "with one changed character is rejected without a database query",
    {
      seed: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 10_000 })),
      at: Schema.Int.check(Schema.isBetween({ minimum: 8, maximum: 62 }))
    },
    ({ at, seed }) => {
      const { text } = keyOf(seed)
      const otherCharacter = text[at] === "a" ? "b" : "a"
      return text[at] === "_" || Option.isNone(apiKeyIdOrNone(text.slice(0, at) + otherCharacter + text.slice(at + 1)))
    }
  )

  it.each(["", "cs_live_short_x", "sk_live_0123456789abcdef_0123456789abcdef0123456789abcdef000000"])(
    "is not %j",
    (text) => {
      assert.deepStrictEqual(apiKeyIdOrNone(text), Option.none())
    }
  )

  it("requires enough random bytes", () => {
    assert.deepStrictEqual(apiKeyText("live", new Uint8Array(API_KEY_ENTROPY_BYTES).fill(255)), Option.none())
  })
})
