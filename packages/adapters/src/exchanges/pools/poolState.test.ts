import { MAX_SQRT_PRICE_X96, MAX_TICK, MIN_SQRT_PRICE_X96 } from "@countersign/core/trading/liquidity"
import { assert, describe, it } from "@effect/vitest"
import { concat, encodeAbiParameters, type Hex, numberToHex, parseAbiParameters } from "viem"
import { anAddress } from "../../../../core/src/foundation/primitives/ids.fixture.ts"
import type { V3Key, V4Key } from "./PoolKey.ts"
import { poolFrom } from "./poolState.ts"

const v3Key: V3Key = {
  _tag: "V3",
  id: `0x${"33".repeat(20)}`,
  venue: "Uniswap V3",
  token0: anAddress(),
  token1: anAddress(),
  address: anAddress(),
  factory: anAddress(),
  feePips: 3_000
}
const v4Key: V4Key = {
  _tag: "V4",
  id: `0x${"44".repeat(32)}`,
  venue: "Uniswap V4",
  token0: anAddress(),
  token1: anAddress(),
  poolManager: anAddress(),
  currency0: anAddress(),
  currency1: anAddress(),
  feePips: 3_000,
  tickSpacing: 60
}

const word = (value: number | bigint): Hex => numberToHex(value, { size: 32, signed: true })
const PRICE = 2n ** 96n

const v3Pool = (tickSpacing: number, price = PRICE, tick = 0) =>
  poolFrom(v3Key, null, [concat([word(price), word(tick)]), word(10n ** 18n), word(tickSpacing)])

const v4Pool = (price: bigint) =>
  poolFrom(v4Key, null, [encodeAbiParameters(parseAbiParameters("bytes32[]"), [[word(price), word(10n ** 18n)]])])

describe("poolFrom", () => {
  it("omits a pool if the node returns a tick spacing that no pool has", () => {
    assert.strictEqual(v3Pool(60)?.id, v3Key.id)
    for (const tickSpacing of [0, -60, 32_768]) assert.isNull(v3Pool(tickSpacing), `${tickSpacing}`)
  })

  it("omits a pool if the node returns a price or a tick that no pool has", () => {
    assert.strictEqual(v4Pool(PRICE)?.id, v4Key.id)
    for (const price of [0n, MIN_SQRT_PRICE_X96 - 1n, MAX_SQRT_PRICE_X96]) {
      assert.isNull(v3Pool(60, price), `${price}`)
      assert.isNull(v4Pool(price), `${price}`)
    }
    for (const tick of [MAX_TICK, -MAX_TICK - 1]) assert.isNull(v3Pool(60, PRICE, tick), `${tick}`)
  })
})
