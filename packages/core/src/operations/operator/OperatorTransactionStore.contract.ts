import { assert, layer } from "@effect/vitest"
import { Effect, type Layer } from "effect"
import { aHash, at } from "../../foundation/primitives/ids.fixture.ts"
import { HexBytes } from "../../foundation/primitives/index.ts"
import { WorkClaims } from "../../foundation/work/index.ts"
import { aLane, anOperatorTransaction } from "./OperatorTransaction.fixture.ts"
import type { Lane, OperatorTransaction } from "./OperatorTransaction.ts"
import { type BundleTransaction, OperatorTransactionStore } from "./OperatorTransactionStore.ts"

export { aLane, anOperatorTransaction } from "./OperatorTransaction.fixture.ts"

/** Amounts that do not fit a 64-bit column, with every field in use. */
const aFullTransaction = (lane: Lane, nonce: number) =>
  anOperatorTransaction(lane, nonce, {
    raw: HexBytes.make(`0x04${"c0".repeat(10_000)}`),
    maxFeePerGas: 2n ** 200n,
    maxPriorityFeePerGas: 2n ** 90n,
    replaced: [aHash(), aHash()],
    operations: [aHash(), aHash(), aHash()],
    state: "MINED",
    block: 4_000_000_000,
    sentAt: at(12_345)
  })

/** The contract of every `OperatorTransactionStore`. */
const bundleTransactionOf = (transaction: OperatorTransaction, watched: boolean): BundleTransaction => {
  const { hash, nonce, operations, replaced, state } = transaction
  return { nonce, hashes: [hash, ...replaced], operations, state, watched }
}

export const operatorTransactionStoreContract = <E>(
  name: string,
  stores: Layer.Layer<OperatorTransactionStore | WorkClaims, E>
): void => {
  layer(stores)(`OperatorTransactionStore on ${name}`, (it) => {
    const held = Effect.fnUntraced(function* (lane: Lane, holder: string, now: number, until: number) {
      const store = yield* OperatorTransactionStore
      return yield* store.claim(lane, "SEND", { holder, now: at(now), until: at(until) })
    })

    /** An operator account claimed for sending by "us", with functions to write its transactions. */
    const ourLane = Effect.gen(function* () {
      const store = yield* OperatorTransactionStore
      const lane = aLane()
      assert.isTrue(yield* held(lane, "us", 0, 1_000))
      const write = (...transactions: ReadonlyArray<OperatorTransaction>) =>
        store.write(lane, { holder: "us", now: at(1) }, transactions)
      return { lane, store, write }
    })

    it.effect("gives a lane to one holder at a time, who may keep it for longer", () =>
      Effect.gen(function* () {
        const lane = aLane()
        assert.isTrue(yield* held(lane, "a", 0, 100))
        assert.isFalse(yield* held(lane, "b", 50, 150))
        assert.isTrue(yield* held(lane, "a", 90, 200))
        assert.isFalse(yield* held(lane, "b", 150, 250))
        assert.isTrue(yield* held(aLane(), "b", 150, 250))
      })
    )

    it.effect("gives a lane of many who ask at once to one", () =>
      Effect.gen(function* () {
        const lane = aLane()
        const answers = yield* Effect.all(
          Array.from({ length: 8 }, (_, index) => held(lane, `h${index}`, 0, 100)),
          { concurrency: "unbounded" }
        )
        assert.lengthOf(answers.filter(Boolean), 1)
      })
    )

    it.effect("hands a lane over when its lease is over, when it is given back, and when all are dropped", () =>
      Effect.gen(function* () {
        const store = yield* OperatorTransactionStore
        const lane = aLane()
        assert.isTrue(yield* held(lane, "dead", 0, 100))
        assert.isTrue(yield* held(lane, "heir", 100, 200))
        yield* store.release(lane, "SEND", "dead")
        assert.isFalse(yield* held(lane, "third", 150, 250))
        yield* store.release(lane, "SEND", "heir")
        assert.isTrue(yield* held(lane, "third", 150, 250))
        yield* WorkClaims.use(({ releaseAll }) => releaseAll)
        assert.isTrue(yield* held(lane, "fourth", 150, 250))
      })
    )

    it.effect("keeps who sends and who watches apart", () =>
      Effect.gen(function* () {
        const store = yield* OperatorTransactionStore
        const lane = aLane()
        assert.isTrue(yield* held(lane, "a", 0, 100))
        assert.isTrue(yield* store.claim(lane, "WATCH", { holder: "b", now: at(0), until: at(100) }))
        assert.isFalse(yield* store.claim(lane, "WATCH", { holder: "a", now: at(0), until: at(100) }))
      })
    )

    it.effect("gives back what was written, lowest nonce first, and only of that lane", () =>
      Effect.gen(function* () {
        const { lane, store, write } = yield* ourLane
        const [first, second] = [anOperatorTransaction(lane, 9, { operations: [] }), aFullTransaction(lane, 10)]
        assert.isTrue(yield* write(second, first))
        assert.deepStrictEqual(yield* store.watched(lane), [first, second])
        assert.deepStrictEqual(yield* store.watched(aLane()), [])
      })
    )

    it.effect("tells which lanes have something to watch, and where something waits", () =>
      Effect.gen(function* () {
        const { lane, store, write } = yield* ourLane
        const ofLane = Effect.map(store.watchedLanes, (all) =>
          all.filter((watched) => watched.lane.operator === lane.operator)
        )
        assert.deepStrictEqual(yield* ofLane, [])
        const [mined, sent] = [
          anOperatorTransaction(lane, 1, { state: "MINED" }),
          anOperatorTransaction(lane, 2, { state: "SENT" })
        ]
        yield* write(mined)
        assert.deepStrictEqual(yield* ofLane, [{ lane, waiting: 0 }])
        yield* write(sent)
        assert.deepStrictEqual(yield* ofLane, [{ lane, waiting: 1 }])
        yield* store.settle([mined, sent])
        assert.deepStrictEqual(yield* ofLane, [])
      })
    )

    it.effect("puts a transaction in the place of what had its nonce, with its operations", () =>
      Effect.gen(function* () {
        const { lane, store, write } = yield* ourLane
        const before = anOperatorTransaction(lane, 3)
        const after = anOperatorTransaction(lane, 3, { replaced: [before.hash], operations: [aHash()] })
        yield* write(before)
        yield* write(after)
        assert.deepStrictEqual(yield* store.watched(lane), [after])
        assert.deepStrictEqual(yield* store.bundleTransactions(lane.chainId, before.operations[0]!), [])
        assert.lengthOf(yield* store.bundleTransactions(lane.chainId, after.operations[0]!), 1)
      })
    )

    it.effect("writes nothing for one who does not hold the lane, or not any more", () =>
      Effect.gen(function* () {
        const { lane, store } = yield* ourLane
        const row = anOperatorTransaction(lane, 0)
        assert.isFalse(yield* store.write(lane, { holder: "them", now: at(1) }, [row]))
        assert.isFalse(yield* store.write(lane, { holder: "us", now: at(1_000) }, [row]))
        assert.isFalse(yield* store.write(aLane(), { holder: "us", now: at(1) }, [row]))
        assert.deepStrictEqual(yield* store.watched(lane), [])
      })
    )

    it.effect("tells how full a lane is", () =>
      Effect.gen(function* () {
        const { lane, store, write } = yield* ourLane
        assert.deepStrictEqual(yield* store.usage(lane), { highestNonce: null, waiting: 0 })
        yield* write(
          anOperatorTransaction(lane, 1, { state: "MINED" }),
          anOperatorTransaction(lane, 2),
          anOperatorTransaction(lane, 3),
          anOperatorTransaction(lane, 4, { state: "LOST" }),
          anOperatorTransaction(lane, 5, { state: "REVERTED" })
        )
        assert.deepStrictEqual(yield* store.usage(lane), { highestNonce: 3, waiting: 2 })
      })
    )

    it.effect("finds every transaction that carries an operation, on its chain", () =>
      Effect.gen(function* () {
        const { lane, store, write } = yield* ourLane
        const operation = aHash()
        const reverted = anOperatorTransaction(lane, 1, { state: "REVERTED", operations: [operation] })
        const sent = anOperatorTransaction(lane, 2, { operations: [aHash(), operation], replaced: [aHash()] })
        yield* write(reverted, sent)
        yield* store.settle([reverted])
        assert.deepStrictEqual(yield* store.bundleTransactions(lane.chainId, operation), [
          bundleTransactionOf(reverted, false),
          bundleTransactionOf(sent, true)
        ])
        assert.deepStrictEqual(yield* store.bundleTransactions(1, operation), [])
      })
    )

    it.effect("stops watching what is as it was given, and forgets it later", () =>
      Effect.gen(function* () {
        const { lane, store, write } = yield* ourLane
        const [old, changed] = [
          anOperatorTransaction(lane, 1, { state: "MINED" }),
          anOperatorTransaction(lane, 2, { state: "MINED" })
        ]
        const again: OperatorTransaction = { ...changed, state: "SENT" }
        yield* write(old, again)
        yield* store.settle([old, changed])
        assert.deepStrictEqual(yield* store.watched(lane), [again])
        yield* store.forget(lane, old.sentAt)
        assert.lengthOf(yield* store.bundleTransactions(lane.chainId, old.operations[0]!), 1)
        yield* store.forget(lane, at(1))
        assert.deepStrictEqual(yield* store.bundleTransactions(lane.chainId, old.operations[0]!), [])
        assert.deepStrictEqual(yield* store.watched(lane), [again])
      })
    )

    it.effect("takes back a transaction while it is as it was and the last", () =>
      Effect.gen(function* () {
        const { lane, store, write } = yield* ourLane
        const [first, second] = [anOperatorTransaction(lane, 1), anOperatorTransaction(lane, 2)]
        yield* write(first, second)
        yield* store.withdraw(first)
        yield* store.withdraw({ ...second, hash: aHash() })
        assert.deepStrictEqual(yield* store.watched(lane), [first, second])
        yield* store.withdraw(second)
        assert.deepStrictEqual(yield* store.watched(lane), [first])
        assert.deepStrictEqual(yield* store.bundleTransactions(lane.chainId, second.operations[0]!), [])
        yield* store.withdraw(first)
        assert.deepStrictEqual(yield* store.watched(lane), [])
      })
    )
  })
}
