import { assert, layer } from "@effect/vitest"
import { Effect, type Layer } from "effect"
import { aHash, anAddress, at } from "../../../foundation/primitives/ids.fixture.ts"
import { Address } from "../../../foundation/primitives/index.ts"
import { aProjectId } from "../../../tenancy/projects/Project.fixture.ts"
import { LoanStore, type RecordedLiquidation } from "./LoanStore.ts"

export const aRecordedLiquidation = (fields: Partial<RecordedLiquidation> = {}): RecordedLiquidation => ({
  projectId: aProjectId(),
  chainId: 10,
  transactionHash: aHash(),
  logIndex: 3,
  transactionId: "6c1b6a0e-0f53-4c0e-a2a5-6a4b5a7c6f0d",
  blockNumber: 100n,
  blockHash: aHash(),
  ...fields
})

const laterTime = at(86_400)

/** Contract tests that every `LoanStore` must pass. */
export const loanStoreContract = <E>(name: string, stores: Layer.Layer<LoanStore, E>): void => {
  layer(stores)(`LoanStore on ${name}`, (it) => {
    it.effect("lists each watched wallet once, sorted by address and project, in pages", () =>
      Effect.gen(function* () {
        const store = yield* LoanStore
        const [first, second] = [anAddress(), anAddress()].toSorted()
        const projects = [aProjectId(), aProjectId()].toSorted()
        for (const projectId of projects) yield* store.watch({ projectId, walletAddress: second! }, 100, laterTime)
        const loan = { projectId: projects[0]!, walletAddress: first! }
        yield* store.watch(loan, 100, laterTime)
        yield* store.watch(loan, 100, laterTime)
        yield* store.watch(loan, 137, laterTime)
        assert.deepStrictEqual(yield* store.listWatched(100, null, 1), [
          { projectId: projects[0]!, walletAddress: first! }
        ])
        assert.deepStrictEqual(
          yield* store.listWatched(100, first!, 1),
          projects.map((projectId) => ({ projectId, walletAddress: second! }))
        )
        assert.deepStrictEqual(yield* store.listWatched(100, Address.make(`0x${"f".repeat(40)}`), 9), [])
      })
    )

    it.effect("moves the cursor of each chain only forward", () =>
      Effect.gen(function* () {
        const store = yield* LoanStore
        assert.isNull(yield* store.findCursor(56))
        yield* store.moveCursor(56, 7n)
        yield* store.moveCursor(56, 5n)
        assert.strictEqual(yield* store.findCursor(56), 7n)
        assert.isNull(yield* store.findCursor(196))
      })
    )

    it.effect(
      "watches a loan until a check finds no debt, unless the loan was watched again after that check began",
      () =>
        Effect.gen(function* () {
          const store = yield* LoanStore
          const loan = { projectId: aProjectId(), walletAddress: anAddress() }
          const findDueLoan = (seconds: number) =>
            Effect.map(store.listDue(at(seconds), 100), (all) =>
              all.find(({ projectId }) => projectId === loan.projectId)
            )
          yield* store.watch(loan, 43114, at(10))
          assert.isUndefined(yield* findDueLoan(9))
          const firstLoan = { ...loan, chainId: 43114, checkAt: at(10), wasFree: false } as const
          assert.deepStrictEqual(yield* findDueLoan(10), firstLoan)
          yield* store.recordCheck(firstLoan, at(20), true)
          const secondLoan = { ...firstLoan, checkAt: at(20), wasFree: true }
          assert.deepStrictEqual(yield* findDueLoan(20), secondLoan)
          yield* store.watch(loan, 43114, at(30))
          yield* store.unwatch(secondLoan)
          yield* store.recordCheck(secondLoan, at(99), true)
          const thirdLoan = { ...firstLoan, checkAt: at(30) }
          assert.deepStrictEqual(yield* findDueLoan(30), thirdLoan)
          yield* store.moveCursor(43114, 7n)
          yield* store.unwatch(thirdLoan)
          assert.deepStrictEqual(yield* store.listWatched(43114, null, 9), [])
          assert.isNull(yield* store.findCursor(43114))
        })
    )

    it.effect(
      "keeps a chain's cursor while another loan on it is watched, and returns the longest overdue loan first",
      () =>
        Effect.gen(function* () {
          const store = yield* LoanStore
          const aLoan = () => ({ projectId: aProjectId(), walletAddress: anAddress() })
          yield* store.watch(aLoan(), 42161, at(2))
          yield* store.watch(aLoan(), 42161, at(1))
          yield* store.moveCursor(42161, 7n)
          const [first] = yield* store.listDue(at(9), 1)
          assert.deepStrictEqual([first!.chainId, first!.checkAt], [42161, at(1)])
          yield* store.unwatch(first!)
          assert.strictEqual(yield* store.findCursor(42161), 7n)
        })
    )

    it.effect("records a liquidation once for each project, and again after a reorg removed its block", () =>
      Effect.gen(function* () {
        const store = yield* LoanStore
        const record = aRecordedLiquidation()
        const otherProjectRecord = { ...record, projectId: aProjectId() }
        const laterRecord = aRecordedLiquidation({ blockNumber: 101n })
        assert.isTrue(yield* store.record(record))
        assert.isFalse(yield* store.record({ ...record, transactionId: "another" }))
        assert.isTrue(yield* store.record(otherProjectRecord))
        assert.isTrue(yield* store.record(laterRecord))
        assert.sameDeepMembers([...(yield* store.listSince(10, 100n))], [record, otherProjectRecord, laterRecord])
        assert.deepStrictEqual(yield* store.listSince(10, 101n), [laterRecord])
        assert.deepStrictEqual(yield* store.listSince(1, 0n), [])
        assert.isTrue(yield* store.remove(record))
        assert.sameDeepMembers([...(yield* store.listSince(10, 100n))], [otherProjectRecord, laterRecord])
        assert.isFalse(yield* store.remove(record))
        const repeatedRecord = { ...record, transactionId: "5b7e8c1a-2f0d-4d6b-9a3e-7c1d2e3f4a5b" }
        assert.isTrue(yield* store.record(repeatedRecord))
        // A process that noticed the reorg later does not delete the new record.
        assert.isFalse(yield* store.remove(record))
        assert.sameDeepMembers(
          [...(yield* store.listSince(10, 100n))],
          [repeatedRecord, otherProjectRecord, laterRecord]
        )
        yield* store.deleteBefore(10, 101n)
        yield* store.deleteBefore(1, 1_000n)
        assert.deepStrictEqual(yield* store.listSince(10, 0n), [laterRecord])
      })
    )
  })
}
