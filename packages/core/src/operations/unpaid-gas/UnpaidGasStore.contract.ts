import { assert, layer } from "@effect/vitest"
import { DateTime, Effect, type Layer } from "effect"
import { aHash, anAddress, at } from "../../foundation/primitives/ids.fixture.ts"
import { type Address, DecimalString } from "../../foundation/primitives/index.ts"
import { aProjectId } from "../../tenancy/projects/Project.fixture.ts"
import { aGasEntry } from "./UnpaidGasEntry.fixture.ts"
import type { UnpaidGasEntry } from "./UnpaidGasEntry.ts"
import { UnpaidGasStore, type UnpaidGasSubject } from "./UnpaidGasStore.ts"

export { aGasEntry } from "./UnpaidGasEntry.fixture.ts"

const HOUR_MS = 3_600_000

const decimalOf = (text: string) => DecimalString.make(text)

/** Contract tests that every `UnpaidGasStore` must pass. */
export const unpaidGasStoreContract = <E>(name: string, stores: Layer.Layer<UnpaidGasStore, E>): void => {
  layer(stores)(`UnpaidGasStore on ${name}`, (it) => {
    const appendEntries = (...gasEntries: ReadonlyArray<UnpaidGasEntry>) =>
      UnpaidGasStore.use((store) => Effect.forEach(gasEntries, store.record, { discard: true }))

    /**
     * Stores unpaid gas: two entries of one wallet, one of another wallet of the same owner, one of another owner, and
     * one in another project.
     */
    const insertGasEntries = Effect.gen(function* () {
      const [projectId, otherProjectId] = [aProjectId(), aProjectId()]
      const [owner, wallet, otherWallet] = [anAddress(), anAddress(), anAddress()]
      const ownIds = { projectId, owner, walletAddress: wallet }
      const firstGasEntry = aGasEntry({ ...ownIds, at: at(0) })
      const secondGasEntry = aGasEntry({
        ...ownIds,
        at: at(1_000),
        usd: decimalOf("0.5"),
        chainId: 1,
        cause: "REVERTED_BUNDLE"
      })
      const otherWalletGasEntry = aGasEntry({ ...ownIds, walletAddress: otherWallet, at: at(2_000), usd: null })
      const otherOwnerGasEntry = aGasEntry({ projectId, at: at(3_000) })
      const otherProjectGasEntry = aGasEntry({ ...ownIds, projectId: otherProjectId, at: at(4_000) })
      yield* appendEntries(firstGasEntry, secondGasEntry, otherWalletGasEntry, otherOwnerGasEntry, otherProjectGasEntry)
      return {
        projectId,
        otherProjectId,
        owner,
        wallet,
        first: firstGasEntry,
        second: secondGasEntry,
        otherWalletLoss: otherWalletGasEntry,
        otherOwnerLoss: otherOwnerGasEntry,
        elsewhere: otherProjectGasEntry
      }
    })

    it.effect("lists entries as they were appended, newest first, of a project or of all projects", () =>
      Effect.gen(function* () {
        const store = yield* UnpaidGasStore
        const { elsewhere, first, otherOwnerLoss, otherWalletLoss, projectId, second } = yield* insertGasEntries
        const largeGasEntry = aGasEntry({
          projectId,
          wei: 123_456_789n * 10n ** 18n + 1n,
          usd: decimalOf("1000000.000001"),
          at: at(9_000)
        })
        const gasEntryWithoutOperation = aGasEntry({ projectId, userOperationHash: null, at: at(8_000) })
        yield* appendEntries(largeGasEntry, gasEntryWithoutOperation)
        const storedEntryOf = (gasEntry: UnpaidGasEntry) => ({ gasEntry, forgivenAt: null })
        assert.deepStrictEqual(
          yield* store.listLatest(projectId, 10),
          [largeGasEntry, gasEntryWithoutOperation, otherOwnerLoss, otherWalletLoss, second, first].map(storedEntryOf)
        )
        assert.deepStrictEqual(
          yield* store.listLatest(projectId, 2),
          [largeGasEntry, gasEntryWithoutOperation].map(storedEntryOf)
        )
        const allGasEntries = yield* store.listLatest(null, 1_000)
        assert.deepInclude(allGasEntries, storedEntryOf(elsewhere))
        assert.deepInclude(allGasEntries, storedEntryOf(largeGasEntry))
      })
    )

    it.effect("counts a repeated operation and cause once, with its first time and its last amount", () =>
      Effect.gen(function* () {
        const store = yield* UnpaidGasStore
        const gasEntry = aGasEntry()
        const { projectId } = gasEntry
        const repeatedGasEntry = { ...gasEntry, wei: 7n, usd: decimalOf("3"), at: at(60_000) }
        yield* appendEntries(gasEntry, gasEntry, repeatedGasEntry)
        assert.deepStrictEqual(yield* store.listLatest(projectId, 9), [
          { gasEntry: { ...repeatedGasEntry, at: gasEntry.at }, forgivenAt: null }
        ])
        // A different cause, or an operation of another project, leads to a separate entry.
        yield* appendEntries({ ...gasEntry, cause: "REVERTED_BUNDLE" }, { ...gasEntry, projectId: aProjectId() })
        assert.lengthOf(yield* store.listLatest(projectId, 9), 2)
        const gasEntryWithoutOperation = aGasEntry({ projectId, userOperationHash: null })
        yield* appendEntries(gasEntryWithoutOperation, gasEntryWithoutOperation, {
          ...gasEntryWithoutOperation,
          at: at(1)
        })
        assert.lengthOf(yield* store.listLatest(projectId, 9), 4)
      })
    )

    it.effect("counts an entry once if it is appended concurrently", () =>
      Effect.gen(function* () {
        const store = yield* UnpaidGasStore
        const gasEntry = aGasEntry()
        yield* Effect.forEach(Array.from({ length: 8 }), () => store.record(gasEntry), { concurrency: 8 })
        assert.lengthOf(yield* store.listLatest(gasEntry.projectId, 9), 1)
      })
    )

    it.effect("withdraws the entry of one operation and cause", () =>
      Effect.gen(function* () {
        const store = yield* UnpaidGasStore
        const gasEntry = aGasEntry()
        const { projectId, userOperationHash } = gasEntry
        const bundleGasEntry: UnpaidGasEntry = { ...gasEntry, cause: "REVERTED_BUNDLE" }
        yield* appendEntries(gasEntry, bundleGasEntry)
        yield* store.remove(projectId, aHash(), "UNPAID_OPERATION")
        yield* store.remove(aProjectId(), userOperationHash!, "UNPAID_OPERATION")
        assert.lengthOf(yield* store.listLatest(projectId, 9), 2)
        yield* store.remove(projectId, userOperationHash!, "UNPAID_OPERATION")
        assert.deepStrictEqual(yield* store.listLatest(projectId, 9), [{ gasEntry: bundleGasEntry, forgivenAt: null }])
      })
    )

    it.effect("lists an owner's entries within a project since a time", () =>
      Effect.gen(function* () {
        const store = yield* UnpaidGasStore
        const { first, otherWalletLoss, owner, projectId, second } = yield* insertGasEntries
        const countedEntryOf = ({ at, cause, chainId, walletAddress }: UnpaidGasEntry, usdE6: bigint | null) => ({
          walletAddress,
          chainId,
          cause,
          at,
          count: 1,
          usdE6: usdE6 ?? 0n,
          unpriced: usdE6 === null ? 1 : 0
        })
        assert.deepStrictEqual(yield* store.listByOwner(projectId, owner, at(-1)), [
          countedEntryOf(otherWalletLoss, null),
          countedEntryOf(second, 500_000n),
          countedEntryOf(first, 2_000_000n)
        ])
        assert.deepStrictEqual(yield* store.listByOwner(projectId, owner, at(1_000)), [
          countedEntryOf(otherWalletLoss, null)
        ])
        assert.deepStrictEqual(yield* store.listByOwner(projectId, anAddress(), at(-1)), [])
      })
    )

    it.effect("adds up a project's unpaid gas by hour and cause since a time", () =>
      Effect.gen(function* () {
        const store = yield* UnpaidGasStore
        const projectId = aProjectId()
        const hour = DateTime.makeUnsafe(Math.floor(DateTime.toEpochMillis(at(0)) / HOUR_MS) * HOUR_MS)
        const timeAfter = (milliseconds: number) => DateTime.add(hour, { milliseconds })
        yield* appendEntries(
          aGasEntry({ projectId, at: timeAfter(0) }),
          aGasEntry({ projectId, at: timeAfter(HOUR_MS - 1), usd: null }),
          aGasEntry({ projectId, at: timeAfter(5), cause: "REVERTED_BUNDLE", usd: decimalOf("0.000001") }),
          aGasEntry({ projectId, at: timeAfter(HOUR_MS) }),
          aGasEntry({ projectId, at: timeAfter(-1) }),
          aGasEntry({ at: timeAfter(0) })
        )
        const sums = yield* store.readSums(projectId, timeAfter(-1))
        const byTime = sums.toSorted((a, b) => DateTime.toEpochMillis(a.at) - DateTime.toEpochMillis(b.at))
        assert.deepStrictEqual(byTime, [
          { cause: "REVERTED_BUNDLE", at: timeAfter(5), count: 1, usdE6: 1n, unpriced: 0 },
          { cause: "UNPAID_OPERATION", at: timeAfter(HOUR_MS - 1), count: 2, usdE6: 2_000_000n, unpriced: 1 },
          { cause: "UNPAID_OPERATION", at: timeAfter(HOUR_MS), count: 1, usdE6: 2_000_000n, unpriced: 0 }
        ])
        assert.deepStrictEqual(yield* store.readSums(aProjectId(), at(-1)), [])
      })
    )

    it.effect("assigns the turn to one of many concurrent calls, and the next turn only after the wait", () =>
      Effect.gen(function* () {
        const store = yield* UnpaidGasStore
        const { owner, projectId, wallet } = yield* insertGasEntries
        for (const scope of ["wallet", "owner"] as const) {
          const address = scope === "wallet" ? wallet : owner
          const claimSlot = (milliseconds: number, hash = aHash()) =>
            store.claimThrottleSlot({
              projectId,
              scope,
              address,
              hash,
              now: at(milliseconds),
              lastBefore: at(milliseconds - 60_000)
            })
          // The owner's turn also applies to the owner's wallets.
          const start = scope === "wallet" ? 10_000 : 1_000_000
          const claimResults = yield* Effect.forEach(Array.from({ length: 8 }), () => claimSlot(start), {
            concurrency: 8
          })
          assert.strictEqual(claimResults.filter((isClaimed) => isClaimed).length, 1, scope)
          assert.isFalse(yield* claimSlot(start + 59_999))
          const hash = aHash()
          assert.isTrue(yield* claimSlot(start + 60_000, hash))
          assert.isTrue(yield* claimSlot(start + 60_001, hash))
          assert.isFalse(yield* claimSlot(start + 60_002))
        }
        const unknownWallet = { projectId, scope: "wallet", address: anAddress(), hash: aHash() } as const
        assert.isFalse(yield* store.claimThrottleSlot({ ...unknownWallet, now: at(0), lastBefore: at(0) }))
      })
    )

    it.effect("adds up the unpaid gas since a time, by chain", () =>
      Effect.gen(function* () {
        const store = yield* UnpaidGasStore
        // Later than the entries of other tests.
        const laterMs = 10_000_000_000
        const wei = 10n ** 24n + 1n
        yield* appendEntries(
          aGasEntry({ at: at(laterMs), wei, chainId: 10 }),
          aGasEntry({ at: at(laterMs + 1), wei, chainId: 10, usd: null }),
          aGasEntry({ at: at(laterMs), chainId: 56 })
        )
        const totals = yield* store.readTotals(at(laterMs - 1))
        assert.deepStrictEqual(
          totals.toSorted((a, b) => a.chainId - b.chainId),
          [
            { chainId: 10, count: 2, wei: 2n * wei, usdE6: 2_000_000n },
            { chainId: 56, count: 1, wei: 10n ** 15n, usdE6: 2_000_000n }
          ]
        )
        assert.deepStrictEqual(yield* store.readTotals(at(laterMs + 1)), [])
        assert.deepStrictEqual(yield* store.readTotals(at(laterMs - 1), "REVERTED_BUNDLE"), [])
      })
    )

    it.effect("adds up the gas of each paymaster by UTC day, rounded up to gwei, and deletes old costs", () =>
      Effect.gen(function* () {
        const store = yield* UnpaidGasStore
        const [payer, otherPayer] = [anAddress(), anAddress()]
        const day = 86_400_000
        const dayOf = (ms: number) => DateTime.startOf(at(ms), "day")
        const recordCost = (payerAddress: Address, wei: bigint, ms: number, chainId: 1 | 10 = 1) =>
          store.recordCost({ chainId, payer: payerAddress, wei, operation: aHash(), at: at(ms) })
        const costsSince = (ms: number) =>
          Effect.map(store.readCosts(at(ms)), (costs) =>
            costs
              .filter((cost) => cost.payer === payer || cost.payer === otherPayer)
              .toSorted((a, b) => (a.chainId === b.chainId ? Number(a.wei - b.wei) : a.chainId - b.chainId))
          )
        const largeWei = 10n ** 22n
        const today = 400 * day
        // Several costs on one day, so that all counter slots are used.
        for (let i = 0; i < 20; i++) yield* recordCost(payer, largeWei + 1n, today)
        yield* recordCost(payer, 7_000_000_000n, today - day)
        yield* recordCost(payer, 1n, today, 10)
        yield* recordCost(otherPayer, 3_000_000_000n, today)
        const paidAmount = 20n * (largeWei + 1_000_000_000n)
        assert.deepStrictEqual(yield* costsSince(today), [
          { chainId: 1, payer: otherPayer, wei: 3_000_000_000n, firstDay: dayOf(today) },
          { chainId: 1, payer, wei: paidAmount, firstDay: dayOf(today - day) },
          { chainId: 10, payer, wei: 1_000_000_000n, firstDay: dayOf(today) }
        ])
        assert.deepInclude(yield* costsSince(today - day), {
          chainId: 1,
          payer,
          wei: paidAmount + 7_000_000_000n,
          firstDay: dayOf(today - day)
        })
        for (let i = 0; i < 200; i++) yield* recordCost(payer, 1n, today + 31 * day)
        assert.deepInclude(yield* costsSince(0), {
          chainId: 1,
          payer,
          wei: 200_000_000_000n,
          firstDay: dayOf(today + 31 * day)
        })
      })
    )

    it.effect(
      "forgives a wallet, an owner or a project once, and then still lists the entries without counting them",
      () =>
        Effect.gen(function* () {
          const store = yield* UnpaidGasStore
          const subjectsWithCounts = (
            fixture: Effect.Success<typeof insertGasEntries>
          ): ReadonlyArray<readonly [UnpaidGasSubject, number]> => [
            [{ _tag: "Wallet", address: fixture.wallet }, 3],
            [{ _tag: "Owner", address: fixture.owner }, 4],
            [{ _tag: "Project", id: fixture.projectId }, 4]
          ]
          for (const index of [0, 1, 2]) {
            const fixture = yield* insertGasEntries
            const { first, owner, projectId } = fixture
            const [subject, forgivenCount] = subjectsWithCounts(fixture)[index]!
            assert.strictEqual(yield* store.forgive(subject, at(5_000)), forgivenCount)
            assert.strictEqual(yield* store.forgive(subject, at(6_000)), 0)
            assert.deepInclude(yield* store.listLatest(projectId, 9), { gasEntry: first, forgivenAt: at(5_000) })
            const remainingGasEntries = yield* store.listByOwner(projectId, owner, at(-1))
            assert.lengthOf(remainingGasEntries, index === 0 ? 1 : 0)
            // An entry that is recorded again stays forgiven.
            yield* appendEntries(first)
            assert.lengthOf(yield* store.listByOwner(projectId, owner, at(-1)), remainingGasEntries.length)
          }
        })
    )
  })
}
