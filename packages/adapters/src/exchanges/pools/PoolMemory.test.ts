import { assert, describe, it } from "@effect/vitest"
import { anAddress } from "../../../../core/src/foundation/primitives/ids.fixture.ts"
import { PoolMemory } from "./PoolMemory.ts"

const ID = "0x1"
const known = {
  pool: { _tag: "ConstantProduct", id: ID, token0: anAddress(), token1: anAddress() } as never,
  block: { number: 1n, hash: null }
}

describe("PoolMemory", () => {
  it("takes a pool that was never there for absent, for a minute", () => {
    const memory = new PoolMemory()
    memory.keepAbsent(ID, 0)
    assert.isTrue(memory.isAbsent(ID, 59_999))
    assert.isFalse(memory.isAbsent(ID, 60_000))
  })

  it("asks again for a pool that was there before one answer without it, and takes a second one at its word", () => {
    const memory = new PoolMemory()
    memory.keep(ID, known)
    memory.keepAbsent(ID, 0)
    assert.isNull(memory.pool(ID))
    assert.isFalse(memory.isAbsent(ID, 0))
    memory.keepAbsent(ID, 1)
    assert.isTrue(memory.isAbsent(ID, 2))
  })
})
