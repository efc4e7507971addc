import { assert, layer } from "@effect/vitest"
import { type DateTime, Effect, type Layer, Option } from "effect"
import { aHash, at, aUuid } from "../../foundation/primitives/ids.fixture.ts"
import { HexBytes } from "../../foundation/primitives/index.ts"
import { WorkClaims } from "../../foundation/work/index.ts"
import { aProjectId } from "../../tenancy/projects/Project.fixture.ts"
import { isUserOperation } from "../intents/index.ts"
import { type Quote, QuoteStore } from "../quotes/index.ts"
import { aQuote } from "../quotes/Quote.fixture.ts"
import { anExecution } from "./Execution.fixture.ts"
import type { Execution } from "./Execution.ts"
import { ExecutionStore } from "./ExecutionStore.ts"

export { anExecution } from "./Execution.fixture.ts"

const FINALITY_STAGE = "finality"

/** Returns the execution with this late time in its first stage. */
const withLateTime = (
  { stages: [first, ...laterStages], ...execution }: Execution,
  lateAt: DateTime.Utc | null
): Execution => ({
  ...execution,
  stages: [{ ...first!, wait: { waitsFor: "BRIDGE", awaited: "the fill", lateAt } }, ...laterStages]
})

/** A tuple type that replaces each element of `T` with `A`. */
type MappedTuple<T extends ReadonlyArray<unknown>, A> = { readonly [Index in keyof T]: A }

/** Creates an execution with every field set, and its quote. */
const aFullExecution = (): readonly [Execution, Quote] => {
  const quote = aQuote({
    stages: [
      { name: "inclusion", intent: 0, status: "PROCESSING" },
      { name: "an own bridge", intent: null, status: "ON_BRIDGE" },
      { name: FINALITY_STAGE, intent: null, status: "COMPLETED" }
    ]
  })
  const execution = anExecution(
    {
      signatures: { [aHash()]: HexBytes.make(`0x${"5a".repeat(65)}`), [aHash()]: HexBytes.make("0x") },
      stages: quote.stages.map((stage, i) => ({
        ...stage,
        state: '{"fromBlock":"1","text":"🪙\\u0000"}',
        deadline: i === 0 ? at(180_000) : null
      })),
      at: 1,
      acceptedAt: at(100)
    },
    quote
  )
  return [execution, quote]
}

/** Contract tests that every `ExecutionStore` must pass. */
export const executionStoreContract = <E>(
  name: string,
  stores: Layer.Layer<ExecutionStore | QuoteStore | WorkClaims, E>
): void => {
  layer(stores)(`ExecutionStore on ${name}`, (it) => {
    /** Returns the store after ending all pending executions of other tests. */
    const clearStore = Effect.gen(function* () {
      const store = yield* ExecutionStore
      yield* WorkClaims.use(({ releaseAll }) => releaseAll)
      for (;;) {
        const leftoverClaims = yield* store.claim({ worker: "broom", now: at(1e12), leaseUntil: at(2e12), limit: 100 })
        if (leftoverClaims.length === 0) return store
        yield* Effect.forEach(leftoverClaims, ({ execution, version }) => store.update(execution, version, null))
      }
    })

    const insert = (execution: Execution, quote: Quote) =>
      Effect.gen(function* () {
        const quotes = yield* QuoteStore
        yield* quotes.insert([quote])
        yield* quotes.accept(quote.projectId, quote.id, execution.acceptedAt)
        yield* ExecutionStore.use((store) => store.insert(execution))
      })

    /** Stores executions that were accepted at these times, with their quotes. */
    const accept = <const T extends ReadonlyArray<DateTime.Utc>>(...instants: T) =>
      Effect.map(
        Effect.forEach(instants, (acceptedAt) => {
          const quote = aQuote()
          const execution = anExecution({ acceptedAt }, quote)
          return Effect.as(insert(execution, quote), { execution, quote })
        }),
        (accepted) => accepted as unknown as MappedTuple<T, { readonly execution: Execution; readonly quote: Quote }>
      )

    const acceptAndReadIds = <const T extends ReadonlyArray<DateTime.Utc>>(...instants: T) =>
      Effect.map(
        accept(...instants),
        (accepted) => accepted.map(({ execution }) => execution.id) as unknown as MappedTuple<T, string>
      )

    const claimIds = (worker: string, now: DateTime.Utc, leaseUntil: DateTime.Utc, limit = 100) =>
      ExecutionStore.use((store) =>
        Effect.map(store.claim({ worker, now, leaseUntil, limit }), (claims) =>
          claims.map(({ execution }) => execution.id)
        )
      )

    it.effect("returns an execution exactly as it was inserted, by its id and by its quote", () =>
      Effect.gen(function* () {
        const store = yield* ExecutionStore
        const plainQuote = aQuote()
        for (const [execution, quote] of [[anExecution({}, plainQuote), plainQuote] as const, aFullExecution()]) {
          yield* insert(execution, quote)
          const { id, projectId, quoteId } = execution
          assert.deepStrictEqual(yield* store.find(projectId, id), Option.some(execution))
          assert.deepStrictEqual(yield* store.findByQuote(projectId, quoteId), Option.some(execution))
          assert.deepStrictEqual(yield* store.find(aProjectId(), id), Option.none())
          assert.deepStrictEqual(yield* store.findByQuote(aProjectId(), quoteId), Option.none())
          assert.deepStrictEqual(yield* store.find(projectId, aUuid()), Option.none())
          assert.deepStrictEqual(yield* store.findByQuote(projectId, aHash()), Option.none())
        }
      })
    )

    it.effect("finds the pending quotes of a wallet", () =>
      Effect.gen(function* () {
        const store = yield* ExecutionStore
        const quote = aQuote()
        const endedQuote = aQuote({ walletAddress: quote.walletAddress })
        yield* insert(anExecution({}, quote), quote)
        const endedExecution = anExecution({}, endedQuote)
        yield* insert(endedExecution, endedQuote)
        assert.isTrue(yield* store.update(endedExecution, 0, null))
        assert.deepStrictEqual(yield* store.listPendingQuotes(quote.walletAddress), [quote])
      })
    )

    it.effect("stores at most one execution of a quote", () =>
      Effect.gen(function* () {
        const store = yield* ExecutionStore
        const [execution, quote] = aFullExecution()
        yield* insert(execution, quote)
        const secondInsert = yield* Effect.exit(store.insert({ ...execution, id: aUuid() }))
        assert.strictEqual(secondInsert._tag, "Failure")
        assert.deepStrictEqual(yield* store.findByQuote(quote.projectId, quote.id), Option.some(execution))
      })
    )

    it.effect("lets workers claim an execution from its acceptance on, and returns its quote", () =>
      Effect.gen(function* () {
        const store = yield* clearStore
        const [execution, quote] = aFullExecution()
        yield* insert(execution, quote)
        const claim = { worker: "a", now: at(99), leaseUntil: at(200), limit: 10 }
        assert.deepStrictEqual(yield* store.claim(claim), [])
        const [firstClaim, ...others] = yield* store.claim({ ...claim, now: at(100) })
        assert.deepStrictEqual({ ...firstClaim!, version: 0 }, { execution, quote, version: 0 })
        assert.deepStrictEqual(others, [])
      })
    )

    it.effect("distinguishes quotes of two projects that have the same id", () =>
      Effect.gen(function* () {
        const store = yield* clearStore
        const ownQuote = aQuote({ metadata: { whose: "mine" } })
        const otherQuote = { ...ownQuote, projectId: aProjectId(), metadata: { whose: "theirs" } }
        for (const [index, quote] of [ownQuote, otherQuote].entries()) {
          yield* insert(anExecution({ acceptedAt: at(index) }, quote), quote)
        }
        const claim = { worker: "a", now: at(10), leaseUntil: at(20), limit: 10 }
        assert.deepStrictEqual(
          (yield* store.claim(claim)).map(({ quote }) => quote),
          [ownQuote, otherQuote]
        )
      })
    )

    it.effect("claims recent acceptances, newest first, on request", () =>
      Effect.gen(function* () {
        const store = yield* clearStore
        const [oldId, third, first, second] = yield* acceptAndReadIds(at(10), at(20), at(40), at(30))
        const claimNewest = (worker: string, limit: number) =>
          Effect.map(store.claim({ worker, now: at(50), leaseUntil: at(60), limit, acceptedAfter: at(10) }), (claims) =>
            claims.map(({ execution }) => execution.id)
          )
        assert.deepStrictEqual(yield* claimNewest("a", 2), [first, second])
        assert.deepStrictEqual(yield* claimNewest("b", 9), [third])
        assert.deepStrictEqual(yield* claimNewest("c", 9), [])
        assert.deepStrictEqual(yield* claimIds("d", at(50), at(60)), [oldId])
      })
    )

    it.effect("makes the executions of user operations due immediately, unless they are claimed", () =>
      Effect.gen(function* () {
        const store = yield* clearStore
        const [target, other, claimed] = yield* accept(at(10), at(20), at(30))
        assert.lengthOf(yield* claimIds("a", at(30), at(500)), 3)
        for (const { execution } of [target, other])
          yield* store.reschedule(execution.projectId, execution.id, "a", at(400))
        const hashes = [target, claimed].flatMap(({ quote }) =>
          quote.intents.filter(isUserOperation).map(({ hash }) => hash)
        )
        yield* store.wake(hashes, at(50))
        assert.deepStrictEqual(yield* claimIds("b", at(49), at(100)), [])
        assert.deepStrictEqual(yield* claimIds("b", at(50), at(450)), [target.execution.id])
        yield* store.reschedule(other.execution.projectId, other.execution.id, "b", at(400))
        yield* store.wakeQuote(aProjectId(), other.quote.id, at(50))
        yield* store.wakeQuote(other.quote.projectId, "another", at(50))
        assert.deepStrictEqual(yield* claimIds("b", at(51), at(450)), [])
        yield* store.wakeQuote(other.quote.projectId, other.quote.id, at(52))
        assert.deepStrictEqual(yield* claimIds("b", at(52), at(60)), [other.execution.id])
        yield* store.reschedule(other.execution.projectId, other.execution.id, "b", at(400))
        yield* store.wake([aHash()], at(50))
        assert.deepStrictEqual(yield* claimIds("b", at(399), at(400)), [])
      })
    )

    it.effect("calls the listener when a claimed execution is woken, until the listener's scope ends", () =>
      Effect.gen(function* () {
        const store = yield* clearStore
        const [target] = yield* accept(at(10))
        assert.lengthOf(yield* claimIds("a", at(10), at(500)), 1)
        const { id, intents, projectId } = target.quote
        const hashes = intents.filter(isUserOperation).map(({ hash }) => hash)
        const wokenIds: Array<string> = []
        yield* Effect.scoped(
          Effect.gen(function* () {
            yield* store.onWake((subjects) => void wokenIds.push(...subjects))
            yield* store.wake(hashes, at(20))
            yield* store.wakeQuote(projectId, id, at(20))
          })
        )
        assert.deepStrictEqual(wokenIds, [...hashes, id])
        yield* store.wakeQuote(projectId, id, at(20))
        assert.lengthOf(wokenIds, hashes.length + 1)
      })
    )

    it.effect("claims the longest overdue first, up to a limit, and none before it is due", () =>
      Effect.gen(function* () {
        yield* clearStore
        const [third, first, second, later] = yield* acceptAndReadIds(at(30), at(10), at(20), at(99))
        assert.deepStrictEqual(yield* claimIds("a", at(50), at(60), 2), [first, second])
        assert.deepStrictEqual(yield* claimIds("b", at(50), at(60)), [third])
        assert.deepStrictEqual(yield* claimIds("c", at(50), at(60)), [])
        assert.deepStrictEqual(yield* claimIds("c", at(99), at(200), 1), [first])
        assert.deepStrictEqual(yield* claimIds("c", at(99), at(200)), [second, third, later])
      })
    )

    it.effect("lets another worker claim an execution after the claim has expired", () =>
      Effect.gen(function* () {
        const store = yield* clearStore
        const [{ execution }] = yield* accept(at(0))
        const { id, projectId } = execution
        assert.deepStrictEqual(yield* claimIds("dead", at(0), at(100)), [id])
        assert.deepStrictEqual(yield* claimIds("heir", at(99), at(200)), [])
        assert.deepStrictEqual(yield* claimIds("heir", at(101), at(200)), [id])
        yield* store.reschedule(projectId, id, "dead", at(102))
        yield* store.reschedule(aProjectId(), id, "heir", at(103))
        assert.deepStrictEqual(yield* claimIds("other", at(150), at(250)), [])
        yield* store.reschedule(projectId, id, "heir", at(140))
        assert.deepStrictEqual(yield* claimIds("other", at(139), at(250)), [])
        assert.deepStrictEqual(yield* claimIds("other", at(140), at(250)), [id])
      })
    )

    it.effect("assigns each execution to one of eight concurrent workers", () =>
      Effect.gen(function* () {
        yield* clearStore
        const ids = yield* acceptAndReadIds(...Array.from({ length: 60 }, (_, index) => at(index % 7)))
        const claimAll = (worker: string): Effect.Effect<ReadonlyArray<string>, never, ExecutionStore> =>
          Effect.flatMap(claimIds(worker, at(10), at(1_000), 3), (batchIds) =>
            batchIds.length === 0
              ? Effect.succeed([])
              : Effect.map(Effect.andThen(Effect.yieldNow, claimAll(worker)), (laterIds) => [...batchIds, ...laterIds])
          )
        const claims = yield* Effect.forEach(["a", "b", "c", "d", "e", "f", "g", "h"], claimAll, { concurrency: 8 })
        assert.deepStrictEqual(claims.flat().toSorted(), ids.toSorted())
      })
    )

    it.effect("moves an execution, releases its claim, and rejects a move from an earlier version", () =>
      Effect.gen(function* () {
        const store = yield* clearStore
        const [execution, quote] = aFullExecution()
        yield* insert(execution, quote)
        const [claimBefore] = yield* store.claim({ worker: "a", now: at(100), leaseUntil: at(9_000), limit: 1 })
        const movedExecution: Execution = {
          ...execution,
          at: 2,
          stages: execution.stages.with(2, { ...execution.stages[2]!, state: "7", deadline: at(7) })
        }
        assert.isTrue(yield* store.update(movedExecution, claimBefore!.version, at(500)))
        assert.isFalse(yield* store.update(execution, claimBefore!.version, at(600)))
        assert.isFalse(yield* store.update(execution, claimBefore!.version, null))
        assert.deepStrictEqual(yield* store.find(execution.projectId, execution.id), Option.some(movedExecution))
        // Worker "a" no longer has the claim, so it can't release it.
        yield* store.reschedule(execution.projectId, execution.id, "a", at(200))
        assert.deepStrictEqual(yield* claimIds("b", at(499), at(9_000)), [])
        const [claimAfter] = yield* store.claim({ worker: "b", now: at(500), leaseUntil: at(9_000), limit: 1 })
        assert.deepStrictEqual(claimAfter, { execution: movedExecution, quote, version: claimBefore!.version + 1 })
        // A move back to the earlier state also counts as a move.
        assert.isTrue(yield* store.update(execution, claimAfter!.version, at(600)))
        assert.isFalse(yield* store.update(movedExecution, claimBefore!.version, at(600)))
      })
    )

    it.effect("allows one of five concurrent moves from the same version", () =>
      Effect.gen(function* () {
        const store = yield* clearStore
        const [execution, quote] = aFullExecution()
        yield* insert(execution, quote)
        const [claimedExecution] = yield* store.claim({ worker: "a", now: at(100), leaseUntil: at(9_000), limit: 1 })
        const moves = Array.from({ length: 5 }, (_, index) => ({
          ...execution,
          stages: execution.stages.with(1, { ...execution.stages[1]!, state: String(index) })
        }))
        const moveResults = yield* Effect.forEach(
          moves,
          (move) => store.update(move, claimedExecution!.version, at(200)),
          {
            concurrency: 5
          }
        )
        assert.strictEqual(moveResults.filter((isMoved) => isMoved).length, 1)
        assert.deepStrictEqual(
          yield* store.find(execution.projectId, execution.id),
          Option.some(moves[moveResults.indexOf(true)]!)
        )
      })
    )

    it.effect("ends an execution once, and then rejects claims and moves", () =>
      Effect.gen(function* () {
        const store = yield* clearStore
        const [{ execution }] = yield* accept(at(0))
        const { id, projectId } = execution
        const [claimedExecution] = yield* store.claim({ worker: "a", now: at(0), leaseUntil: at(100), limit: 1 })
        const moveResults = yield* Effect.all(
          Array.from({ length: 5 }, () => store.update(execution, claimedExecution!.version, null)),
          { concurrency: 5 }
        )
        assert.strictEqual(moveResults.filter((isEnded) => isEnded).length, 1)
        yield* store.reschedule(projectId, id, "a", at(20))
        assert.deepStrictEqual(yield* claimIds("b", at(1_000), at(2_000)), [])
        for (const version of [
          claimedExecution!.version,
          claimedExecution!.version + 1,
          claimedExecution!.version + 2
        ]) {
          assert.isFalse(yield* store.update(execution, version, at(30)))
        }
        assert.deepStrictEqual(yield* claimIds("b", at(1_000), at(2_000)), [])
        assert.deepStrictEqual(yield* store.find(projectId, id), Option.some(execution))
      })
    )

    it.effect("rejects a move of an execution that does not exist", () =>
      Effect.gen(function* () {
        const store = yield* clearStore
        const [execution, quote] = aFullExecution()
        assert.isFalse(yield* store.update(execution, 0, at(1)))
        assert.isFalse(yield* store.update(execution, 0, null))
        yield* insert(execution, quote)
        assert.deepStrictEqual(yield* claimIds("a", at(100), at(110)), [execution.id])
      })
    )

    it.effect("releases all claims on request, and keeps the due times", () =>
      Effect.gen(function* () {
        yield* clearStore
        const [second, first] = yield* acceptAndReadIds(at(20), at(10))
        yield* claimIds("dead", at(50), at(10_000))
        assert.deepStrictEqual(yield* claimIds("a", at(51), at(100)), [])
        yield* WorkClaims.use(({ releaseAll }) => releaseAll)
        assert.deepStrictEqual(yield* claimIds("a", at(51), at(100)), [first, second])
      })
    )

    it.effect("counts pending and late executions by stage, and lists the late ones", () =>
      Effect.gen(function* () {
        const store = yield* clearStore
        assert.deepStrictEqual(yield* store.countPending(null, at(0)), [])
        assert.deepStrictEqual(yield* store.listLate(null, at(1e12), 10), [])
        const quotes = Array.from({ length: 5 }, () => aQuote())
        const [second, first, withoutLateTime, ended, earlierVersion] = [
          withLateTime(anExecution({ acceptedAt: at(20) }, quotes[0]!), at(80)),
          withLateTime(anExecution({ acceptedAt: at(10) }, quotes[1]!), at(70)),
          withLateTime(anExecution({ acceptedAt: at(5) }, quotes[2]!), null),
          withLateTime(anExecution({ acceptedAt: at(7) }, quotes[3]!), at(60)),
          // As stored by an earlier version, which did not record what a stage waits for.
          anExecution({ acceptedAt: at(30) }, quotes[4]!)
        ] as const
        for (const [i, execution] of [second, first, withoutLateTime, ended, earlierVersion].entries()) {
          yield* insert(execution, quotes[i]!)
        }
        assert.isTrue(yield* store.update(ended, 0, null))
        yield* store.claim({ worker: "a", now: at(10), leaseUntil: at(100), limit: 2 })

        const { name } = first.stages[0]!
        const bridge = { stage: name, waitsFor: "BRIDGE" as const, count: 3, oldestAcceptedAt: at(5), dueAt: at(5) }
        const chain = { stage: name, waitsFor: "CHAIN", count: 1, oldestAcceptedAt: at(30), dueAt: at(30) }
        const readPending = (now: DateTime.Utc) =>
          Effect.map(store.countPending(null, now), (all) => all.toSorted((a, b) => (a.waitsFor < b.waitsFor ? -1 : 1)))
        assert.deepStrictEqual(yield* readPending(at(70)), [
          { ...bridge, lateCount: 0 },
          { ...chain, lateCount: 0 }
        ])
        assert.deepStrictEqual(yield* readPending(at(71)), [
          { ...bridge, lateCount: 1 },
          { ...chain, lateCount: 0 }
        ])

        const claim = { worker: "a", until: at(100) }
        const lateExecutions = [
          { execution: first, quote: quotes[1]!, dueAt: at(10), claim },
          { execution: second, quote: quotes[0]!, dueAt: at(20), claim: null }
        ]
        assert.deepStrictEqual(yield* store.listLate(null, at(70), 10), [])
        assert.deepStrictEqual(yield* store.listLate(null, at(71), 10), lateExecutions.slice(0, 1))
        assert.deepStrictEqual(yield* store.listLate(null, at(81), 10), lateExecutions)
        assert.deepStrictEqual(yield* store.listLate(null, at(81), 1), lateExecutions.slice(0, 1))

        // Each quote belongs to a different project.
        const { projectId } = second
        assert.deepStrictEqual(yield* store.listLate(projectId, at(81), 10), lateExecutions.slice(1))
        assert.deepStrictEqual(yield* store.countPending(projectId, at(81)), [
          { ...bridge, count: 1, lateCount: 1, oldestAcceptedAt: at(20), dueAt: at(20) }
        ])
        assert.deepStrictEqual(yield* store.listLate(aProjectId(), at(81), 10), [])
        assert.deepStrictEqual(yield* store.countPending(aProjectId(), at(81)), [])

        yield* store.reschedule(first.projectId, first.id, "a", at(1_000))
        const [lateExecution] = yield* store.listLate(null, at(71), 10)
        assert.deepStrictEqual(lateExecution, { ...lateExecutions[0]!, dueAt: at(1_000), claim: null })
        const firstInFinality = { ...first, at: first.stages.length - 1 }
        assert.isTrue(yield* store.update(firstInFinality, 0, at(900)))
        assert.deepStrictEqual(
          (yield* store.countPending(null, at(71)))
            .map(({ stage, waitsFor, count, dueAt }) => [stage, waitsFor, count, dueAt])
            .toSorted(),
          [
            [name, "BRIDGE", 2, at(5)],
            [name, "CHAIN", 1, at(30)],
            [firstInFinality.stages.at(-1)!.name, "CHAIN", 1, at(900)]
          ].toSorted()
        )
      })
    )
  })
}
