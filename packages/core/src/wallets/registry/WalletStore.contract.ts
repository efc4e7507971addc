import { assert, layer } from "@effect/vitest"
import { Effect, type Layer, Option } from "effect"
import type { SigningKey } from "../../bitcoin/chain/index.ts"
import { aBitcoinAddress, anAddress, at } from "../../foundation/primitives/ids.fixture.ts"
import { HexBytes } from "../../foundation/primitives/index.ts"
import { awkwardMetadata } from "../../foundation/primitives/metadata.fixture.ts"
import type { ProjectId } from "../../tenancy/projects/index.ts"
import { aProjectId } from "../../tenancy/projects/Project.fixture.ts"
import { WalletAlreadyRegistered } from "./errors.ts"
import { aBitcoinWallet, anAccount, aWallet } from "./Wallet.fixture.ts"
import { addressOf } from "./Wallet.ts"
import { WalletStore } from "./WalletStore.ts"

export { aBitcoinWallet, anAccount, aWallet } from "./Wallet.fixture.ts"

const key: SigningKey = {
  publicKey: HexBytes.make("0x02bb"),
  derivation: { masterFingerprint: "73c5da0a", path: "m/84'/0'/0'/0/0" }
}

/** Contract tests that every `WalletStore` must pass. */
export const walletStoreContract = <E>(name: string, stores: Layer.Layer<WalletStore, E>): void => {
  layer(stores)(`WalletStore on ${name}`, (it) => {
    it.effect("returns a wallet with all inserted fields", () =>
      Effect.gen(function* () {
        const store = yield* WalletStore
        const wallets = [
          aWallet(),
          aWallet({
            account: anAccount({ salt: Number.MAX_SAFE_INTEGER, kind: "SIMPLE_7702", eip7702: true }),
            metadata: awkwardMetadata,
            registeredAt: at(1),
            lastTransactionAt: at(2),
            deployedOn: [1, 10, 137]
          }),
          aBitcoinWallet(),
          aBitcoinWallet({ key: { publicKey: HexBytes.make("0x02aa"), derivation: null } }),
          aBitcoinWallet({ key, metadata: awkwardMetadata, registeredAt: at(1), lastTransactionAt: at(2) })
        ]
        yield* Effect.forEach(wallets, store.insert)
        for (const wallet of wallets) {
          assert.deepStrictEqual(yield* store.find(wallet.projectId, addressOf(wallet)), Option.some(wallet))
        }
        assert.deepStrictEqual(yield* store.find(aProjectId(), anAddress()), Option.none())
        assert.deepStrictEqual(yield* store.find(aProjectId(), aBitcoinAddress()), Option.none())
      })
    )

    it.effect("rejects a second registration with the same project, and changes nothing", () =>
      Effect.gen(function* () {
        const store = yield* WalletStore
        const wallet = aWallet({ metadata: { first: "yes" } })
        yield* store.insert(wallet)
        const error = yield* Effect.flip(store.insert({ ...wallet, metadata: { first: "no" }, deployedOn: [1] }))
        assert.deepStrictEqual(error, new WalletAlreadyRegistered({ walletAddress: wallet.account.address }))
        assert.deepStrictEqual(yield* store.find(wallet.projectId, wallet.account.address), Option.some(wallet))
      })
    )

    it.effect("registers a Bitcoin address once per project, with any number of projects", () =>
      Effect.gen(function* () {
        const store = yield* WalletStore
        const ownWallet = aBitcoinWallet()
        const otherWallet = aBitcoinWallet({ address: ownWallet.address, metadata: { whose: "theirs" } })
        yield* Effect.forEach([ownWallet, otherWallet], store.insert)
        const error = yield* Effect.flip(store.insert({ ...ownWallet, metadata: { first: "no" } }))
        assert.deepStrictEqual(error, new WalletAlreadyRegistered({ walletAddress: ownWallet.address }))
        for (const wallet of [ownWallet, otherWallet]) {
          assert.deepStrictEqual(yield* store.find(wallet.projectId, wallet.address), Option.some(wallet))
        }
      })
    )

    it.effect("registers a wallet once, also with concurrent requests", () =>
      Effect.gen(function* () {
        const store = yield* WalletStore
        const wallet = aWallet()
        const insertResults = yield* Effect.all(
          Array.from({ length: 8 }, () => Effect.isSuccess(store.insert(wallet))),
          { concurrency: 8 }
        )
        assert.strictEqual(insertResults.filter((succeeded) => succeeded).length, 1)
      })
    )

    const listWallets = (projectId: ProjectId) =>
      WalletStore.use((store) => store.list({ projectId, after: null, take: 100 }))

    it.effect("stores registrations of the same account by two projects separately", () =>
      Effect.gen(function* () {
        const store = yield* WalletStore
        const account = anAccount()
        const [ownWallet, otherProjectWallet] = [
          aWallet({ account, metadata: { whose: "mine" } }),
          aWallet({ account })
        ]
        yield* store.insert(ownWallet)
        assert.deepStrictEqual(yield* store.find(otherProjectWallet.projectId, account.address), Option.none())
        yield* store.insert(otherProjectWallet)
        yield* store.replaceMetadata(otherProjectWallet.projectId, account.address, { whose: "theirs" })
        yield* store.recordTransaction(otherProjectWallet.projectId, account.address, at(9))
        assert.deepStrictEqual(yield* listWallets(ownWallet.projectId), [ownWallet])
        assert.deepStrictEqual(yield* listWallets(otherProjectWallet.projectId), [
          { ...otherProjectWallet, metadata: { whose: "theirs" }, lastTransactionAt: at(9) }
        ])
      })
    )

    it.effect("lists the wallets of a project, oldest registration first", () =>
      Effect.gen(function* () {
        const store = yield* WalletStore
        const projectId = aProjectId()
        const firstWallet = aWallet({ projectId, registeredAt: at(10) })
        const secondWallet = aWallet({ projectId, registeredAt: at(20), deployedOn: [10, 8453] })
        const thirdWallet = aBitcoinWallet({ projectId, registeredAt: at(25) })
        const fourthWallet = aWallet({ projectId, registeredAt: at(30) })
        yield* Effect.forEach(
          [secondWallet, firstWallet, fourthWallet, thirdWallet, aWallet(), aBitcoinWallet()],
          store.insert
        )
        assert.deepStrictEqual(yield* listWallets(projectId), [firstWallet, secondWallet, thirdWallet, fourthWallet])
        assert.deepStrictEqual(yield* listWallets(aProjectId()), [])
        assert.deepStrictEqual(yield* store.list({ projectId, after: null, take: 2 }), [firstWallet, secondWallet])
        assert.deepStrictEqual(yield* store.list({ projectId, after: secondWallet, take: 1 }), [thirdWallet])
        assert.deepStrictEqual(yield* store.list({ projectId, after: fourthWallet, take: 9 }), [])
      })
    )

    it.effect("replaces metadata completely, and returns whether the wallet exists", () =>
      Effect.gen(function* () {
        const store = yield* WalletStore
        for (const wallet of [
          aWallet({ metadata: { old: "value" } }),
          aBitcoinWallet({ metadata: { old: "value" } })
        ]) {
          const address = addressOf(wallet)
          yield* store.insert(wallet)
          assert.isTrue(yield* store.replaceMetadata(wallet.projectId, address, awkwardMetadata))
          assert.isFalse(yield* store.replaceMetadata(aProjectId(), address, {}))
          assert.deepStrictEqual(
            yield* store.find(wallet.projectId, address),
            Option.some({ ...wallet, metadata: awkwardMetadata })
          )
        }
      })
    )

    it.effect("changes only the given fields of a Bitcoin address, and returns whether it exists", () =>
      Effect.gen(function* () {
        const store = yield* WalletStore
        const wallet = aBitcoinWallet({ ownership: "ATTACHED", metadata: { old: "value" } })
        const { address, projectId } = wallet
        yield* store.insert(wallet)
        assert.isTrue(yield* store.updateBitcoin(projectId, address, { ownership: "PROVEN" }))
        yield* store.lock(projectId, address)
        assert.isTrue(yield* store.updateBitcoin(projectId, address, { key }))
        const provenWallet = { ...wallet, key, ownership: "PROVEN" as const }
        assert.deepStrictEqual(yield* store.find(projectId, address), Option.some(provenWallet))
        assert.isTrue(yield* store.updateBitcoin(projectId, address, { metadata: {} }))
        assert.deepStrictEqual(yield* store.find(projectId, address), Option.some({ ...provenWallet, metadata: {} }))
        assert.isFalse(yield* store.updateBitcoin(aProjectId(), address, { ownership: "ATTACHED" }))
        assert.deepStrictEqual(yield* store.find(projectId, address), Option.some({ ...provenWallet, metadata: {} }))
      })
    )

    it.effect("records a deployment once, for every project", () =>
      Effect.gen(function* () {
        const store = yield* WalletStore
        const account = anAccount()
        const earlyWallet = aWallet({ account })
        const lateWallet = aWallet({ account, deployedOn: [137] })
        yield* store.insert(earlyWallet)
        const recordResults = yield* Effect.all(
          Array.from({ length: 4 }, () => store.recordDeployment(account.address, 137)),
          { concurrency: 4 }
        )
        assert.strictEqual(recordResults.filter((isFirst) => isFirst).length, 1)
        assert.isTrue(yield* store.recordDeployment(account.address, 1))
        yield* store.insert(lateWallet)
        for (const { projectId } of [earlyWallet, lateWallet]) {
          const wallet = yield* Effect.flatMap(store.find(projectId, account.address), Effect.fromOption)
          assert.sameMembers(wallet.type === "SMART" ? [...wallet.deployedOn] : [], [1, 137])
        }
      })
    )

    it.effect("finds the registrations of an account in every project, oldest first", () =>
      Effect.gen(function* () {
        const store = yield* WalletStore
        const account = anAccount()
        const [second, first] = [
          aWallet({ account, registeredAt: at(20), deployedOn: [1, 10] }),
          aWallet({ account, registeredAt: at(10) })
        ]
        yield* Effect.forEach([second, first, aWallet()], store.insert)
        assert.deepStrictEqual(yield* store.listRegistrations(account.address), [
          { ...first, deployedOn: [1, 10] },
          second
        ])
        assert.deepStrictEqual(yield* store.listRegistrations(anAddress()), [])
      })
    )

    it.effect("never replaces the last transaction with an earlier time", () =>
      Effect.gen(function* () {
        const store = yield* WalletStore
        for (const wallet of [aWallet(), aBitcoinWallet()]) {
          const address = addressOf(wallet)
          yield* store.insert(wallet)
          yield* Effect.forEach([at(10), at(30), at(20)], (instant) =>
            store.recordTransaction(wallet.projectId, address, instant)
          )
          yield* store.recordTransaction(aProjectId(), address, at(40))
          assert.deepStrictEqual(
            yield* store.find(wallet.projectId, address),
            Option.some({ ...wallet, lastTransactionAt: at(30) })
          )
        }
      })
    )
  })
}
