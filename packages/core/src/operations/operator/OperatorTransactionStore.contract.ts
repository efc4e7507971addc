import { assert, layer } from "@effect/vitest"
import { Effect, type Layer } from "effect"
import { aHash, at } from "../../foundation/primitives/ids.fixture.ts"
import { HexBytes } from "../../foundation/primitives/index.ts"
import { WorkClaims } from "../../foundation/work/index.ts"
import { anOperatorAccount, anOperatorTransaction } from "./OperatorTransaction.fixture.ts"
import type { OperatorAccount, OperatorTransaction } from "./OperatorTransaction.ts"
import { type BundleTransaction, OperatorTransactionStore } from "./OperatorTransactionStore.ts"

export { anOperatorAccount, anOperatorTransaction } from "./OperatorTransaction.fixture.ts"

/** Creates a transaction with every field set, and with amounts that exceed a 64-bit column. */
const aFullTransaction = (operatorAccount: OperatorAccount, nonce: number) =>
  anOperatorTransaction(operatorAccount, nonce, {
    raw: HexBytes.make(`0x04${"c0".repeat(10_000)}`),
    maxFeePerGas: 2n ** 200n,
    maxPriorityFeePerGas: 2n ** 90n,
    replaced: [aHash(), aHash()],
    operations: [aHash(), aHash(), aHash()],
    state: "MINED",
    block: 4_000_000_000,
    sentAt: at(12_345)
  })

const bundleTransactionOf = (transaction: OperatorTransaction, isWatched: boolean): BundleTransaction => {
  const { hash, nonce, operations, replaced, state } = transaction
  return { nonce, hashes: [hash, ...replaced], operations, state, watched: isWatched }
}

/** Contract tests that every `OperatorTransactionStore` must pass. */
export const operatorTransactionStoreContract = <E>(
  name: string,
  stores: Layer.Layer<OperatorTransactionStore | WorkClaims, E>
): void => {
  layer(stores)(`OperatorTransactionStore on ${name}`, (it) => {
    const claimRole = Effect.fnUntraced(function* (
      operatorAccount: OperatorAccount,
      holder: string,
      now: number,
      until: number
    ) {
      const store = yield* OperatorTransactionStore
      return yield* store.claim(operatorAccount, "SEND", { holder, now: at(now), until: at(until) })
    })

    /**
     * Creates an operator account that the process "us" has claimed for sending, with functions that write its
     * transactions.
     */
    const claimedOperatorAccount = Effect.gen(function* () {
      const store = yield* OperatorTransactionStore
      const operatorAccount = anOperatorAccount()
      assert.isTrue(yield* claimRole(operatorAccount, "us", 0, 1_000))
      const writeTransactions = (...transactions: ReadonlyArray<OperatorTransaction>) =>
        store.record(operatorAccount, { holder: "us", now: at(1) }, transactions)
      return { operatorAccount, store, write: writeTransactions }
    })

    it.effect("assigns an operator account to one process at a time, which can extend the claim", () =>
      Effect.gen(function* () {
        const operatorAccount = anOperatorAccount()
        assert.isTrue(yield* claimRole(operatorAccount, "a", 0, 100))
        assert.isFalse(yield* claimRole(operatorAccount, "b", 50, 150))
        assert.isTrue(yield* claimRole(operatorAccount, "a", 90, 200))
        assert.isFalse(yield* claimRole(operatorAccount, "b", 150, 250))
        assert.isTrue(yield* claimRole(anOperatorAccount(), "b", 150, 250))
      })
    )

    it.effect("assigns an operator account to one of many concurrent processes", () =>
      Effect.gen(function* () {
        const operatorAccount = anOperatorAccount()
        const claimResults = yield* Effect.all(
          Array.from({ length: 8 }, (_, index) => claimRole(operatorAccount, `h${index}`, 0, 100)),
          { concurrency: "unbounded" }
        )
        assert.lengthOf(claimResults.filter(Boolean), 1)
      })
    )

    it.effect(
      "lets another process claim an operator account when the claim expires, is released, or all claims are released",
      () =>
        Effect.gen(function* () {
          const store = yield* OperatorTransactionStore
          const operatorAccount = anOperatorAccount()
          assert.isTrue(yield* claimRole(operatorAccount, "dead", 0, 100))
          assert.isTrue(yield* claimRole(operatorAccount, "heir", 100, 200))
          yield* store.release(operatorAccount, "SEND", "dead")
          assert.isFalse(yield* claimRole(operatorAccount, "third", 150, 250))
          yield* store.release(operatorAccount, "SEND", "heir")
          assert.isTrue(yield* claimRole(operatorAccount, "third", 150, 250))
          yield* WorkClaims.use(({ releaseAll }) => releaseAll)
          assert.isTrue(yield* claimRole(operatorAccount, "fourth", 150, 250))
        })
    )

    it.effect("separates the claims for sending and for watching", () =>
      Effect.gen(function* () {
        const store = yield* OperatorTransactionStore
        const operatorAccount = anOperatorAccount()
        assert.isTrue(yield* claimRole(operatorAccount, "a", 0, 100))
        assert.isTrue(yield* store.claim(operatorAccount, "WATCH", { holder: "b", now: at(0), until: at(100) }))
        assert.isFalse(yield* store.claim(operatorAccount, "WATCH", { holder: "a", now: at(0), until: at(100) }))
      })
    )

    it.effect("returns the transactions of one operator account, lowest nonce first", () =>
      Effect.gen(function* () {
        const { operatorAccount, store, write } = yield* claimedOperatorAccount
        const [first, second] = [
          anOperatorTransaction(operatorAccount, 9, { operations: [] }),
          aFullTransaction(operatorAccount, 10)
        ]
        assert.isTrue(yield* write(second, first))
        assert.deepStrictEqual(yield* store.listTracked(operatorAccount), [first, second])
        assert.deepStrictEqual(yield* store.listTracked(anOperatorAccount()), [])
      })
    )

    it.effect("lists the operator accounts with watched transactions, and those with unconfirmed ones", () =>
      Effect.gen(function* () {
        const { operatorAccount, store, write } = yield* claimedOperatorAccount
        const readWatchedAccount = Effect.map(store.listWatchedAccounts, (all) =>
          all.filter((account) => account.operatorAccount.operator === operatorAccount.operator)
        )
        assert.deepStrictEqual(yield* readWatchedAccount, [])
        const [minedTransaction, pendingTransaction] = [
          anOperatorTransaction(operatorAccount, 1, { state: "MINED" }),
          anOperatorTransaction(operatorAccount, 2, { state: "SENT" })
        ]
        yield* write(minedTransaction)
        assert.deepStrictEqual(yield* readWatchedAccount, [{ operatorAccount, waiting: 0 }])
        yield* write(pendingTransaction)
        assert.deepStrictEqual(yield* readWatchedAccount, [{ operatorAccount, waiting: 1 }])
        yield* store.stopTracking([minedTransaction, pendingTransaction])
        assert.deepStrictEqual(yield* readWatchedAccount, [])
      })
    )

    it.effect("replaces the transaction with the same nonce, with its operations", () =>
      Effect.gen(function* () {
        const { operatorAccount, store, write } = yield* claimedOperatorAccount
        const transactionBefore = anOperatorTransaction(operatorAccount, 3)
        const transactionAfter = anOperatorTransaction(operatorAccount, 3, {
          replaced: [transactionBefore.hash],
          operations: [aHash()]
        })
        yield* write(transactionBefore)
        yield* write(transactionAfter)
        assert.deepStrictEqual(yield* store.listTracked(operatorAccount), [transactionAfter])
        assert.deepStrictEqual(yield* store.listBundles(operatorAccount.chainId, transactionBefore.operations[0]!), [])
        assert.lengthOf(yield* store.listBundles(operatorAccount.chainId, transactionAfter.operations[0]!), 1)
      })
    )

    it.effect("writes nothing for a process without a valid claim of the operator account", () =>
      Effect.gen(function* () {
        const { operatorAccount, store } = yield* claimedOperatorAccount
        const row = anOperatorTransaction(operatorAccount, 0)
        assert.isFalse(yield* store.record(operatorAccount, { holder: "them", now: at(1) }, [row]))
        assert.isFalse(yield* store.record(operatorAccount, { holder: "us", now: at(1_000) }, [row]))
        assert.isFalse(yield* store.record(anOperatorAccount(), { holder: "us", now: at(1) }, [row]))
        assert.deepStrictEqual(yield* store.listTracked(operatorAccount), [])
      })
    )

    it.effect("reports how many transactions an operator account has pending", () =>
      Effect.gen(function* () {
        const { operatorAccount, store, write } = yield* claimedOperatorAccount
        assert.deepStrictEqual(yield* store.readUsage(operatorAccount), { highestNonce: null, waiting: 0 })
        yield* write(
          anOperatorTransaction(operatorAccount, 1, { state: "MINED" }),
          anOperatorTransaction(operatorAccount, 2),
          anOperatorTransaction(operatorAccount, 3),
          anOperatorTransaction(operatorAccount, 4, { state: "LOST" }),
          anOperatorTransaction(operatorAccount, 5, { state: "REVERTED" })
        )
        assert.deepStrictEqual(yield* store.readUsage(operatorAccount), { highestNonce: 5, waiting: 2 })
      })
    )

    it.effect("finds every transaction that includes an operation, on its chain", () =>
      Effect.gen(function* () {
        const { operatorAccount, store, write } = yield* claimedOperatorAccount
        const operation = aHash()
        const revertedTransaction = anOperatorTransaction(operatorAccount, 1, {
          state: "REVERTED",
          operations: [operation]
        })
        const sentTransaction = anOperatorTransaction(operatorAccount, 2, {
          operations: [aHash(), operation],
          replaced: [aHash()]
        })
        yield* write(revertedTransaction, sentTransaction)
        yield* store.stopTracking([revertedTransaction])
        assert.deepStrictEqual(yield* store.listBundles(operatorAccount.chainId, operation), [
          bundleTransactionOf(revertedTransaction, false),
          bundleTransactionOf(sentTransaction, true)
        ])
        assert.deepStrictEqual(yield* store.listBundles(1, operation), [])
      })
    )

    it.effect("stops watching an unchanged transaction, and deletes it later", () =>
      Effect.gen(function* () {
        const { operatorAccount, store, write } = yield* claimedOperatorAccount
        const [oldTransaction, changedTransaction] = [
          anOperatorTransaction(operatorAccount, 1, { state: "MINED" }),
          anOperatorTransaction(operatorAccount, 2, { state: "MINED" })
        ]
        const sentTransaction: OperatorTransaction = { ...changedTransaction, state: "SENT" }
        yield* write(oldTransaction, sentTransaction)
        yield* store.stopTracking([oldTransaction, changedTransaction])
        assert.deepStrictEqual(yield* store.listTracked(operatorAccount), [sentTransaction])
        yield* store.removeBefore(operatorAccount, oldTransaction.sentAt)
        assert.lengthOf(yield* store.listBundles(operatorAccount.chainId, oldTransaction.operations[0]!), 1)
        yield* store.removeBefore(operatorAccount, at(1))
        assert.deepStrictEqual(yield* store.listBundles(operatorAccount.chainId, oldTransaction.operations[0]!), [])
        assert.deepStrictEqual(yield* store.listTracked(operatorAccount), [sentTransaction])
      })
    )

    it.effect("deletes a transaction if it is unchanged and has the highest nonce", () =>
      Effect.gen(function* () {
        const { operatorAccount, store, write } = yield* claimedOperatorAccount
        const [first, second] = [anOperatorTransaction(operatorAccount, 1), anOperatorTransaction(operatorAccount, 2)]
        yield* write(first, second)
        yield* store.remove(first)
        yield* store.remove({ ...second, hash: aHash() })
        assert.deepStrictEqual(yield* store.listTracked(operatorAccount), [first, second])
        yield* store.remove(second)
        assert.deepStrictEqual(yield* store.listTracked(operatorAccount), [first])
        assert.deepStrictEqual(yield* store.listBundles(operatorAccount.chainId, second.operations[0]!), [])
        yield* store.remove(first)
        assert.deepStrictEqual(yield* store.listTracked(operatorAccount), [])
      })
    )
  })
}
