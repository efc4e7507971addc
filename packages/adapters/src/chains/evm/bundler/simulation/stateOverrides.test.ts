import { assert, describe, it } from "@effect/vitest"
import { zeroHash } from "viem"
import { changesIn, mergeOverrides, overridesOf } from "./stateOverrides.ts"

const ACCOUNT = `0x${"a1".repeat(20)}`
const slot = (n: number) => `0x${n.toString(16).padStart(64, "0")}` as never

describe("the state overrides after a run", () => {
  it("contain the written slots, with zero for cleared ones", () => {
    const changes = changesIn({
      pre: { [ACCOUNT]: { balance: "0x5", nonce: 1, storage: { [slot(1)]: slot(7), [slot(2)]: slot(8) } } },
      post: { [ACCOUNT]: { nonce: 2, storage: { [slot(2)]: slot(9) } } }
    })
    assert.deepStrictEqual(overridesOf(changes), {
      [ACCOUNT]: { nonce: "0x2", stateDiff: { [slot(1)]: zeroHash, [slot(2)]: slot(9) } }
    })
  })

  it("have precedence over the overrides that the next run needs for the same account", () => {
    const mergedOverridesValue = mergeOverrides(
      { [ACCOUNT]: { balance: "0x1", nonce: "0x2", stateDiff: { [slot(1)]: slot(1), [slot(2)]: slot(2) } } },
      { [ACCOUNT]: { balance: "0x9", stateDiff: { [slot(2)]: slot(3) } } }
    )
    assert.deepStrictEqual(mergedOverridesValue, {
      [ACCOUNT]: { balance: "0x9", nonce: "0x2", stateDiff: { [slot(1)]: slot(1), [slot(2)]: slot(3) } }
    })
  })
})
