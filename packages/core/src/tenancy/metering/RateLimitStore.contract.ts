import { assert, layer } from "@effect/vitest"
import { Effect, type Layer } from "effect"
import { RateLimitStore } from "./RateLimitStore.ts"

/** Contract tests that every `RateLimitStore` must pass. */
export const rateLimitStoreContract = <E>(name: string, stores: Layer.Layer<RateLimitStore, E>): void => {
  layer(stores)(`RateLimitStore on ${name}`, (it) => {
    it.effect("counts each request of a key in a window once, also with concurrent requests", () =>
      Effect.gen(function* () {
        const store = yield* RateLimitStore
        const counts = yield* Effect.forEach(Array.from({ length: 50 }), () => store.count("many", 600), {
          concurrency: 10
        })
        assert.deepStrictEqual(
          [...counts].sort((a, b) => a - b),
          Array.from({ length: 50 }, (_, i) => i + 1)
        )
      })
    )

    it.effect("counts the requests of each key and each window separately", () =>
      Effect.gen(function* () {
        const store = yield* RateLimitStore
        yield* store.count("a", 60)
        yield* store.count("a", 120)
        assert.strictEqual(yield* store.count("b", 60), 1)
        assert.strictEqual(yield* store.count("a", 120), 2)
      })
    )
  })
}
