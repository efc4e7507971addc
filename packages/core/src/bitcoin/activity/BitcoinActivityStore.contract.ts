import { assert, layer } from "@effect/vitest"
import { Effect, type Layer } from "effect"
import { HistoryStore, type Transaction } from "../../accounting/history/index.ts"
import { aTransaction } from "../../accounting/history/Transaction.fixture.ts"
import { aBitcoinAddress, aHash, at } from "../../foundation/primitives/ids.fixture.ts"
import { anExecution } from "../../operations/executions/Execution.fixture.ts"
import { ExecutionStore } from "../../operations/executions/index.ts"
import { QuoteStore } from "../../operations/quotes/index.ts"
import { aQuote } from "../../operations/quotes/Quote.fixture.ts"
import { aProjectId } from "../../tenancy/projects/Project.fixture.ts"
import { WalletStore } from "../../wallets/registry/index.ts"
import { aBitcoinWallet, aWallet } from "../../wallets/registry/Wallet.fixture.ts"
import type { BitcoinBlock } from "../chain/index.ts"
import { BitcoinActivityStore } from "./BitcoinActivityStore.ts"
import type { DetectedBitcoinTransfer, StoredBitcoinTransfer } from "./DetectedBitcoinTransfer.ts"

const MANY = 10_000

/** Contract tests that every `BitcoinActivityStore` must pass. */
export const bitcoinActivityStoreContract = <E>(
  name: string,
  stores: Layer.Layer<BitcoinActivityStore | ExecutionStore | HistoryStore | QuoteStore | WalletStore, E>
): void => {
  layer(stores)(`BitcoinActivityStore on ${name}`, (it) => {
    const aDetectedTransfer = (block: BitcoinBlock | null = null): DetectedBitcoinTransfer => ({
      txid: aHash(),
      address: aBitcoinAddress(),
      block
    })
    const isOf =
      ({ txid }: DetectedBitcoinTransfer) =>
      ({ detectedTransfer }: StoredBitcoinTransfer) =>
        detectedTransfer.txid === txid

    it.effect("lists each registered address once, with its projects", () =>
      Effect.gen(function* () {
        const [store, wallets] = [yield* BitcoinActivityStore, yield* WalletStore]
        const countBefore = yield* store.countAddresses
        const address = aBitcoinAddress()
        const [first, second] = [aProjectId(), aProjectId()]
        yield* wallets.insert(aBitcoinWallet({ address, projectId: first, registeredAt: at(1) }))
        yield* wallets.insert(aBitcoinWallet({ address, projectId: second, registeredAt: at(2) }))
        yield* wallets.insert(aWallet())
        assert.strictEqual(yield* store.countAddresses, countBefore + 1)
        const otherAddresses = Array.from({ length: 1_500 }, aBitcoinAddress)
        assert.deepStrictEqual(yield* store.findRegistered([...otherAddresses, address]), new Set([address]))
        assert.deepStrictEqual(yield* store.listProjects(address), [first, second])
        assert.deepStrictEqual(yield* store.listProjects(otherAddresses[0]!), [])
      })
    )

    it.effect("lists pending transactions from other chains to Bitcoin", () =>
      Effect.gen(function* () {
        const [store, executions] = [yield* BitcoinActivityStore, yield* ExecutionStore]
        const [history, quotes] = [yield* HistoryStore, yield* QuoteStore]
        const projectId = aProjectId()
        const addTransaction = Effect.fnUntraced(function* (fields: Partial<Transaction>) {
          const quote = aQuote({ projectId })
          const execution = anExecution({}, quote)
          yield* quotes.insert([quote])
          yield* executions.insert(execution)
          const transaction = aTransaction({ projectId, id: execution.id, chainIdIn: 1, chainIdOut: 0, ...fields })
          yield* history.insert(transaction)
          return { execution, transaction }
        })
        const arrivingTransaction = yield* addTransaction({ status: "ON_BRIDGE" })
        const submittedTransaction = yield* addTransaction({ status: "PROCESSING" })
        yield* addTransaction({ status: "COMPLETED" })
        yield* addTransaction({ status: "ON_BRIDGE", chainIdIn: 0, chainIdOut: 1 })
        yield* addTransaction({ status: "PROCESSING", chainIdIn: 0 })
        const arrivingIds = Effect.map(store.listArriving(projectId), (all) => new Set(all.map(({ id }) => id)))
        assert.deepStrictEqual(
          yield* arrivingIds,
          new Set([arrivingTransaction.transaction.id, submittedTransaction.transaction.id])
        )
        assert.isTrue(yield* executions.update(submittedTransaction.execution, 0, null))
        assert.deepStrictEqual(yield* store.listArriving(projectId), [arrivingTransaction.transaction])
        assert.isEmpty(yield* store.listArriving(aProjectId()))
      })
    )

    it.effect("schedules a read of an address's history at each registration", () =>
      Effect.gen(function* () {
        const [store, wallets] = [yield* BitcoinActivityStore, yield* WalletStore]
        const address = aBitcoinAddress()
        const findPoll = (now: number) =>
          Effect.map(store.listDuePolls(at(now), MANY), (all) => all.find((one) => one.address === address))
        yield* wallets.insert(aBitcoinWallet({ address, registeredAt: at(50) }))
        assert.isUndefined(yield* findPoll(49))
        const firstPoll = (yield* findPoll(50))!
        assert.deepInclude(firstPoll, { activeAt: at(50), toHeight: 0, after: null, read: 0 })
        const hashAfter = aHash()
        yield* store.recordPoll({ ...firstPoll, after: hashAfter, read: 25, activeAt: at(60) }, at(70))
        assert.isUndefined(yield* findPoll(69))
        const secondPoll = (yield* findPoll(70))!
        assert.deepInclude(secondPoll, { activeAt: at(60), toHeight: 0, after: hashAfter, read: 25 })
        // In the meantime, another project registers the address, so the result of the earlier poll is outdated.
        yield* wallets.insert(aBitcoinWallet({ address, registeredAt: at(80) }))
        yield* store.recordPoll({ ...secondPoll, toHeight: null }, at(1_000))
        const thirdPoll = (yield* findPoll(80))!
        assert.deepInclude(thirdPoll, { toHeight: 0, after: null, read: 0 })
        yield* store.recordPoll({ ...thirdPoll, toHeight: null }, at(1_000))
        yield* store.advancePolls([address], at(90), at(100))
        assert.deepInclude((yield* findPoll(100))!, { activeAt: at(90), toHeight: null })
        yield* store.scheduleRecheck(7, at(95))
        assert.deepInclude((yield* findPoll(95))!, { after: null, read: 0 })
      })
    )

    it.effect("returns a detected transfer as due until a check decides it, and by its block until it is deleted", () =>
      Effect.gen(function* () {
        const store = yield* BitcoinActivityStore
        const detectedTransfer = aDetectedTransfer()
        const findDueTransfer = (now: number) =>
          Effect.map(store.listDue(at(now), MANY), (all) => all.find(isOf(detectedTransfer)))
        yield* store.recordDetected([detectedTransfer], at(10))
        yield* store.recordDetected([detectedTransfer], at(20))
        const storedTransfer = (yield* findDueTransfer(10))!
        assert.deepInclude(storedTransfer, { detectedTransfer, confirmations: 0, spends: null, seenAt: at(10) })
        yield* store.postpone(storedTransfer, at(30))
        assert.isUndefined(yield* findDueTransfer(29))
        const dueAgain = (yield* findDueTransfer(30))!
        const block = { hash: aHash(), height: 900_000 }
        const spends = [{ txid: aHash(), vout: 3 }]
        const change = { block, confirmations: 1, spends, dueAt: null }
        assert.isFalse(yield* store.recordDecision(storedTransfer, change))
        assert.isTrue(yield* store.recordDecision(dueAgain, change))
        assert.isUndefined(yield* findDueTransfer(1_000))
        const findOutdatedTransfer = (height: number) =>
          Effect.map(store.listOutdated(height, MANY), (all) => all.find(isOf(detectedTransfer)))
        assert.isUndefined(yield* findOutdatedTransfer(900_000))
        const includedTransfer = (yield* findOutdatedTransfer(900_001))!
        assert.deepInclude(includedTransfer, {
          detectedTransfer: { ...detectedTransfer, block },
          confirmations: 1,
          spends
        })
        assert.isDefined((yield* store.listAbove(899_999)).find(isOf(detectedTransfer)))
        assert.isUndefined((yield* store.listAbove(900_000)).find(isOf(detectedTransfer)))
        yield* store.remove(dueAgain)
        assert.isDefined(yield* findOutdatedTransfer(900_001))
        yield* store.remove(includedTransfer)
        assert.isUndefined(yield* findOutdatedTransfer(900_001))
      })
    )

    it.effect(
      "stores the block of a detected transfer, and keeps it if the transfer is detected as unconfirmed again",
      () =>
        Effect.gen(function* () {
          const store = yield* BitcoinActivityStore
          const waitingTransfer = aDetectedTransfer()
          const block = { hash: aHash(), height: 901_000 }
          yield* store.recordDetected([waitingTransfer], at(1))
          yield* store.recordDetected([{ ...waitingTransfer, block }], at(2))
          yield* store.recordDetected([waitingTransfer], at(3))
          const storedTransfer = (yield* store.listDue(at(2), MANY)).find(isOf(waitingTransfer))!
          assert.deepStrictEqual(storedTransfer.detectedTransfer.block, block)
          assert.deepStrictEqual(storedTransfer.seenAt, at(1))
        })
    )
  })
}
