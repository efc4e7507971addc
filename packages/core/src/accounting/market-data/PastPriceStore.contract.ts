import { assert, layer as withLayer } from "@effect/vitest"
import { DateTime, Effect, type Layer } from "effect"
import { anAddress } from "../../foundation/primitives/ids.fixture.ts"
import { PastPriceStore } from "./PastPriceStore.ts"
import type { PastPrice } from "./PastValue.ts"

const atMs = (ms: number) => DateTime.makeUnsafe(ms)
const aPrice = (usd: bigint): PastPrice => ({ usd, at: atMs(1_000), source: "a source" })

/** Contract tests that every `PastPriceStore` must pass. */
export const pastPriceStoreContract = <E>(name: string, layer: Layer.Layer<PastPriceStore, E>) =>
  withLayer(layer, { excludeTestServices: true })(`PastPriceStore: ${name}`, (it) => {
    it.effect("returns prices in the order of the keys, and null for missing ones", () =>
      Effect.gen(function* () {
        const store = yield* PastPriceStore
        const [a, b] = [
          { chainId: 1, address: anAddress() },
          { chainId: 10, address: anAddress() }
        ] as const
        const largePrice = 2n ** 200n + 1n
        yield* store.storePrices([
          { token: a, hour: 5, price: aPrice(largePrice) },
          { token: b, hour: 5, price: aPrice(2n) },
          { token: a, hour: 6, price: aPrice(3n) }
        ])
        const keys = [
          { token: a, hour: 6 },
          { token: b, hour: 6 },
          { token: b, hour: 5 },
          { token: a, hour: 5 },
          { token: a, hour: 6 }
        ]
        assert.deepStrictEqual(yield* store.findPrices(keys), [
          aPrice(3n),
          null,
          aPrice(2n),
          aPrice(largePrice),
          aPrice(3n)
        ])
        assert.deepStrictEqual(yield* store.findPrices([]), [])
      })
    )

    it.effect("keeps the first stored value, also for concurrent writes", () =>
      Effect.gen(function* () {
        const store = yield* PastPriceStore
        const key = { token: { chainId: 1, address: anAddress() }, hour: 7 } as const
        yield* Effect.forEach([1n, 2n, 3n, 4n], (usd) => store.storePrices([{ ...key, price: aPrice(usd) }]), {
          concurrency: "unbounded"
        })
        const [storedPrice] = yield* store.findPrices([key])
        yield* store.storePrices([{ ...key, price: aPrice(99n) }])
        assert.deepStrictEqual(yield* store.findPrices([key]), [storedPrice!])
        assert.include([1n, 2n, 3n, 4n], storedPrice!.usd)
      })
    )

    it.effect("stores as many prices as a report needs", () =>
      Effect.gen(function* () {
        const store = yield* PastPriceStore
        const token = { chainId: 1, address: anAddress() } as const
        const keys = Array.from({ length: 2_500 }, (_, hour) => ({ token, hour }))
        yield* store.storePrices(keys.map((key) => ({ ...key, price: aPrice(BigInt(key.hour)) })))
        const prices = yield* store.findPrices(keys)
        assert.isTrue(prices.every((price, hour) => price?.usd === BigInt(hour)))
      })
    )

    it.effect("stores all rates of a day together, and keeps the first ones", () =>
      Effect.gen(function* () {
        const store = yield* PastPriceStore
        const [day, otherDay] = [atMs(86_400_000 * 4), atMs(86_400_000 * 5)]
        const rates = {
          at: atMs(1_234),
          source: "a source",
          perUsdE18: new Map([
            ["brl", 5n * 10n ** 18n],
            ["btc", 10_526_315_789_473n]
          ] as const)
        }
        assert.deepStrictEqual(yield* store.findRates([day]), [null])
        yield* store.storeRates(day, rates)
        yield* store.storeRates(day, { ...rates, perUsdE18: new Map([["eur", 1n] as const]) })
        assert.deepStrictEqual(yield* store.findRates([otherDay, day]), [null, rates])
        assert.deepStrictEqual(yield* store.findRates([]), [])
      })
    )
  })
