import { assert, layer } from "@effect/vitest"
import { Effect, type Layer, Option } from "effect"
import { aBitcoinAddress, aHash, anAddress, at, aUuid } from "../../foundation/primitives/ids.fixture.ts"
import { awkwardMetadata } from "../../foundation/primitives/metadata.fixture.ts"
import { aProjectId } from "../../tenancy/projects/Project.fixture.ts"
import { detectedTokenDetails } from "./foundOnChain.ts"
import type { HistoryFilter } from "./HistoryFilter.ts"
import { HistoryStore, type RecordedMovement } from "./HistoryStore.ts"
import { AnyFilter, AnyTransactions, matches, newestFirst } from "./historyModel.fixture.ts"
import { aMovement, aTransaction, recordedMovementsOf } from "./Transaction.fixture.ts"
import { type Leg, pendingLeg, type Transaction } from "./Transaction.ts"

export { aDraft, aMovement, aTransaction } from "./Transaction.fixture.ts"

/** Creates a leg whose on-chain transaction is included in a block. */
const anIncludedLeg = (fields: Partial<Leg> = {}): Leg => ({
  chainId: 137,
  hash: aHash(),
  block: { number: 2n ** 60n, hash: aHash() },
  state: "INCLUDED",
  stage: 0,
  ...fields
})

const aFullTransaction = (): Transaction =>
  aTransaction({
    type: "CROSS_SWAP",
    status: "FAILED",
    substatus: "INCLUDED",
    chainIdOut: 0,
    userOperationHash: aHash(),
    legs: [
      anIncludedLeg(),
      anIncludedLeg({ chainId: 0, block: null, state: "FINAL", stage: 2 }),
      pendingLeg(1, 3),
      anIncludedLeg({ chainId: 1, stage: 4 })
    ],
    expected: [aMovement({ amount: 2n ** 256n - 1n, usd: "0.1", counterparty: "somebody" })],
    movements: [
      aMovement({ role: "FEE", counterparty: anAddress() }),
      aMovement({
        direction: "IN",
        account: aBitcoinAddress(),
        asset: { chainId: 0, token: anAddress() },
        amount: 2n ** 53n + 1n,
        leg: 1
      }),
      aMovement({ direction: "IN", asset: { currency: "EUR" }, leg: null })
    ],
    subject: "position:115792089237316195423570985008687907853269984665640564039457584007913129639935",
    details: {
      swapProvider: "ACROSS",
      liquidity: { tokenId: "115792089237316195423570985008687907853269984665640564039457584007913129639935" },
      nested: [{ text: "\u0000", number: 1.5, none: null }]
    },
    fees: [
      {
        type: "SERVICE",
        chainId: 137,
        token: anAddress(),
        amount: 2n ** 53n + 1n,
        toAddress: anAddress(),
        percentage: "0.3"
      }
    ],
    failure: { code: "REVERTED", message: `It said "no"\u0000` },
    metadata: awkwardMetadata,
    executedAt: at(3)
  })

const idsOf = (transactions: ReadonlyArray<Transaction>): ReadonlyArray<string> => transactions.map(({ id }) => id)

/** Contract tests that every `HistoryStore` must pass. */
export const historyStoreContract = <E>(name: string, stores: Layer.Layer<HistoryStore, E>): void => {
  layer(stores)(`HistoryStore on ${name}`, (it) => {
    const insertAll = (transactions: ReadonlyArray<Transaction>) =>
      HistoryStore.use((store) => Effect.forEach(transactions, store.insert, { discard: true }))

    const listTransactions = (
      { projectId, walletAddress }: Pick<Transaction, "projectId" | "walletAddress">,
      filter: HistoryFilter = {},
      take = 100,
      after: Transaction | null = null
    ) => HistoryStore.use((store) => store.list({ projectId, walletAddress, filter, after, take }))

    it.effect("returns a transaction exactly as it was inserted", () =>
      Effect.gen(function* () {
        const store = yield* HistoryStore
        const transactions = [aTransaction(), aFullTransaction()]
        yield* insertAll(transactions)
        for (const transaction of transactions) {
          assert.deepStrictEqual(yield* store.find(transaction.projectId, transaction.id), Option.some(transaction))
          assert.deepStrictEqual(yield* listTransactions(transaction), [transaction])
        }
        assert.deepStrictEqual(yield* store.find(aProjectId(), aUuid()), Option.none())
      })
    )

    it.effect("separates projects: no project finds, lists or updates another project's transactions", () =>
      Effect.gen(function* () {
        const store = yield* HistoryStore
        const transaction = aFullTransaction()
        const otherProjectTransaction = { ...transaction, projectId: aProjectId() }
        yield* store.insert(transaction)
        assert.deepStrictEqual(yield* store.find(otherProjectTransaction.projectId, transaction.id), Option.none())
        assert.deepStrictEqual(yield* listTransactions(otherProjectTransaction), [])
        yield* store.update({ ...otherProjectTransaction, status: "COMPLETED", metadata: {} })
        assert.deepStrictEqual(yield* listTransactions(transaction), [transaction])
        assert.deepStrictEqual(yield* listTransactions(otherProjectTransaction), [])
      })
    )

    it.effect("finds several transactions by id, without those of other projects", () =>
      Effect.gen(function* () {
        const store = yield* HistoryStore
        const projectId = aProjectId()
        const ownTransactions = Array.from({ length: 1_001 }, () => aTransaction({ projectId }))
        const [foreign, missing] = [aTransaction(), aUuid()]
        yield* insertAll([...ownTransactions, foreign])
        const byId = (transactions: ReadonlyArray<Transaction>) => new Map(transactions.map((each) => [each.id, each]))
        const storedTransactions = yield* store.findAll(
          projectId,
          new Set([...idsOf(ownTransactions), foreign.id, missing])
        )
        assert.lengthOf(storedTransactions, ownTransactions.length)
        assert.deepStrictEqual(byId(storedTransactions), byId(ownTransactions))
        assert.deepStrictEqual(yield* store.findAll(projectId, new Set()), [])
      })
    )

    it.effect("lists the failed transactions of all wallets of a project, latest first", () =>
      Effect.gen(function* () {
        const store = yield* HistoryStore
        const projectId = aProjectId()
        const pendingTransaction = aTransaction({ projectId, status: "PROCESSING", createdAt: at(3) })
        const oldTransaction = aTransaction({ projectId, status: "FAILED", createdAt: at(1) })
        const lateTransaction = aTransaction({ projectId, status: "FAILED", createdAt: at(2) })
        yield* insertAll([oldTransaction, lateTransaction, pendingTransaction, aTransaction({ status: "FAILED" })])
        assert.deepStrictEqual(yield* store.listFailed(projectId, 10), [lateTransaction, oldTransaction])
        assert.deepStrictEqual(yield* store.listFailed(projectId, 1), [lateTransaction])
        const failedTransaction = { ...pendingTransaction, status: "FAILED" } as const
        yield* store.update(failedTransaction)
        assert.deepStrictEqual(yield* store.listFailed(projectId, 10), [
          failedTransaction,
          lateTransaction,
          oldTransaction
        ])
      })
    )

    it.effect("lists only the transactions of the requested wallet", () =>
      Effect.gen(function* () {
        const ownTransaction = aTransaction()
        const otherTransaction = aTransaction({ projectId: ownTransaction.projectId })
        yield* insertAll([ownTransaction, otherTransaction])
        assert.deepStrictEqual(yield* listTransactions(ownTransaction), [ownTransaction])
      })
    )

    it.effect("lists the movements of an account, oldest first, in pages without gaps or repetitions", () =>
      Effect.gen(function* () {
        const store = yield* HistoryStore
        const [projectId, account] = [aProjectId(), anAddress()]
        const earlyTransaction = aTransaction({
          projectId,
          type: "LENDING_SUPPLY",
          updatedAt: at(9),
          executedAt: at(1),
          legs: [{ chainId: 1, hash: aHash(), block: { number: 77n, hash: aHash() }, state: "INCLUDED", stage: 0 }],
          movements: [
            aMovement({
              account,
              amount: 2n ** 256n - 1n,
              usd: "0.000001",
              usdSource: "FEED",
              counterparty: "somebody"
            }),
            aMovement(),
            aMovement({ account, direction: "IN", role: "GAS", asset: { currency: "EUR" }, leg: null })
          ]
        })
        const pendingTransaction = aTransaction({
          projectId,
          updatedAt: at(5),
          movements: [aMovement({ account, leg: 2 })]
        })
        const otherProjectTransaction = aTransaction({ movements: [aMovement({ account })] })
        const unlistedDeposit = aTransaction({
          projectId,
          type: "CRYPTO_DEPOSIT",
          details: detectedTokenDetails.of({ token: anAddress(), isListed: false }),
          movements: [aMovement({ account, direction: "IN" })]
        })
        yield* insertAll([pendingTransaction, earlyTransaction, otherProjectTransaction, unlistedDeposit])
        const [first, , third] = recordedMovementsOf(earlyTransaction)
        const expected = [first!, third!, ...recordedMovementsOf(pendingTransaction)]
        assert.deepStrictEqual(yield* store.listMovements({ projectId, account, after: null, take: 100 }), expected)
        const pagedMovements = []
        for (let lastMovement: RecordedMovement | null = null; ; ) {
          const [one]: ReadonlyArray<RecordedMovement> = yield* store.listMovements({
            projectId,
            account,
            after: lastMovement,
            take: 1
          })
          if (one === undefined) break
          pagedMovements.push(one)
          lastMovement = one
        }
        assert.deepStrictEqual(pagedMovements, expected)
        yield* store.update({ ...pendingTransaction, movements: [] })
        assert.deepStrictEqual(
          yield* store.listMovements({ projectId, account, after: null, take: 100 }),
          expected.slice(0, 2)
        )
      })
    )

    it.effect("replaces the stored transaction, and filters by its current values", () =>
      Effect.gen(function* () {
        const store = yield* HistoryStore
        const oldHash = aHash()
        const transactionBefore = aTransaction({
          subject: "position:1",
          legs: [anIncludedLeg({ hash: oldHash })],
          metadata: { order: "1", kept: "yes" }
        })
        const { id, projectId, walletAddress } = transactionBefore
        const transactionAfter: Transaction = {
          ...aFullTransaction(),
          id,
          projectId,
          walletAddress,
          createdAt: at(77),
          metadata: { order: "2", kept: "yes" }
        }
        yield* store.insert(transactionBefore)
        yield* store.update(transactionAfter)
        yield* store.update(transactionAfter)
        assert.deepStrictEqual(yield* store.find(projectId, id), Option.some(transactionAfter))
        const excludingFilters: ReadonlyArray<HistoryFilter> = [
          { types: [transactionBefore.type] },
          { statuses: [transactionBefore.status] },
          { subject: { id: "position:1", orMetadata: null } },
          { transactionHash: oldHash },
          { createdAtLatest: at(76) },
          { metadata: { key: "order", value: "1" } }
        ]
        for (const filter of excludingFilters)
          assert.deepStrictEqual(yield* listTransactions(transactionBefore, filter), [])
        const includingFilters: ReadonlyArray<HistoryFilter> = [
          {
            types: [transactionAfter.type],
            statuses: [transactionAfter.status],
            chainIdOut: 0,
            createdAtOldest: at(77)
          },
          { userOperationHash: transactionAfter.userOperationHash!, transactionHash: transactionAfter.legs[0]!.hash! },
          { metadata: { key: "order", value: "2" }, subject: { id: transactionAfter.subject!, orMetadata: null } },
          { metadata: { key: "kept", value: "yes" } }
        ]
        for (const filter of includingFilters)
          assert.deepStrictEqual(yield* listTransactions(transactionBefore, filter), [transactionAfter])
      })
    )

    it.effect("returns pages newest first, also for equal times, and new transactions do not shift the pages", () =>
      Effect.gen(function* () {
        const wallet = aTransaction({ createdAt: at(50) })
        const { projectId, walletAddress } = wallet
        const transactionAt = (age: number) => aTransaction({ projectId, walletAddress, createdAt: at(age) })
        const transactions = [wallet, ...[50, 50, 50, 50, 50, 10, 90].map(transactionAt)]
        yield* insertAll(transactions)
        const expected = transactions.toSorted(newestFirst)
        assert.deepStrictEqual(yield* listTransactions(wallet), expected)

        const allTransactions: Array<Transaction> = []
        for (let page = 0; page < 4; page++) {
          allTransactions.push(...(yield* listTransactions(wallet, {}, 2, allTransactions.at(-1) ?? null)))
          yield* insertAll([transactionAt(91 + page)])
        }
        assert.deepStrictEqual(idsOf(allTransactions), idsOf(expected))
        assert.deepStrictEqual(yield* listTransactions(wallet, {}, 2, allTransactions.at(-1)!), [])
      })
    )

    it.effect("finds a transaction by the hash of any of its legs, only in the wallet's history", () =>
      Effect.gen(function* () {
        const transaction = aFullTransaction()
        const { projectId, walletAddress } = transaction
        const otherTransaction = aTransaction({ projectId, walletAddress })
        const laterTransaction = aTransaction({ projectId, legs: transaction.legs })
        const otherProjectTransaction = aTransaction({ walletAddress, legs: transaction.legs })
        yield* insertAll([transaction, otherTransaction, laterTransaction, otherProjectTransaction])
        for (const { hash } of transaction.legs) {
          if (hash === null) continue
          assert.deepStrictEqual(yield* listTransactions(transaction, { transactionHash: hash }), [transaction])
          assert.deepStrictEqual(yield* listTransactions(laterTransaction, { transactionHash: hash }), [
            laterTransaction
          ])
        }
        assert.deepStrictEqual(yield* listTransactions(transaction, { transactionHash: aHash() }), [])
      })
    )

    it.effect("does not match a transaction by chain if its source or destination is off-chain", () =>
      Effect.gen(function* () {
        const deposit = aTransaction({ type: "FIAT_DEPOSIT", chainIdIn: null, legs: [] })
        const { projectId, walletAddress } = deposit
        const withdrawal = aTransaction({ projectId, walletAddress, chainIdIn: 1, chainIdOut: null, createdAt: at(-1) })
        const offChainTransaction = aTransaction({
          projectId,
          walletAddress,
          chainIdIn: null,
          chainIdOut: null,
          createdAt: at(-2)
        })
        yield* insertAll([deposit, withdrawal, offChainTransaction])
        assert.deepStrictEqual(yield* listTransactions(deposit), [deposit, withdrawal, offChainTransaction])
        assert.deepStrictEqual(yield* listTransactions(deposit, { chains: [1, 137] }), [deposit, withdrawal])
        assert.deepStrictEqual(yield* listTransactions(deposit, { chains: [0] }), [])
        assert.deepStrictEqual(yield* listTransactions(deposit, { chainIdIn: 1 }), [withdrawal])
        assert.deepStrictEqual(yield* listTransactions(deposit, { chainIdOut: 137 }), [deposit])
      })
    )

    it.effect("matches metadata by the complete key and value, with any characters", () =>
      Effect.gen(function* () {
        const transaction = aTransaction({ metadata: awkwardMetadata })
        yield* insertAll([transaction])
        for (const [key, value] of Object.entries(awkwardMetadata)) {
          assert.deepStrictEqual(yield* listTransactions(transaction, { metadata: { key, value } }), [transaction], key)
          assert.deepStrictEqual(
            yield* listTransactions(transaction, { metadata: { key, value: `${value} ` } }),
            [],
            key
          )
          assert.deepStrictEqual(
            yield* listTransactions(transaction, { metadata: { key: value, value: key } }),
            [],
            key
          )
        }
        assert.deepStrictEqual(
          yield* listTransactions(transaction, { metadata: { key: "a", value: "dots in the key" } }),
          []
        )
        assert.deepStrictEqual(
          yield* listTransactions(transaction, { metadata: { key: "A", value: "a prefix of it" } }),
          []
        )
      })
    )

    it.effect("matches a subject or its metadata pair, and other metadata as an additional condition", () =>
      Effect.gen(function* () {
        const wallet = aTransaction({ subject: "position:7", createdAt: at(3) })
        const { projectId, walletAddress } = wallet
        const rebalanceTransaction = aTransaction({
          projectId,
          walletAddress,
          createdAt: at(2),
          metadata: { positionId: "p" }
        })
        const unrelated = aTransaction({ projectId, walletAddress, createdAt: at(1), metadata: { note: "p" } })
        yield* insertAll([wallet, rebalanceTransaction, unrelated])
        const position = { key: "positionId", value: "p" }
        const note = { key: "note", value: "p" }
        const subjectFilter = { id: "position:7", orMetadata: null }
        const subjectOrMetadataFilter = { id: "position:7", orMetadata: position }
        assert.deepStrictEqual(yield* listTransactions(wallet, { subject: subjectFilter }), [wallet])
        assert.deepStrictEqual(yield* listTransactions(wallet, { metadata: position }), [rebalanceTransaction])
        assert.deepStrictEqual(yield* listTransactions(wallet, { subject: subjectOrMetadataFilter }), [
          wallet,
          rebalanceTransaction
        ])
        assert.deepStrictEqual(
          yield* listTransactions(wallet, { subject: subjectOrMetadataFilter, metadata: note }),
          []
        )
        assert.deepStrictEqual(yield* listTransactions(wallet, { subject: { id: "\u0000", orMetadata: note } }), [
          unrelated
        ])
      })
    )

    it.effect.prop(
      "lists exactly the matching transactions for any filter",
      { seeds: AnyTransactions, filter: AnyFilter },
      ({ seeds, filter }) =>
        Effect.gen(function* () {
          const { projectId, walletAddress } = aTransaction()
          const transactions = seeds.map((fields) => aTransaction({ ...fields, projectId, walletAddress }))
          yield* insertAll(transactions)
          const expected = transactions.filter((transaction) => matches(transaction, filter)).toSorted(newestFirst)
          const page = yield* listTransactions({ projectId, walletAddress }, filter)
          assert.deepStrictEqual(idsOf(page), idsOf(expected))
          const middle = expected[Math.floor(expected.length / 2)]
          if (middle === undefined) return
          const nextPage = yield* listTransactions({ projectId, walletAddress }, filter, 3, middle)
          assert.deepStrictEqual(idsOf(nextPage), idsOf(expected.slice(expected.indexOf(middle) + 1).slice(0, 3)))
        }),
      { arbitrary: { runs: 100 } }
    )
  })
}
