import { assert, describe, it } from "@effect/vitest"
import { Cause, DateTime, Deferred, Effect, Exit, Fiber, Layer, Option } from "effect"
import { TestClock } from "effect/testing"
import { UpstreamUnavailable } from "../errors/index.ts"
import { HistoryStore, Transactions } from "../history/index.ts"
import { aHash, at } from "../primitives/ids.fixture.ts"
import { Entropy, HexBytes, UnitOfWork } from "../primitives/index.ts"
import { WalletStore, Wallets } from "../wallets/index.ts"
import { AccountOperations } from "./AccountOperations.ts"
import { Bundler, OperationRejected } from "./Bundler.ts"
import { type BlockAt, ChainReader } from "./ChainReader.ts"
import { QuoteStale } from "./errors.ts"
import { anOperation, aSubmission } from "./OperationRecord.fixture.ts"
import type { Inclusion, OperationRecord } from "./OperationRecord.ts"
import { UserOperationStore } from "./UserOperationStore.ts"
import { UserOperations } from "./UserOperations.ts"

const REVERT = { decoded: "AA25 invalid account nonce", raw: HexBytes.make("0x"), utf8: "" }
const SIGNATURE = HexBytes.make(`0x${"5a".repeat(65)}`)

const unused = (): never => {
  throw new Error("unused")
}

/** One operation, and what its ports do; each test says what matters to it. */
interface Scene {
  record: OperationRecord
  inclusion: Inclusion | null
  block: BlockAt
  blockTimestamp: number
  simulate: Bundler["Service"]["simulate"]
  submit: Bundler["Service"]["submit"]
  outcome: Bundler["Service"]["outcome"]
  readonly told: Array<string>
}

const aScene = (record: OperationRecord = anOperation()): Scene => ({
  record,
  inclusion: null,
  block: { headNumber: 0n, hash: null },
  blockTimestamp: 0,
  simulate: () => Effect.die(new Error("unused")),
  submit: () => Effect.void,
  outcome: () => Effect.succeedNone,
  told: []
})

const layerOf = (scene: Scene) => {
  const state = () => Effect.succeed({ blockNumber: 7n, blockTimestamp: scene.blockTimestamp } as never)
  return UserOperations.layer.pipe(
    Layer.provide([
      Layer.mock(UserOperationStore, {
        find: () => Effect.sync(() => Option.some(scene.record)),
        submit: (_project, _hash, submission) =>
          Effect.sync(() => {
            if (scene.record.submission !== null) return false
            scene.record = { ...scene.record, submission }
            return true
          }),
        claim: () => Effect.sync(() => [{ record: scene.record, inclusion: scene.inclusion }]),
        reschedule: (_hash, worker) => Effect.sync(() => void scene.told.push(`given back by ${worker}`)),
        settle: () => Effect.succeed(true),
        finalize: () => Effect.sync(() => scene.told.push("final") > 0),
        reopen: () => Effect.sync(() => scene.told.push("reopened") > 0)
      }),
      Layer.mock(HistoryStore, {
        find: () => Effect.sync(() => Option.some({ ...scene.record.transaction, status: "PROCESSING" as const }))
      }),
      Layer.mock(Transactions, {
        add: () => Effect.void,
        change: (_before, after) => Effect.sync(() => void scene.told.push(`${after.status} ${after.substatus}`))
      }),
      Layer.mock(WalletStore, { recordTransaction: () => Effect.void }),
      Layer.mock(Wallets, { factories: [] }),
      Layer.mock(AccountOperations, {
        entryPointOf: unused,
        deployment: unused,
        encodeCalls: unused,
        stubSignature: unused,
        hash: unused,
        authorization: unused,
        signData: unused,
        recoverSigner: () => Effect.sync(() => scene.record.account.owner),
        wrapSignature: (_account, signature) => signature
      }),
      Layer.mock(Bundler, {
        simulate: (...asked) => scene.simulate(...asked),
        submit: (...asked) => scene.submit(...asked),
        outcome: (...asked) => scene.outcome(...asked)
      }),
      Layer.mock(ChainReader, { accountState: state, blockAt: () => Effect.sync(() => scene.block) }),
      Layer.mock(Entropy, { uuid: Effect.succeed("11111111-1111-4111-8111-111111111111") }),
      Layer.mock(UnitOfWork, { run: (effect) => effect })
    ])
  )
}

const execute = (scene: Scene) =>
  UserOperations.use((operations) =>
    operations.execute(scene.record.projectId, { hash: scene.record.hash, signature: SIGNATURE, authorization: null })
  )

const follow = UserOperations.use((operations) => operations.followDue("worker"))

const submitted = () => anOperation({ submission: aSubmission({ submittedAt: at(0), deadline: at(60_000) }) })

/** To an instant of the fixtures' time. */
const goTo = (millis: number) => TestClock.setTime(DateTime.toEpochMillis(at(millis)))

describe("UserOperations.execute", () => {
  it.effect("gives the answer that another request got first, when its own checks fail because of that", () => {
    const scene = aScene()
    const submission = aSubmission()
    scene.simulate = () =>
      Effect.sync(() => {
        // Meanwhile the other request is accepted, and the operation is executed.
        scene.record = { ...scene.record, submission }
        return { revert: REVERT } as never
      })
    return Effect.gen(function* () {
      assert.deepStrictEqual(yield* execute(scene), submission)
    }).pipe(Effect.provide(layerOf(scene)))
  })

  it.effect("still answers QUOTE_STALE when nobody was accepted", () => {
    const scene = aScene()
    scene.simulate = () => Effect.succeed({ revert: REVERT } as never)
    return Effect.gen(function* () {
      assert.instanceOf(yield* Effect.flip(execute(scene)), QuoteStale)
      assert.isNull(scene.record.submission)
    }).pipe(Effect.provide(layerOf(scene)))
  })
})

describe("UserOperations.followDue", () => {
  it.effect("fails an operation that no block took, once the chain itself is past the deadline", () => {
    const scene = aScene(submitted())
    return Effect.gen(function* () {
      yield* goTo(61_000)
      scene.blockTimestamp = DateTime.toEpochMillis(at(59_000)) / 1000
      yield* follow
      assert.deepStrictEqual(scene.told, ["given back by worker"])
      scene.blockTimestamp = DateTime.toEpochMillis(at(61_000)) / 1000
      yield* follow
      assert.deepStrictEqual(scene.told, ["given back by worker", "FAILED NOT_INCLUDED"])
    }).pipe(Effect.provide(layerOf(scene)))
  })

  it.effect("does not wait for a chain that makes no blocks for more than an hour after the deadline", () => {
    const scene = aScene(submitted())
    return Effect.gen(function* () {
      yield* goTo(60_000 + 3_600_001)
      yield* follow
      assert.deepStrictEqual(scene.told, ["FAILED NOT_INCLUDED"])
    }).pipe(Effect.provide(layerOf(scene)))
  })

  it.effect("fails an operation that the bundler rejects, unless it is found in a block after all", () => {
    const scene = aScene(submitted())
    scene.submit = () => Effect.fail(new OperationRejected({ reason: "no" }))
    return Effect.gen(function* () {
      yield* goTo(1_000)
      yield* follow
      assert.deepStrictEqual(scene.told, ["FAILED REJECTED"])
    }).pipe(Effect.provide(layerOf(scene)))
  })

  it.effect("gives an operation back and goes on when an upstream does not answer", () => {
    const scene = aScene(submitted())
    scene.outcome = () => Effect.fail(new UpstreamUnavailable({ upstream: "node", reason: "down" }))
    return Effect.gen(function* () {
      assert.strictEqual(yield* follow, 1)
      assert.deepStrictEqual(scene.told, ["given back by worker"])
    }).pipe(Effect.provide(layerOf(scene)))
  })

  it.effect("cuts a step off before its lease is over, so that no two workers are at one operation", () => {
    const scene = aScene(submitted())
    scene.outcome = () => Effect.never
    return Effect.gen(function* () {
      const following = yield* Effect.forkChild(follow)
      yield* TestClock.adjust("29 seconds")
      assert.strictEqual(yield* Fiber.join(following), 1)
      assert.deepStrictEqual(scene.told, ["given back by worker"])
    }).pipe(Effect.provide(layerOf(scene)))
  })

  it.effect("gives back what it holds when it is stopped", () => {
    const scene = aScene(submitted())
    return Effect.gen(function* () {
      const isAtWork = yield* Deferred.make<void>()
      scene.outcome = () => Effect.andThen(Deferred.succeed(isAtWork, undefined), Effect.never)
      const following = yield* Effect.forkChild(follow)
      yield* Deferred.await(isAtWork)
      yield* Fiber.interrupt(following)
      const exit = yield* Fiber.await(following)
      assert.isTrue(Exit.isFailure(exit) && Cause.hasInterruptsOnly(exit.cause))
      assert.deepStrictEqual(scene.told, ["given back by worker"])
    }).pipe(Effect.provide(layerOf(scene)))
  })
})

describe("UserOperations.followDue, for an operation in a block", () => {
  const included = () => ({ ...aScene(submitted()), inclusion: { blockNumber: 100n, blockHash: aHash() } })

  it.effect("watches it until as many blocks are on top as the chain needs", () => {
    const scene = included()
    return Effect.gen(function* () {
      // Polygon's.
      scene.block = { headNumber: 163n, hash: scene.inclusion.blockHash }
      yield* follow
      scene.block = { headNumber: 164n, hash: scene.inclusion.blockHash }
      yield* follow
      assert.deepStrictEqual(scene.told, ["given back by worker", "final"])
    }).pipe(Effect.provide(layerOf(scene)))
  })

  it.effect("takes it up again when another block is in the place of its own", () => {
    const scene = included()
    scene.block = { headNumber: 100n, hash: aHash() }
    return Effect.gen(function* () {
      yield* follow
      assert.deepStrictEqual(scene.told, ["reopened", "PROCESSING REORGED"])
    }).pipe(Effect.provide(layerOf(scene)))
  })

  it.effect("concludes nothing from a node that is behind", () => {
    const scene = included()
    scene.block = { headNumber: 99n, hash: null }
    return Effect.gen(function* () {
      yield* follow
      assert.deepStrictEqual(scene.told, ["given back by worker"])
    }).pipe(Effect.provide(layerOf(scene)))
  })
})
