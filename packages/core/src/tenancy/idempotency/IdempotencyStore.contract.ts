import { assert, layer } from "@effect/vitest"
import { Effect, type Layer } from "effect"
import { at } from "../../foundation/primitives/ids.fixture.ts"
import { aProjectId } from "../projects/Project.fixture.ts"
import { IdempotencyStore, type IdempotentRequest } from "./IdempotencyStore.ts"

const aRequest = (fields: Partial<IdempotentRequest> = {}): IdempotentRequest => ({
  projectId: aProjectId(),
  key: "order-1",
  fingerprint: "f1",
  ...fields
})

const response = { text: '201 {"name":"ü\\"漢"}', scope: "quote" } as const

/** Contract tests that every `IdempotencyStore` must pass. */
export const idempotencyStoreContract = <E>(name: string, stores: Layer.Layer<IdempotencyStore, E>): void => {
  layer(stores)(`IdempotencyStore on ${name}`, (it) => {
    const times = (now: number) => ({ now: at(now), lockedUntil: at(now + 60), deleteBefore: at(now - 1_000) })
    const admit = (request: IdempotentRequest, now: number) =>
      Effect.flatMap(IdempotencyStore, (store) => store.admit(request, times(now)))

    it.effect("treats exactly one of many concurrent requests as the first", () =>
      Effect.gen(function* () {
        const request = aRequest()
        const admissions = yield* Effect.forEach(Array.from({ length: 20 }), () => admit(request, 1_000), {
          concurrency: 10
        })
        assert.strictEqual(admissions.filter(({ _tag }) => _tag === "First").length, 1)
        assert.strictEqual(admissions.filter(({ _tag }) => _tag === "Running").length, 19)
      })
    )

    it.effect("returns the stored response for a repeated request", () =>
      Effect.gen(function* () {
        const store = yield* IdempotencyStore
        const request = aRequest()
        yield* admit(request, 1_000)
        yield* store.finish(request, response)
        assert.deepStrictEqual(yield* admit(request, 1_999), { _tag: "Answered", response })
      })
    )

    it.effect("detects a different request with the same key, and treats each project separately", () =>
      Effect.gen(function* () {
        const request = aRequest()
        yield* admit(request, 1_000)
        assert.deepStrictEqual(yield* admit({ ...request, fingerprint: "f2" }, 1_001), { _tag: "Reused" })
        assert.deepStrictEqual(yield* admit({ ...request, projectId: aProjectId() }, 1_001), { _tag: "First" })
      })
    )

    it.effect("allows one other caller to take over if the first has not responded in time", () =>
      Effect.gen(function* () {
        const request = aRequest()
        yield* admit(request, 1_000)
        assert.deepStrictEqual(yield* admit(request, 1_059), { _tag: "Running" })
        const admissions = yield* Effect.forEach(Array.from({ length: 10 }), () => admit(request, 1_060), {
          concurrency: 10
        })
        assert.strictEqual(admissions.filter(({ _tag }) => _tag === "First").length, 1)
      })
    )

    it.effect("prevents a takeover while the first caller renews its lock, and a renewal after a takeover", () =>
      Effect.gen(function* () {
        const store = yield* IdempotencyStore
        const request = aRequest()
        yield* admit(request, 1_000)
        yield* store.renew(request, { from: at(1_060), to: at(1_100) })
        assert.deepStrictEqual(yield* admit(request, 1_099), { _tag: "Running" })
        assert.deepStrictEqual(yield* admit(request, 1_100), { _tag: "First" })
        yield* store.renew(request, { from: at(1_100), to: at(2_000) })
        assert.deepStrictEqual(yield* admit(request, 1_160), { _tag: "First" })
      })
    )

    it.effect("treats a request as the first again after it was abandoned or has expired", () =>
      Effect.gen(function* () {
        const store = yield* IdempotencyStore
        const abandonedRequest = aRequest()
        yield* admit(abandonedRequest, 1_000)
        yield* store.abandon(abandonedRequest)
        assert.deepStrictEqual(yield* admit(abandonedRequest, 1_001), { _tag: "First" })
        const oldRequest = aRequest()
        yield* admit(oldRequest, 1_000)
        yield* store.finish(oldRequest, response)
        assert.deepStrictEqual(yield* admit({ ...oldRequest, fingerprint: "f2" }, 3_000), { _tag: "First" })
      })
    )

    it.effect("keeps the response if the request is abandoned afterwards", () =>
      Effect.gen(function* () {
        const store = yield* IdempotencyStore
        const request = aRequest()
        yield* admit(request, 1_000)
        yield* store.finish(request, response)
        yield* store.abandon(request)
        assert.deepStrictEqual(yield* admit(request, 1_001), { _tag: "Answered", response })
      })
    )
  })
}
