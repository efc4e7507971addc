import { assert, describe, it } from "@effect/vitest"
import { anAddress } from "../../../../core/src/foundation/primitives/ids.fixture.ts"
import { PoolMemory } from "./PoolMemory.ts"

const ID = "0x1"
const knownPool = {
  pool: { _tag: "ConstantProduct", id: ID, token0: anAddress(), token1: anAddress() } as never,
  block: { number: 1n, hash: null },
  ticksBlock: 1n
}

describe("PoolMemory", () => {
  it("treats a pool that never existed as missing for a minute", () => {
    const memory = new PoolMemory()
    memory.keepAbsent(ID, 0)
    assert.isTrue(memory.isAbsent(ID, 59_999))
    assert.isFalse(memory.isAbsent(ID, 60_000))
  })

  it("requests an existing pool again if one response lacks it, and accepts a second such response", () => {
    const memory = new PoolMemory()
    memory.keep(ID, knownPool)
    memory.keepAbsent(ID, 0)
    assert.isNull(memory.pool(ID))
    assert.isFalse(memory.isAbsent(ID, 0))
    memory.keepAbsent(ID, 1)
    assert.isTrue(memory.isAbsent(ID, 2))
  })
})
