import { assert, layer } from "@effect/vitest"
import { Effect, type Layer } from "effect"
import { aHash, anAddress } from "../../primitives/ids.fixture.ts"
import { Address } from "../../primitives/index.ts"
import { aProjectId } from "../../projects/Project.fixture.ts"
import { LoanStore, type RecordedLiquidation } from "./LoanStore.ts"

const aRecord = (fields: Partial<RecordedLiquidation> = {}): RecordedLiquidation => ({
  projectId: aProjectId(),
  chainId: 10,
  transactionHash: aHash(),
  logIndex: 3,
  transactionId: "6c1b6a0e-0f53-4c0e-a2a5-6a4b5a7c6f0d",
  blockNumber: 100n,
  blockHash: aHash(),
  ...fields
})

/** What every `LoanStore` must do. */
export const loanStoreContract = <E>(name: string, stores: Layer.Layer<LoanStore, E>): void => {
  layer(stores, { timeout: "60 seconds" })(`LoanStore on ${name}`, (it) => {
    it.effect("lists each watched wallet once, by address and project, page by page", () =>
      Effect.gen(function* () {
        const store = yield* LoanStore
        const [first, second] = [anAddress(), anAddress()].toSorted()
        const projects = [aProjectId(), aProjectId()].toSorted()
        for (const projectId of projects) yield* store.watch(projectId, second!, 100)
        yield* store.watch(projects[0]!, first!, 100)
        yield* store.watch(projects[0]!, first!, 100)
        yield* store.watch(projects[0]!, first!, 137)
        assert.deepStrictEqual(yield* store.watched(100, null, 1), [{ projectId: projects[0]!, walletAddress: first! }])
        assert.deepStrictEqual(
          yield* store.watched(100, first!, 1),
          projects.map((projectId) => ({ projectId, walletAddress: second! }))
        )
        assert.deepStrictEqual(yield* store.watched(100, Address.make(`0x${"f".repeat(40)}`), 9), [])
      })
    )

    it.effect("moves its cursor forward alone, for each chain", () =>
      Effect.gen(function* () {
        const store = yield* LoanStore
        assert.isNull(yield* store.cursor(56))
        yield* store.moveCursor(56, 7n)
        yield* store.moveCursor(56, 5n)
        assert.strictEqual(yield* store.cursor(56), 7n)
        assert.isNull(yield* store.cursor(196))
      })
    )

    it.effect("records a liquidation once for each project, until its block is gone", () =>
      Effect.gen(function* () {
        const store = yield* LoanStore
        const record = aRecord()
        const ofOther = { ...record, projectId: aProjectId() }
        const later = aRecord({ blockNumber: 101n })
        assert.isTrue(yield* store.record(record))
        assert.isFalse(yield* store.record({ ...record, transactionId: "another" }))
        assert.isTrue(yield* store.record(ofOther))
        assert.isTrue(yield* store.record(later))
        assert.sameDeepMembers([...(yield* store.recordedSince(10, 100n))], [record, ofOther, later])
        assert.deepStrictEqual(yield* store.recordedSince(10, 101n), [later])
        assert.deepStrictEqual(yield* store.recordedSince(1, 0n), [])
        yield* store.forget(record)
        assert.sameDeepMembers([...(yield* store.recordedSince(10, 100n))], [ofOther, later])
        assert.isTrue(yield* store.record(record))
      })
    )
  })
}
