import { assert, layer } from "@effect/vitest"
import { DateTime, Effect, type Layer } from "effect"
import { type BridgeFill, BridgeFillStore, MAX_FILLS } from "./BridgeFillStore.ts"

const fillOf = (number: number, fields: Partial<BridgeFill> = {}): BridgeFill => ({
  from: 1,
  to: 8453,
  transferId: String(number),
  seconds: number,
  saidSeconds: 2,
  filledAt: DateTime.makeUnsafe(1_700_000_000_000 + number * 1_000),
  ...fields
})

/** Contract tests that every `BridgeFillStore` must pass. */
export const bridgeFillStoreContract = <E>(name: string, stores: Layer.Layer<BridgeFillStore, E>): void => {
  layer(stores)(`BridgeFillStore on ${name}`, (it) => {
    it.effect("stores each of the latest fills of a pair of chains once", () =>
      Effect.gen(function* () {
        const store = yield* BridgeFillStore
        assert.deepStrictEqual(yield* store.listLatest(1, 8453), [])
        // In an order that is not chronological.
        for (let number = 0; number < MAX_FILLS + 5; number++)
          yield* store.record(fillOf((number * 7) % (MAX_FILLS + 5)))
        yield* store.record(fillOf(1, { from: 8453, to: 1 }))
        const repeatedFill = fillOf(MAX_FILLS + 4, { seconds: 900 })
        yield* store.record(repeatedFill)
        const latestFills = yield* store.listLatest(1, 8453)
        assert.deepStrictEqual(
          latestFills.map(({ transferId }) => Number(transferId)),
          Array.from({ length: MAX_FILLS }, (_, i) => MAX_FILLS + 4 - i)
        )
        assert.deepStrictEqual(latestFills[0], repeatedFill)
        assert.lengthOf(yield* store.listLatest(8453, 1), 1)
        assert.lengthOf(yield* store.listLatest(1, 10), 0)
      })
    )
  })
}
