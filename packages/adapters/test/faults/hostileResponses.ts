import { afterAll, assert, beforeAll } from "@effect/vitest"
import { Cause, Effect, Exit } from "effect"
import { shortOrLong } from "../../../core/test/support/longTests.ts"
import { seededRandom } from "../evm/randomOperation.ts"

const CALL_COUNT = shortOrLong(40, 1_000)
const SEED = Number(process.env.FUZZ_SEED ?? 1)

/** JSON values as text. `1e400` exceeds the range of JavaScript numbers. */
const HOSTILE_VALUES = [
  "null",
  "true",
  "{}",
  "[]",
  "[[[]]]",
  '""',
  "0",
  "-1",
  "1.5",
  "1e300",
  "-1e300",
  "1e400",
  "9999999999",
  "9007199254740993",
  '"1e30"',
  '"-5"',
  '"0x"',
  '"\\u0000"',
  '"2026-99-99"',
  `"${"9".repeat(80)}"`
]
const JSON_VALUE = /"(?:[^"\\]|\\.)*"(?=\s*[,}\]])|-?\d+(?:\.\d+)?(?:e[+-]?\d+)?|null|true|false/giu
const XML_VALUE = /(?<=>)[^<>]+(?=<\/)/gu

const random = seededRandom(SEED)
const oneOf = <A>(values: ReadonlyArray<A>): A => values[Math.floor(random() * values.length)]!

/** Replaces one value in the text, or rarely truncates the text. */
const mutate = (text: string): string => {
  const values = [...text.matchAll(text.startsWith("<") ? XML_VALUE : JSON_VALUE)]
  if (values.length === 0 || random() < 0.02) return text.slice(0, Math.floor(random() * text.length))
  const { 0: value, index } = oneOf(values)
  return text.slice(0, index) + oneOf(HOSTILE_VALUES) + text.slice(index + value.length)
}

/**
 * Changes the responses of all providers in a test file while `assertNoDefects` runs: replaces one value of each, or
 * truncates it.
 */
export const installHostileResponses = () => {
  const honestFetch = globalThis.fetch
  let isHostile = false
  let lastText = ""
  beforeAll(() => {
    globalThis.fetch = async (...request) => {
      const response = await honestFetch(...request)
      if (!isHostile) return response
      lastText = mutate(await response.text())
      const { headers, status } = response
      return new Response([204, 304].includes(status) ? null : lastText, { status, headers })
    }
  })
  afterAll(() => {
    globalThis.fetch = honestFetch
  })

  /**
   * Calls each function once with honest responses, which must succeed, and several times with hostile ones, each time
   * with a new provider.
   */
  const assertNoDefects = (calls: () => Readonly<Record<string, Effect.Effect<unknown, unknown>>>) =>
    Effect.gen(function* () {
      yield* Effect.all(calls())
      isHostile = true
      yield* Effect.addFinalizer(() =>
        Effect.sync(() => {
          isHostile = false
        })
      )
      for (let i = 0; i < CALL_COUNT; i++) {
        for (const [name, call] of Object.entries(calls())) {
          const exit = yield* Effect.exit(call)
          const hasDefect = Exit.isFailure(exit) && Cause.hasDies(exit.cause)
          assert.isFalse(
            hasDefect,
            `${name}, seed ${SEED}: ${lastText.slice(0, 2_000)}\n${Exit.isFailure(exit) && Cause.pretty(exit.cause)}`
          )
        }
      }
    })

  return assertNoDefects
}
