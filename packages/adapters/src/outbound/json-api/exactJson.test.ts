import { globSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Option } from "effect"
import { jsonNumber, parseExactJson, parseVerbatimJson, scaledE18RoundingDown } from "./exactJson.ts"

const scaledNumber = (number: string) => Option.getOrNull(scaledE18RoundingDown(number))

describe("parseExactJson", () => {
  it("preserves every digit", () => {
    assert.deepStrictEqual(
      parseExactJson('{"a":[0.1234567890123456789012,1e-7,-0,9007199254740993],"b":"1","c":null}'),
      {
        a: ["0.1234567890123456789012", "1e-7", "-0", "9007199254740993"],
        b: "1",
        c: null
      }
    )
  })
})

describe("numbers from providers", () => {
  it("keep all their digits in the service's requests and responses", () => {
    const text = '{"checked":[9007199254740993,1e-7,0.10]}'
    assert.strictEqual(JSON.stringify(parseVerbatimJson(text)), text)
    assert.strictEqual(JSON.stringify({ cents: jsonNumber(9_007_199_254_740_993n) }), '{"cents":9007199254740993}')
  })

  it("are not decoded as floats for any provider", () => {
    const src = join(import.meta.dirname, "../..")
    const files = globSync("{exchanges,fiat,identity,tokens,chains/bitcoin}/**/*.ts", { cwd: src })
    const sources = files.filter((file) => !/\.(?:test|fixture)\.ts$/u.test(file))
    assert.isAbove(sources.length, 100)
    const parsing = sources.filter((file) => /JSON\.parse|\.json\(\)/u.test(readFileSync(join(src, file), "utf8")))
    assert.deepStrictEqual(parsing, [])
  })
})

describe("scaledE18RoundingDown", () => {
  it("is exact, with and without an exponent", () => {
    assert.strictEqual(scaledNumber("1"), 10n ** 18n)
    assert.strictEqual(scaledNumber("1e-7"), 10n ** 11n)
    assert.strictEqual(scaledNumber("1.5E-7"), 150_000_000_000n)
    assert.strictEqual(scaledNumber("1.2e+3"), 1_200n * 10n ** 18n)
    assert.strictEqual(scaledNumber("95123.123456789012345678"), 95_123_123_456_789_012_345_678n)
    assert.strictEqual(scaledNumber("9007199254740993"), 9_007_199_254_740_993n * 10n ** 18n)
    assert.strictEqual(scaledNumber("0.0000000000000000019"), 1n)
  })

  it("is missing for text that is not a price", () => {
    for (const text of ["0", "0.0", "0e5", "-1", "-0", "1e-19", "1e99999999", "1e-99999999", "1e60"]) {
      assert.isNull(scaledNumber(text), text)
    }
  })
})
