import { assert, describe, it } from "@effect/vitest"
import { Exit } from "effect"
import { exitCodeOfExit } from "./program.ts"

describe("the exit code of a stopped command", () => {
  it.each([
    ["serve", 0],
    ["sandbox start", 0],
    ["mcp", 0],
    ["webhook listen", 0],
    ["backup create", 130],
    ["project move Shop", 130],
    ["db migrate", 130],
    ["sandbox example", 130]
  ] as const)("of `%s` is %i", (words, code) => {
    assert.strictEqual(exitCodeOfExit(Exit.interrupt(), words.split(" ")), code)
  })
})
