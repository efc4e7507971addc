import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { aHash } from "../../foundation/primitives/ids.fixture.ts"
import { sqrtPriceX96AtTick } from "../liquidity/index.ts"
import { earnedAprRoundingDown, estimatedAprRoundingDown, providersShareRoundingDown } from "./estimatedApr.ts"
import { hourValuesRoundingDown } from "./hourValues.ts"
import { addHours, hoursOf, type PoolEvent, type PoolHour } from "./PoolActivity.ts"
import type { PricedToken } from "./PoolRef.ts"
import { poolAddressOfId } from "./poolId.ts"
import { priceRoundingDown } from "./poolPrice.ts"

const E18 = 10n ** 18n

const pricedUsdc = (price: bigint | null = E18): PricedToken => ({ decimals: 6, price })
const pricedEther = (price: bigint | null = 3_000n * E18): PricedToken => ({ decimals: 18, price })

const hourWith = (changes: Partial<PoolHour>): PoolHour => ({
  hour: 1,
  transactions: 1,
  volume0: 0n,
  volume1: 0n,
  fees0: 0n,
  fees1: 0n,
  ...changes
})

describe("hoursOf", () => {
  const transactionHash = aHash()
  const eventWith = (changes: Partial<PoolEvent>): PoolEvent => ({
    kind: "SWAP",
    transactionHash,
    hour: 7,
    amounts: { amount0: 1_000_000n, amount1: -5n },
    ...changes
  })

  it("adds up swaps in both directions, rounds up the fee on the input, and counts a transaction once", () => {
    const otherAmounts = { amount0: -300n, amount1: 1n }
    assert.deepStrictEqual(
      hoursOf(
        [
          eventWith({}),
          eventWith({ amounts: otherAmounts }),
          eventWith({ kind: "OTHER", transactionHash: aHash() }),
          eventWith({ kind: "FLASH", amounts: { amount0: 9n, amount1: 0n } }),
          eventWith({ hour: 8 })
        ],
        3_000
      ),
      [
        { hour: 7, transactions: 2, volume0: 1_000_300n, volume1: 6n, fees0: 3_009n, fees1: 1n },
        { hour: 8, transactions: 1, volume0: 1_000_000n, volume1: 5n, fees0: 3_000n, fees1: 0n }
      ]
    )
  })

  const Amount = Schema.BigInt.check(Schema.isBetweenBigInt({ minimum: -(2n ** 128n), maximum: 2n ** 128n }))
  const Events = Schema.Array(
    Schema.Struct({
      amount0: Amount,
      amount1: Amount,
      hour: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 3 }))
    })
  )
  it.prop(
    "returns the same totals for two parts as for all events",
    { events: Events, cut: Schema.Int },
    ({ cut, events }) => {
      const allEvents = events.map(({ amount0, amount1, hour }) =>
        eventWith({ transactionHash: aHash(), hour, amounts: { amount0, amount1 } })
      )
      const splitIndex = events.length === 0 ? 0 : Math.abs(cut) % (events.length + 1)
      const parts = [...hoursOf(allEvents.slice(0, splitIndex), 500), ...hoursOf(allEvents.slice(splitIndex), 500)]
      const summedHours = [...Map.groupBy(parts, ({ hour }) => hour).values()].map((sameHour) =>
        sameHour.reduce(addHours)
      )
      assert.sameDeepMembers(summedHours, [...hoursOf(allEvents, 500)])
      return true
    }
  )
})

describe("hourValues", () => {
  it("values each swap by its US dollar token, and fees in the other token at the exchange rate of their hour", () => {
    // 2 ETH at $5,000 each, while the current price is $3,000.
    const hour = hourWith({ volume0: 10_000_000_000n, volume1: 2n * E18, fees0: 1_000_000n, fees1: E18 / 1_000n })
    assert.deepStrictEqual(hourValuesRoundingDown([hour], [pricedUsdc(), pricedEther()]), {
      volumeUsdE6: 10_000_000_000n,
      feesUsdE6: 1_000_000n + 5_000_000n
    })
    assert.deepStrictEqual(
      hourValuesRoundingDown(
        [{ ...hour, volume0: hour.volume1, volume1: hour.volume0, fees0: hour.fees1, fees1: hour.fees0 }],
        [pricedEther(), pricedUsdc()]
      ),
      { volumeUsdE6: 10_000_000_000n, feesUsdE6: 6_000_000n }
    )
  })

  it("uses the token with a known price, and returns null if both prices are unknown", () => {
    const hour = hourWith({ volume0: 3_000_000_000n, volume1: E18 })
    assert.strictEqual(hourValuesRoundingDown([hour], [pricedUsdc(null), pricedEther()])?.volumeUsdE6, 3_000_000_000n)
    assert.isNull(hourValuesRoundingDown([hour], [pricedUsdc(null), pricedEther(null)]))
  })

  it("values the fees of an hour with only flash loans at the current price", () => {
    const hour = hourWith({ fees1: E18 })
    assert.strictEqual(hourValuesRoundingDown([hour], [pricedUsdc(), pricedEther()])?.feesUsdE6, 3_000_000_000n)
  })
})

describe("estimatedApr", () => {
  const terms = {
    providersFeesUsdE6: 7_000_000n,
    liquidity: 10n,
    liquidityInRange: 1_000n,
    isInRange: true,
    valueUsdE6: 365_000_000n
  }
  it("equals weekly fees × 365 / 7 × share ÷ value, in percent", () => {
    assert.strictEqual(estimatedAprRoundingDown(terms), "1")
    assert.strictEqual(estimatedAprRoundingDown({ ...terms, valueUsdE6: 3_000_000n }), "121.66")
    assert.strictEqual(estimatedAprRoundingDown({ ...terms, isInRange: false }), "0")
    assert.isNull(estimatedAprRoundingDown({ ...terms, valueUsdE6: 0n }))
  })

  it("excludes the protocol's share, using the larger of the two", () => {
    assert.strictEqual(providersShareRoundingDown(1_000n, [0, 0]), 1_000n)
    assert.strictEqual(providersShareRoundingDown(1_001n, [6, 4]), 750n)
    assert.strictEqual(providersShareRoundingDown(1_000n, [0, 10]), 900n)
  })

  it("equals fees ÷ value ÷ age for the earned fees", () => {
    assert.strictEqual(earnedAprRoundingDown(5_000_000n, 100_000_000n, 365 * 43_200), "10")
    assert.isNull(earnedAprRoundingDown(5n, 100n, 0))
    assert.isNull(earnedAprRoundingDown(5n, 0n, 10))
  })
})

describe("priceRoundingDown", () => {
  it("is in token units for any decimals, and has enough digits at both ends of the price range", () => {
    assert.strictEqual(priceRoundingDown(1n << 96n, 18, 18), "1")
    assert.strictEqual(priceRoundingDown(1n << 97n, 6, 18), "0.000000000004")
    assert.strictEqual(priceRoundingDown(1n << 97n, 18, 6), "4000000000000")
    for (const tick of [-887_272, -200_000, 7, 200_000, 887_271]) {
      const price = Number(priceRoundingDown(sqrtPriceX96AtTick(tick), 18, 18))
      assert.closeTo(price / 1.0001 ** tick, 1, 1e-9)
    }
  })
})

describe("placeOfId", () => {
  it.effect("accepts a chain and an address with a valid checksum or none", () =>
    Effect.gen(function* () {
      const address = "0x88e6a0c2ddd26feeb64f039a2c41296fcb3f5640"
      assert.deepStrictEqual(yield* poolAddressOfId(`8453-${address}`), { chainId: 8453, address } as never)
      for (const id of [
        "",
        "-",
        `1-${address}00`,
        `1-${address.slice(0, -1)}`,
        `1_${address}`,
        `-1-${address}`,
        address
      ]) {
        assert.strictEqual((yield* Effect.flip(poolAddressOfId(id))).problems[0].code, "invalid", id)
      }
      assert.strictEqual((yield* Effect.flip(poolAddressOfId(`7-${address}`))).problems[0].code, "unknown_chain")
    })
  )
})
