import { assert, layer } from "@effect/vitest"
import { Effect, type Layer, Option } from "effect"
import { HistoryStore } from "../../accounting/history/index.ts"
import { aMovement, aTransaction } from "../../accounting/history/Transaction.fixture.ts"
import type { EvmChainId } from "../../foundation/chains/index.ts"
import { aBitcoinAddress, aHash, anAddress, at } from "../../foundation/primitives/ids.fixture.ts"
import { WorkClaims } from "../../foundation/work/index.ts"
import { aProjectId } from "../../tenancy/projects/Project.fixture.ts"
import { WalletStore } from "../registry/index.ts"
import { aBitcoinWallet, anAccount, aWallet } from "../registry/Wallet.fixture.ts"
import { aDetectedTransfer, aWatchProgress } from "./Activity.fixture.ts"
import { ActivityStore, type Backfill, type WatchedChain } from "./ActivityStore.ts"

export { aDetectedTransfer, aWatchProgress } from "./Activity.fixture.ts"

/** Contract tests that every `ActivityStore` must pass. */
export const activityStoreContract = <E>(
  name: string,
  stores: Layer.Layer<ActivityStore | WalletStore | HistoryStore | WorkClaims, E>
): void => {
  layer(stores)(`ActivityStore on ${name}`, (it) => {
    const claimChain = Effect.fnUntraced(function* (chainId: EvmChainId, now: number, seconds = 10) {
      const store = yield* ActivityStore
      return Option.getOrThrow(yield* store.claim([chainId], at(now), at(now + seconds)))
    })

    it.effect("assigns a chain to only one worker at a time, and stores the last worker's progress", () =>
      Effect.gen(function* () {
        const store = yield* ActivityStore
        yield* store.watchChains([1, 10], at(0))
        const firstClaim = yield* claimChain(1, 0)
        assert.isNull(firstClaim.progress)
        assert.isTrue(Option.isNone(yield* store.claim([1], at(5), at(15))))
        assert.strictEqual(Option.getOrThrow(yield* store.claim([1, 10], at(5), at(6))).chainId, 10)
        const progress = aWatchProgress()
        assert.isTrue(yield* store.storeProgress(firstClaim, progress))
        const secondClaim = yield* claimChain(1, 20)
        assert.deepStrictEqual(secondClaim.progress, progress)
        assert.isFalse(yield* store.storeProgress(firstClaim, aWatchProgress()))
        yield* store.release(firstClaim, at(0))
        assert.isTrue(Option.isNone(yield* store.claim([1], at(25), at(35))))
        yield* store.release(secondClaim, at(100))
        assert.isTrue(Option.isNone(yield* store.claim([1], at(99), at(200))))
        const thirdClaim = yield* claimChain(1, 100, 1_000)
        yield* WorkClaims.use(({ releaseAll }) => releaseAll)
        assert.deepStrictEqual((yield* claimChain(1, 101)).progress, progress)
        const isSame = ({ chainId }: WatchedChain) => chainId === thirdClaim.chainId
        assert.deepStrictEqual((yield* store.listChains).find(isSame)?.progress, progress)
        yield* store.watchChains([1], at(0))
        assert.deepStrictEqual((yield* store.listChains).find(isSame)?.progress, progress)
      })
    )

    it.effect("finds smart wallets of any project by address, and no other addresses", () =>
      Effect.gen(function* () {
        const [store, wallets] = [yield* ActivityStore, yield* WalletStore]
        const account = anAccount()
        const bitcoinWallet = aBitcoinWallet({ address: aBitcoinAddress() })
        for (const wallet of [aWallet({ account }), aWallet({ account }), bitcoinWallet]) yield* wallets.insert(wallet)
        const otherAddresses = Array.from({ length: 1_500 }, anAddress)
        assert.deepStrictEqual(
          yield* store.findRegistered([...otherAddresses, account.address]),
          new Set([account.address])
        )
        assert.deepStrictEqual(yield* store.findRegistered([]), new Set())
        const someAddresses = yield* store.listAddresses(10_000)
        assert.isTrue(someAddresses.includes(account.address))
        assert.strictEqual(new Set(someAddresses).size, someAddresses.length)
        assert.isTrue(someAddresses.every((address) => address.startsWith("0x")))
        assert.lengthOf(yield* store.listAddresses(1), 1)
      })
    )

    it.effect("returns detected transfers when their check is due, and does not overwrite later changes", () =>
      Effect.gen(function* () {
        const store = yield* ActivityStore
        const nativeToken = [{ from: anAddress(), to: anAddress(), amount: 2n ** 100n }]
        const [detectedTransfer, otherTransfer] = [
          aDetectedTransfer({ chainId: 56, coin: nativeToken }),
          aDetectedTransfer({ chainId: 56 })
        ]
        yield* store.recordDetected([detectedTransfer], at(0))
        yield* store.recordDetected([otherTransfer], at(5))
        const [storedTransfer] = yield* store.listDue(56, at(0), 10)
        assert.deepStrictEqual(storedTransfer, {
          detectedTransfer,
          state: "WAITING",
          seenAt: at(0),
          version: storedTransfer!.version
        })
        assert.deepStrictEqual(yield* store.listDue(100, at(0), 10), [])
        yield* store.postpone(storedTransfer!, at(9))
        assert.deepStrictEqual(yield* store.nextDueAt(56), at(5))
        assert.isFalse(yield* store.recordDecision(storedTransfer!, "RECORDED", detectedTransfer))
        const [, dueAgain] = yield* store.listDue(56, at(9), 10)
        assert.isTrue(yield* store.recordDecision(dueAgain!, "RECORDED", { ...detectedTransfer, blockNumber: 101 }))
        assert.deepStrictEqual(
          (yield* store.listUntil(56, 101, 10)).map(({ state }) => state),
          ["RECORDED"]
        )
        assert.deepStrictEqual(yield* store.listUntil(56, 100, 10), [])
        assert.lengthOf(yield* store.listSince(56, 100), 2)
        assert.lengthOf(yield* store.listSince(56, 101), 1)
        yield* store.remove(dueAgain!)
        const [recordedTransfer] = yield* store.listSince(56, 101)
        yield* store.remove(recordedTransfer!)
        assert.deepStrictEqual(yield* store.listSince(56, 101), [])
      })
    )

    it.effect("checks a detected transfer again when it is detected again, with the native amount of its block", () =>
      Effect.gen(function* () {
        const store = yield* ActivityStore
        const nativeToken = [{ from: anAddress(), to: anAddress(), amount: 7n }]
        const detectedTransfer = aDetectedTransfer({ chainId: 100, coin: nativeToken })
        yield* store.recordDetected([detectedTransfer], at(0))
        const [first] = yield* store.listDue(100, at(0), 10)
        yield* store.recordDecision(first!, "RECORDED", detectedTransfer)
        assert.isNull(yield* store.nextDueAt(100))
        // The same transfer, detected in the earlier blocks of a wallet, where native token transfers are not read.
        yield* store.recordDetected([{ ...detectedTransfer, coin: [] }], at(1))
        assert.deepStrictEqual((yield* store.listDue(100, at(1), 10))[0]!.detectedTransfer, detectedTransfer)
        const movedTransfer = { ...detectedTransfer, blockHash: aHash(), blockNumber: 102, coin: [] }
        yield* store.recordDetected([movedTransfer], at(2))
        const [last] = yield* store.listDue(100, at(2), 10)
        assert.deepStrictEqual(last!.detectedTransfer, movedTransfer)
        assert.isFalse(yield* store.recordDecision(first!, "GONE", detectedTransfer))
        yield* store.remove(last!)
      })
    )

    it.effect("counts the transactions with unlisted tokens of each wallet", () =>
      Effect.gen(function* () {
        const store = yield* ActivityStore
        const address = anAddress()
        assert.strictEqual(yield* store.countUnlisted(address, 3), 0)
        assert.strictEqual(yield* store.countUnlisted(address, 100_000), 3)
        assert.strictEqual(yield* store.countUnlisted(address, 1), 100_003)
        assert.strictEqual(yield* store.countUnlisted(anAddress(), 1), 0)
      })
    )

    it.effect("reads the earlier blocks of each new wallet, on every watched chain", () =>
      Effect.gen(function* () {
        const [store, wallets] = [yield* ActivityStore, yield* WalletStore]
        const isOf = (address: string) => (backfill: Backfill) => backfill.address === address
        const listBackfillsOf = (chainId: EvmChainId, address: string) =>
          Effect.map(store.listBackfills(chainId, 10_000), (all) => all.filter(isOf(address)))
        const earlyWallet = aWallet()
        yield* wallets.insert(earlyWallet)
        yield* store.watchChains([43114], at(0))
        yield* store.watchChains([43114], at(0))
        const { address } = earlyWallet.account
        assert.deepStrictEqual(yield* listBackfillsOf(43114, address), [{ address, next: null, to: null }])
        const lateWallet = aWallet()
        yield* wallets.insert(lateWallet)
        assert.lengthOf(yield* listBackfillsOf(43114, lateWallet.account.address), 1)
        const newBackfill = { address, next: null, to: null }
        const movedBackfill = { address, next: 7, to: 9 }
        yield* store.moveBackfills(43114, [newBackfill], movedBackfill)
        // Backfills that have begun are returned first.
        assert.deepStrictEqual(yield* store.listBackfills(43114, 1), [movedBackfill])
        // The history of the other project does not contain the transfer yet.
        yield* wallets.insert({ ...earlyWallet, projectId: aProjectId() })
        assert.deepStrictEqual(yield* listBackfillsOf(43114, address), [newBackfill])
        // A step that began before the restart neither moves nor ends the backfill.
        yield* store.moveBackfills(43114, [movedBackfill], { next: 8, to: 9 })
        yield* store.moveBackfills(43114, [movedBackfill], null)
        assert.deepStrictEqual(yield* listBackfillsOf(43114, address), [newBackfill])
        yield* store.moveBackfills(43114, [newBackfill], null)
        assert.deepStrictEqual(yield* listBackfillsOf(43114, address), [])
        const bitcoinWallet = aBitcoinWallet()
        yield* wallets.insert(bitcoinWallet)
        assert.deepStrictEqual(yield* listBackfillsOf(43114, bitcoinWallet.address), [])
      })
    )

    it.effect("returns the flows that a project's operations have recorded for an account in a transaction", () =>
      Effect.gen(function* () {
        const [store, history] = [yield* ActivityStore, yield* HistoryStore]
        const [projectId, account, hash] = [aProjectId(), anAddress(), aHash()]
        const leg = { chainId: 137, hash, block: null, state: "INCLUDED", stage: 0 } as const
        const otherLeg = { ...leg, hash: aHash() }
        const movement = aMovement({ account, amount: 5n, counterparty: anAddress() })
        const deposit = aTransaction({ projectId, type: "CRYPTO_DEPOSIT", legs: [leg], movements: [movement] })
        const swap = aTransaction({
          projectId,
          legs: [otherLeg, leg],
          movements: [{ ...movement, leg: 1 }, aMovement({ account, leg: 0 }), aMovement({ leg: 1 })]
        })
        for (const transaction of [deposit, swap, { ...swap, ...aTransaction(), legs: swap.legs }]) {
          yield* history.insert(transaction)
        }
        const { amount, asset, counterparty, direction, role } = movement
        assert.deepStrictEqual(yield* store.listRecorded(projectId, account, 137, hash), [
          { transactionId: swap.id, amount, asset, counterparty, direction, role }
        ])
        assert.deepStrictEqual(yield* store.listRecorded(projectId, account, 10, hash), [])
        assert.deepStrictEqual(yield* store.listRecorded(aProjectId(), account, 137, hash), [])
      })
    )
  })
}
