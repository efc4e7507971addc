import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { anOffer, aProvider, aSwapFixture } from "../swap.fixture.ts"
import { askForOffer } from "./askForOffer.ts"
import type { Offer, OfferRequest } from "./Offer.ts"
import { RouteNotFound } from "./Offer.ts"
import { healthOf, hedgeAfterMs, MAX_SAMPLES, type OfferSample, ProvidersHealth } from "./ProviderHealth.ts"

const fixture = aSwapFixture()
const request: OfferRequest = { tokenIn: fixture.usdc, tokenOut: fixture.weth, amountIn: 10n, limit: null }
const TIMEOUT_MS = 10_000

const offeredSample = (latencyMs: number): OfferSample => ({ outcome: "OFFERED", latencyMs })

/** Creates statistics of this number of requests with a latency of 150 ms each. */
const healthsWithSamples = (requestCount: number) => {
  const healths = new ProvidersHealth()
  for (let index = 0; index < requestCount; index++) healths.record("one", offeredSample(150))
  return healths
}

/** Creates a provider whose responses the test sends one by one. */
const makeManualProvider = Effect.gen(function* () {
  const pendingResponses: Array<Deferred.Deferred<Offer, RouteNotFound>> = []
  const provider = aProvider("one", () =>
    Effect.suspend(() => {
      const response = Deferred.makeUnsafe<Offer, RouteNotFound>()
      pendingResponses.push(response)
      return Deferred.await(response)
    })
  )
  return { asks: pendingResponses, provider }
})

describe("healthOf", () => {
  it("counts outcomes and computes the median and the 95th percentile", () => {
    const samples = [
      ...Array.from({ length: 19 }, (_, i) => offeredSample(i + 1)),
      { outcome: "FAILED", latencyMs: 900 } as const
    ]
    assert.deepStrictEqual(healthOf("one", samples), {
      provider: "one",
      requestCount: 20,
      offered: 19,
      refused: 0,
      failed: 1,
      abandoned: 0,
      medianMs: 10,
      p95Ms: 19
    })
  })

  it("contains no latencies for a provider without requests", () => {
    const { medianMs, p95Ms } = healthOf("one", [])
    assert.deepStrictEqual([medianMs, p95Ms], [null, null])
  })

  it("drops old requests", () => {
    const healths = healthsWithSamples(1)
    for (let index = 0; index < MAX_SAMPLES; index++) healths.record("one", offeredSample(2))
    assert.strictEqual(healths.of("one").requestCount, MAX_SAMPLES)
    assert.strictEqual(healths.of("one").p95Ms, 2)
  })
})

describe("A second request", () => {
  it("is sent if there is enough data, and never immediately", () => {
    assert.isNull(hedgeAfterMs(healthsWithSamples(19).of("one")))
    assert.strictEqual(hedgeAfterMs(healthsWithSamples(20).of("one")), 150)
    assert.strictEqual(
      hedgeAfterMs(
        healthOf(
          "one",
          Array.from({ length: 20 }, () => offeredSample(3))
        )
      ),
      100
    )
  })

  it("is sent for one request in ten, and for at most three in a row", () => {
    const healths = healthsWithSamples(100)
    assert.deepStrictEqual(
      [1, 2, 3, 4].map(() => healths.mayHedge("one")),
      [true, true, true, false]
    )
    for (let index = 0; index < 9; index++) healths.record("one", offeredSample(1))
    assert.isFalse(healths.mayHedge("one"))
    for (let index = 0; index < 2; index++) healths.record("one", offeredSample(1))
    assert.isTrue(healths.mayHedge("one"))
  })
})

describe("askForOffer", () => {
  it.effect("uses the second response if the first is late, and counts it once", () =>
    Effect.gen(function* () {
      const { asks, provider } = yield* makeManualProvider
      const healths = healthsWithSamples(20)
      const offerFiber = yield* Effect.forkChild(askForOffer(healths, provider, request, TIMEOUT_MS))
      yield* TestClock.adjust(149)
      assert.lengthOf(asks, 1)
      yield* TestClock.adjust(1)
      assert.lengthOf(asks, 2)
      yield* Deferred.succeed(asks[1]!, anOffer(request, 7n))
      assert.strictEqual((yield* Fiber.join(offerFiber)).amountOut, 70n)
      assert.strictEqual(healths.of("one").requestCount, 21)
    })
  )

  it.effect("ignores a failure of the second request while the first is pending", () =>
    Effect.gen(function* () {
      const { asks, provider } = yield* makeManualProvider
      const offerFiber = yield* Effect.forkChild(askForOffer(healthsWithSamples(20), provider, request, TIMEOUT_MS))
      yield* TestClock.adjust(150)
      yield* Deferred.fail(asks[1]!, new RouteNotFound({ provider: "one", reason: "too many requests" }))
      yield* Deferred.succeed(asks[0]!, anOffer(request, 7n))
      assert.strictEqual((yield* Fiber.join(offerFiber)).amountOut, 70n)
    })
  )

  it.effect("distinguishes rejections, errors, late responses and interrupted requests", () =>
    Effect.gen(function* () {
      const { asks, provider } = yield* makeManualProvider
      const healths = new ProvidersHealth()
      const requestOffer = askForOffer(healths, provider, request, TIMEOUT_MS)
      const rejectionFiber = yield* Effect.forkChild(Effect.flip(requestOffer))
      yield* Effect.yieldNow
      yield* Deferred.fail(asks[0]!, new RouteNotFound({ provider: "one", reason: "no pool" }))
      yield* Fiber.join(rejectionFiber)
      yield* Effect.exit(
        askForOffer(
          healths,
          aProvider("one", () => Effect.die(new Error("a bug"))),
          request,
          TIMEOUT_MS
        )
      )
      for (const waitMs of [TIMEOUT_MS, 5]) {
        const offerFiber = yield* Effect.forkChild(requestOffer)
        yield* TestClock.adjust(waitMs)
        yield* Fiber.interrupt(offerFiber)
      }
      const { abandoned, failed, refused } = healths.of("one")
      assert.deepStrictEqual({ abandoned, failed, refusals: refused }, { abandoned: 1, failed: 2, refusals: 1 })
    })
  )
})
