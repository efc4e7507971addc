import { assert, describe, it } from "@effect/vitest"
import type { Hex } from "viem"
import type { CallFrame } from "./CallFrame.ts"
import { failedContract } from "./failedContract.ts"
import { failureReason } from "./failureReason.ts"

const [safe, singleton, multiSend, router, token, feed] = ["11", "22", "33", "44", "55", "66"].map(
  (digits): Hex => `0x${digits.repeat(20)}`
) as [Hex, Hex, Hex, Hex, Hex, Hex]

const frame = (to: Hex, fields: Partial<CallFrame> = {}): CallFrame => ({
  type: "CALL",
  from: safe,
  to,
  gasUsed: "0x1",
  input: "0x",
  ...fields
})

const failing = (to: Hex, output: Hex, calls: ReadonlyArray<CallFrame> = [], type = "CALL"): CallFrame =>
  frame(to, { type, output, calls, error: "execution reverted" })

/** Return data of `Error("paused")`. */
const PAUSED: Hex = `0x08c379a0${"20".padStart(64, "0")}${"6".padStart(64, "0")}${"706175736564".padEnd(64, "0")}`
/** Return data of `Error("STF")`. */
const STF: Hex = `0x08c379a0${"20".padStart(64, "0")}${"3".padStart(64, "0")}${"535446".padEnd(64, "0")}`

const contractOf: (top: CallFrame) => string | null = failedContract

describe("the contract of a failure", () => {
  it("is the contract that reverted, even if its callers forwarded the reason", () => {
    const top = failing(safe, PAUSED, [frame(feed), failing(router, PAUSED, [failing(token, PAUSED)])])
    assert.strictEqual(contractOf(top), token)
  })

  it("is the token that a router could not transfer, although the router reverts with its own message", () => {
    const top = failing(safe, STF, [failing(router, STF, [frame(feed), failing(token, PAUSED)])])
    assert.strictEqual(contractOf(top), token)
  })

  it("is the contract behind a Safe, although the Safe's module catches the failure and reverts with its own error", () => {
    const withBatch = (moduleOutput: Hex, inside: CallFrame) =>
      failing(safe, moduleOutput, [
        failing(singleton, moduleOutput, [
          frame(safe, { calls: [frame(singleton, { type: "DELEGATECALL", calls: [inside] })] }),
          frame(feed)
        ])
      ])
    const batch = failing(multiSend, "0x", [failing(token, PAUSED)], "DELEGATECALL")
    for (const output of ["0x", "0xacfdb444"] as const) {
      assert.strictEqual(failureReason(withBatch(output, batch)).decoded, "paused")
      assert.strictEqual(contractOf(withBatch(output, batch)), token)
    }
    assert.strictEqual(contractOf(withBatch(PAUSED, failing(token, PAUSED))), token)
  })

  it("is the contract whose storage is used, if it delegates to the code of another contract", () => {
    const top = failing(router, PAUSED, [
      failing(token, PAUSED, [{ ...failing(singleton, PAUSED, [], "DELEGATECALL"), from: token }])
    ])
    assert.strictEqual(contractOf(top), token)
  })

  it("is the contract that caught a failure and reverted later for its own reason", () => {
    const top = failing(router, STF, [failing(feed, PAUSED), frame(token)])
    assert.strictEqual(contractOf(top), router)
  })
})
