import { assert, layer as withLayer } from "@effect/vitest"
import { Effect, type Layer } from "effect"
import { aHash } from "../../foundation/primitives/ids.fixture.ts"
import { PoolEvents } from "./PoolEvents.ts"
import type { PoolAddress } from "./PoolRef.ts"

/** Contract tests that every `PoolEvents` reader must pass. `pool` must be older than the latest block. */
export const poolEventsContract = <E>(name: string, layer: Layer.Layer<PoolEvents, E>, pool: PoolAddress): void => {
  withLayer(layer, { excludeTestServices: true })(`PoolEvents: ${name}`, (it) => {
    const readAll = Effect.gen(function* () {
      const events = yield* PoolEvents
      const toBlock = yield* events.readHead(pool.chainId)
      return { events, to: toBlock, all: yield* events.listBetween(pool, { from: 0, to: toBlock }, null) }
    })

    it.effect("returns the same events for a range and for its parts, including the blocks at both ends", () =>
      Effect.gen(function* () {
        const { all, events, to } = yield* readAll
        assert.strictEqual(all.events.filter(({ kind }) => kind === "CREATED").length, 1)
        assert.deepStrictEqual([all.first.number, all.last.number], [0, to])
        const middle = to >> 1
        const eventsBefore = yield* events.listBetween(pool, { from: 0, to: middle }, null)
        const eventsAfter = yield* events.listBetween(pool, { from: middle + 1, to }, eventsBefore.last)
        assert.deepStrictEqual([...eventsBefore.events, ...eventsAfter.events], all.events)
        assert.deepStrictEqual([eventsBefore.first, eventsAfter.last], [all.first, all.last])
      })
    )

    it.effect("fails if a reorg removed the anchor block, or if the block does not exist yet", () =>
      Effect.gen(function* () {
        const { all, events, to } = yield* readAll
        const reorgError = yield* Effect.flip(
          events.listBetween(pool, { from: to, to }, { ...all.first, hash: aHash() })
        )
        assert.strictEqual(reorgError._tag, "BLOCK_GONE")
        const missingBlockError = yield* Effect.flip(events.listBetween(pool, { from: to, to: to + 1_000_000 }, null))
        assert.strictEqual(missingBlockError._tag, "UPSTREAM_UNAVAILABLE")
      })
    )
  })
}
