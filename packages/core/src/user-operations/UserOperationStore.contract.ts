import { assert, layer } from "@effect/vitest"
import { type DateTime, Effect, type Layer, Option } from "effect"
import { aTransaction } from "../history/HistoryTransaction.fixture.ts"
import { aHash, anAddress, at } from "../primitives/ids.fixture.ts"
import { type Hash32, HexBytes } from "../primitives/index.ts"
import { awkwardMetadata } from "../primitives/metadata.fixture.ts"
import { aProjectId } from "../projects/Project.fixture.ts"
import { anOperation, aSubmission, aUserOperation } from "./OperationRecord.fixture.ts"
import type { OperationRecord } from "./OperationRecord.ts"
import { UserOperationStore } from "./UserOperationStore.ts"

export { anOperation, aSubmission, aUserOperation } from "./OperationRecord.fixture.ts"

const MAX_UINT256 = 2n ** 256n - 1n

/** An operation that uses every field, with numbers far past what a float holds. */
const aFullOperation = (): OperationRecord => {
  const hash = aHash()
  return anOperation({
    hash,
    operation: aUserOperation({
      nonce: MAX_UINT256,
      factory: "0x7702",
      factoryData: HexBytes.make("0x"),
      callData: HexBytes.make(`0x${"ab".repeat(20_000)}`),
      maxFeePerGas: 2n ** 53n + 1n,
      paymaster: {
        address: anAddress(),
        verificationGasLimit: 2n ** 64n + 1n,
        postOpGasLimit: 0n,
        data: HexBytes.make("0xff")
      },
      authorization: { chainId: 137, address: anAddress(), nonce: 7, hash: aHash() }
    }),
    chainIdOut: 0,
    signData: [
      {
        type: "USER_OPERATION",
        method: "eth_signTypedData_v4",
        hash,
        typedData: {
          domain: { name: "Domain", version: "1", chainId: 137, verifyingContract: anAddress() },
          types: { Message: [{ name: "amount", type: "uint256" }] },
          primaryType: "Message",
          message: { amount: MAX_UINT256.toString(), nested: { list: ["0x", 1, null, true], text: "🪙\u0000" } }
        }
      },
      {
        type: "AUTHORIZATION",
        method: "eip7702_authorization",
        hash: aHash(),
        authorization: { chainId: 137, address: anAddress(), nonce: 7, hash: aHash() }
      }
    ],
    revertReason: { decoded: 'Error("no")', raw: HexBytes.make("0x08"), utf8: "no\u0000" },
    metadata: awkwardMetadata,
    transaction: aTransaction({
      sent: { chainId: 137, token: anAddress(), amount: MAX_UINT256, usd: "12.50" },
      received: { chainId: 0, token: anAddress(), amount: 2n ** 53n + 1n, usd: null }
    })
  })
}

/** As many of something as there are elements in `T`. */
type Each<T extends ReadonlyArray<unknown>, A> = { readonly [Index in keyof T]: A }

const hashesOf = <const T extends ReadonlyArray<OperationRecord>>(records: T) =>
  records.map(({ hash }) => hash) as Each<T, Hash32>

/** What every `UserOperationStore` must do. */
export const userOperationStoreContract = <E>(name: string, stores: Layer.Layer<UserOperationStore, E>): void => {
  layer(stores, { timeout: "60 seconds" })(`UserOperationStore on ${name}`, (it) => {
    /** The store with no work left over from another test. */
    const idleStore = Effect.gen(function* () {
      const store = yield* UserOperationStore
      const leftOver = yield* store.listUnsettled(1_000)
      yield* Effect.forEach(leftOver, ({ hash }) => store.settle(hash, at(0)))
      return store
    })

    /** Operations that were submitted at these instants. */
    const submitted = <const T extends ReadonlyArray<DateTime.Utc>>(...instants: T) =>
      Effect.gen(function* () {
        const store = yield* UserOperationStore
        const records = yield* Effect.forEach(instants, (submittedAt) => {
          const record = anOperation()
          const submission = aSubmission({ submittedAt })
          return Effect.as(
            Effect.andThen(store.insert(record), store.submit(record.projectId, record.hash, submission)),
            { ...record, submission }
          )
        })
        return records as Each<T, OperationRecord>
      })

    const claimed = (worker: string, now: DateTime.Utc, leaseUntil: DateTime.Utc, limit = 100) =>
      UserOperationStore.use((store) =>
        Effect.map(store.claim({ worker, now, leaseUntil, limit }), (taken) => taken.map(({ record }) => record.hash))
      )

    it.effect("finds an operation exactly as it was inserted", () =>
      Effect.gen(function* () {
        const store = yield* UserOperationStore
        const records = [anOperation(), aFullOperation(), anOperation({ submission: aSubmission() })]
        yield* Effect.forEach(records, store.insert)
        for (const record of records) {
          assert.deepStrictEqual(yield* store.find(record.projectId, record.hash), Option.some(record))
        }
        assert.deepStrictEqual(yield* store.find(aProjectId(), aHash()), Option.none())
      })
    )

    it.effect("neither shows another project an operation nor lets it submit one", () =>
      Effect.gen(function* () {
        const store = yield* UserOperationStore
        const record = anOperation()
        yield* store.insert(record)
        assert.deepStrictEqual(yield* store.find(aProjectId(), record.hash), Option.none())
        assert.isFalse(yield* store.submit(aProjectId(), record.hash, aSubmission()))
        assert.deepStrictEqual(yield* store.find(record.projectId, record.hash), Option.some(record))
      })
    )

    it.effect("sets the submission once, however many submit at once", () =>
      Effect.gen(function* () {
        const store = yield* UserOperationStore
        const record = aFullOperation()
        yield* store.insert(record)
        const submissions = Array.from({ length: 10 }, (_, index) =>
          aSubmission({ fromBlock: 2n ** 60n + BigInt(index), authorizationSignature: HexBytes.make("0x01") })
        )
        const answers = yield* Effect.forEach(
          submissions,
          (submission) => store.submit(record.projectId, record.hash, submission),
          { concurrency: 10 }
        )
        assert.strictEqual(answers.filter((accepted) => accepted).length, 1)
        const submission = submissions[answers.indexOf(true)]!
        assert.deepStrictEqual(yield* store.find(record.projectId, record.hash), Option.some({ ...record, submission }))
        assert.isFalse(yield* store.submit(record.projectId, aHash(), aSubmission()))
      })
    )

    it.effect("lets an operation be claimed once it is submitted, and gives the whole of it", () =>
      Effect.gen(function* () {
        const store = yield* idleStore
        const record = aFullOperation()
        yield* store.insert(record)
        const claim = { worker: "a", now: at(100), leaseUntil: at(200), limit: 10 }
        assert.deepStrictEqual(yield* store.claim(claim), [])
        const submission = aSubmission({ submittedAt: at(100) })
        yield* store.submit(record.projectId, record.hash, submission)
        assert.deepStrictEqual(yield* store.claim(claim), [{ record: { ...record, submission }, inclusion: null }])
      })
    )

    it.effect("claims the oldest due first, as many as asked, and none before it is due", () =>
      Effect.gen(function* () {
        yield* idleStore
        const [third, first, second, later] = hashesOf(yield* submitted(at(30), at(10), at(20), at(99)))
        assert.deepStrictEqual(yield* claimed("a", at(50), at(60), 2), [first, second])
        assert.deepStrictEqual(yield* claimed("b", at(50), at(60)), [third])
        assert.deepStrictEqual(yield* claimed("c", at(50), at(60)), [])
        assert.deepStrictEqual(yield* claimed("c", at(99), at(200), 1), [first])
        assert.deepStrictEqual(yield* claimed("c", at(99), at(200)), [second, third, later])
      })
    )

    it.effect("hands an operation over when its lease is over", () =>
      Effect.gen(function* () {
        const store = yield* idleStore
        const [hash] = hashesOf(yield* submitted(at(0)))
        assert.deepStrictEqual(yield* claimed("dead", at(0), at(100)), [hash])
        assert.deepStrictEqual(yield* claimed("heir", at(99), at(200)), [])
        assert.deepStrictEqual(yield* claimed("heir", at(101), at(200)), [hash])
        yield* store.reschedule(hash, "dead", at(102))
        assert.deepStrictEqual(yield* claimed("other", at(150), at(250)), [])
        yield* store.reschedule(hash, "heir", at(140))
        assert.deepStrictEqual(yield* claimed("other", at(139), at(250)), [])
        assert.deepStrictEqual(yield* claimed("other", at(140), at(250)), [hash])
      })
    )

    it.effect("gives each operation to one of eight workers that race for them", () =>
      Effect.gen(function* () {
        yield* idleStore
        const hashes = hashesOf(yield* submitted(...Array.from({ length: 60 }, (_, index) => at(index % 7))))
        const takeAll = (worker: string): Effect.Effect<ReadonlyArray<Hash32>, never, UserOperationStore> =>
          Effect.flatMap(claimed(worker, at(10), at(1_000), 3), (taken) =>
            taken.length === 0
              ? Effect.succeed([])
              : Effect.map(Effect.andThen(Effect.yieldNow, takeAll(worker)), (rest) => [...taken, ...rest])
          )
        const taken = yield* Effect.forEach(["a", "b", "c", "d", "e", "f", "g", "h"], takeAll, { concurrency: 8 })
        assert.deepStrictEqual(taken.flat().toSorted(), hashes.toSorted())
      })
    )

    it.effect("settles a submitted operation once; then nobody claims it", () =>
      Effect.gen(function* () {
        const store = yield* idleStore
        const [record] = yield* submitted(at(0))
        const { hash, projectId } = record
        yield* claimed("a", at(0), at(100))
        const answers = yield* Effect.all(
          Array.from({ length: 5 }, () => store.settle(hash, at(10))),
          { concurrency: 5 }
        )
        assert.strictEqual(answers.filter((settled) => settled).length, 1)
        yield* store.reschedule(hash, "a", at(20))
        assert.deepStrictEqual(yield* claimed("b", at(1_000), at(2_000)), [])
        assert.isFalse(yield* store.submit(projectId, hash, aSubmission()))
        assert.deepStrictEqual(yield* store.find(projectId, hash), Option.some(record))
      })
    )

    it.effect("has nothing to settle where nothing was submitted", () =>
      Effect.gen(function* () {
        const store = yield* idleStore
        const record = anOperation()
        yield* store.insert(record)
        assert.isFalse(yield* store.settle(record.hash, at(0)))
        assert.isFalse(yield* store.settle(aHash(), at(0)))
        assert.isTrue(yield* store.submit(record.projectId, record.hash, aSubmission()))
        assert.deepStrictEqual(yield* claimed("a", at(0), at(10)), [record.hash])
      })
    )

    it.effect("includes a submitted operation once; then it is due to be watched, and no longer to be settled", () =>
      Effect.gen(function* () {
        const store = yield* idleStore
        const [record] = yield* submitted(at(0))
        const { hash } = record
        yield* claimed("a", at(0), at(100))
        const inclusion = { blockNumber: 2n ** 40n, blockHash: aHash() }
        const answers = yield* Effect.all(
          Array.from({ length: 5 }, () => store.include(hash, inclusion, at(50))),
          { concurrency: 5 }
        )
        assert.strictEqual(answers.filter((included) => included).length, 1)
        assert.isFalse(yield* store.settle(hash, at(10)))
        assert.deepStrictEqual(yield* store.listUnsettled(10), [])
        assert.deepStrictEqual(yield* claimed("b", at(49), at(100)), [])
        const watched = yield* store.claim({ worker: "b", now: at(50), leaseUntil: at(100), limit: 10 })
        assert.deepStrictEqual(watched, [{ record, inclusion }])
        assert.isTrue(yield* store.finalize(hash, inclusion.blockHash, at(60)))
      })
    )

    it.effect("ends the watching of an operation in the block that it is in, and in no other", () =>
      Effect.gen(function* () {
        const store = yield* idleStore
        const [{ hash }] = yield* submitted(at(0))
        const blockHash = aHash()
        assert.isFalse(yield* store.finalize(hash, blockHash, at(10)))
        yield* store.include(hash, { blockNumber: 7n, blockHash }, at(10))
        assert.isFalse(yield* store.finalize(hash, aHash(), at(10)))
        assert.isTrue(yield* store.finalize(hash, blockHash, at(10)))
        assert.isFalse(yield* store.finalize(hash, blockHash, at(10)))
        assert.isFalse(yield* store.reopen(hash, blockHash, at(10)))
        assert.deepStrictEqual(yield* claimed("a", at(1_000), at(2_000)), [])
      })
    )

    it.effect("reopens an operation whose block is gone, to be included anew", () =>
      Effect.gen(function* () {
        const store = yield* idleStore
        const [record] = yield* submitted(at(0))
        const { hash } = record
        const blockHash = aHash()
        yield* store.include(hash, { blockNumber: 7n, blockHash }, at(10))
        yield* claimed("a", at(10), at(100))
        assert.isFalse(yield* store.reopen(hash, aHash(), at(20)))
        assert.isTrue(yield* store.reopen(hash, blockHash, at(20)))
        assert.isFalse(yield* store.reopen(hash, blockHash, at(20)))
        assert.deepStrictEqual(yield* store.listUnsettled(10), [record])
        const taken = yield* store.claim({ worker: "b", now: at(20), leaseUntil: at(100), limit: 10 })
        assert.deepStrictEqual(taken, [{ record, inclusion: null }])
        const elsewhere = { blockNumber: 8n, blockHash: aHash() }
        assert.isTrue(yield* store.include(hash, elsewhere, at(30)))
        assert.isTrue(yield* store.finalize(hash, elsewhere.blockHash, at(40)))
      })
    )

    it.effect("drops every claim when asked, and keeps what is due when", () =>
      Effect.gen(function* () {
        const store = yield* idleStore
        const [second, first] = hashesOf(yield* submitted(at(20), at(10)))
        yield* claimed("dead", at(50), at(10_000))
        assert.deepStrictEqual(yield* claimed("a", at(51), at(100)), [])
        yield* store.releaseAll
        assert.deepStrictEqual(yield* claimed("a", at(51), at(100)), [first, second])
      })
    )

    it.effect("lists what is submitted and unsettled, claimed or not, oldest submission first", () =>
      Effect.gen(function* () {
        const store = yield* idleStore
        yield* store.insert(anOperation())
        const [second, first, third, settled] = yield* submitted(at(20), at(10), at(30), at(5))
        yield* store.settle(settled.hash, at(40))
        yield* claimed("a", at(10), at(100))
        yield* store.reschedule(first.hash, "a", at(1_000))
        assert.deepStrictEqual(yield* store.listUnsettled(10), [first, second, third])
        assert.deepStrictEqual(yield* store.listUnsettled(2), [first, second])
      })
    )

    it.effect("tells who follows what is in no block, and how much is watched in its block", () =>
      Effect.gen(function* () {
        const store = yield* idleStore
        const nothing = { inNoBlock: [], watched: 0, watchedDueAt: null }
        assert.deepStrictEqual(yield* store.listFollowed(10), nothing)
        yield* store.insert(anOperation())
        const [second, first, included, soon, settled] = yield* submitted(at(20), at(10), at(5), at(6), at(7))
        yield* store.settle(settled.hash, at(8))
        const inclusion = { blockNumber: 7n, blockHash: aHash() }
        yield* store.include(included.hash, inclusion, at(900))
        yield* store.include(soon.hash, inclusion, at(800))
        yield* claimed("a", at(10), at(100))

        const followed = {
          inNoBlock: [
            { record: first, dueAt: at(10), claim: { worker: "a", until: at(100) } },
            { record: second, dueAt: at(20), claim: null }
          ],
          watched: 2,
          watchedDueAt: at(800)
        }
        assert.deepStrictEqual(yield* store.listFollowed(10), followed)
        assert.deepStrictEqual(yield* store.listFollowed(1), { ...followed, inNoBlock: [followed.inNoBlock[0]!] })

        yield* store.reschedule(first.hash, "a", at(1_000))
        const [given] = (yield* store.listFollowed(1)).inNoBlock
        assert.deepStrictEqual(given, { record: first, dueAt: at(1_000), claim: null })
        yield* store.finalize(included.hash, inclusion.blockHash, at(900))
        yield* store.finalize(soon.hash, inclusion.blockHash, at(900))
      })
    )
  })
}
