import { Context, DateTime, Effect, Layer, Option } from "effect"
import type { EvmChainId } from "../../foundation/chains/index.ts"
import { BadRequest } from "../../foundation/errors/index.ts"
import { type Address, type Metadata, UnitOfWork, type WalletAddress } from "../../foundation/primitives/index.ts"
import { EventOutbox } from "../../tenancy/events/index.ts"
import type { ProjectId } from "../../tenancy/projects/index.ts"
import type { Account, AccountFactoryInfo, AccountRequest } from "./Account.ts"
import { AccountAddresses } from "./AccountAddresses.ts"
import { type FactoryNotSupported, type WalletAlreadyRegistered, WalletNotRegistered } from "./errors.ts"
import { addressOf, type BitcoinWallet, type SmartWallet, type Wallet } from "./Wallet.ts"
import { WalletStore } from "./WalletStore.ts"
import { walletDeployed, walletRegistered } from "./walletEvent.ts"

type Registration = Pick<Wallet, "metadata" | "registeredAt" | "lastTransactionAt">

/** A smart wallet for display: a registered wallet with its stored record, or only a computed account. */
export interface SmartWalletView {
  readonly type: "SMART"
  readonly account: Account
  readonly registration: Registration | null
  readonly deployedOn: ReadonlyArray<EvmChainId>
}

export interface BitcoinWalletView {
  readonly type: "BITCOIN"
  readonly address: BitcoinWallet["address"]
  readonly ownership: BitcoinWallet["ownership"]
  readonly key: BitcoinWallet["key"]
  readonly registration: Registration
}

export type WalletView = SmartWalletView | BitcoinWalletView

const smartWalletView = (wallet: SmartWallet): SmartWalletView => ({
  type: "SMART",
  account: wallet.account,
  registration: wallet,
  deployedOn: wallet.deployedOn
})

export const bitcoinWalletView = ({ address, key, ownership, ...registration }: BitcoinWallet): BitcoinWalletView => ({
  type: "BITCOIN",
  address,
  ownership,
  key,
  registration
})

/** Converts a registered wallet for display. */
export const walletView = (wallet: Wallet): WalletView =>
  wallet.type === "SMART" ? smartWalletView(wallet) : bitcoinWalletView(wallet)

/** Number of wallets per query when all wallets are listed. */
const READ_PER_BATCH = 500

/** A page of wallets in the order of registration. `next` reads the next page; it is null on the last page. */
export interface WalletsPage {
  readonly wallets: ReadonlyArray<WalletView>
  readonly next: Effect.Effect<WalletsPage> | null
}

/** Registers and lists wallets. */
export class Wallets extends Context.Service<
  Wallets,
  {
    readonly factories: ReadonlyArray<AccountFactoryInfo>
    /** Returns the smart wallet of an owner, registered or not. */
    readonly lookUp: (
      projectId: ProjectId,
      request: AccountRequest
    ) => Effect.Effect<SmartWalletView, FactoryNotSupported>
    readonly register: (
      projectId: ProjectId,
      request: AccountRequest,
      metadata: Metadata
    ) => Effect.Effect<SmartWalletView, FactoryNotSupported | WalletAlreadyRegistered>
    /**
     * Returns a page of the project's wallets, oldest registration first. `lastId` is the last address of the previous
     * page.
     */
    readonly list: (
      projectId: ProjectId,
      page: { readonly take: number; readonly lastId: WalletAddress | null }
    ) => Effect.Effect<{ readonly wallets: ReadonlyArray<WalletView>; readonly nextLastId: string | null }, BadRequest>
    /**
     * Returns the first page of the project's wallets, in the order of `list`. Each page contains the query for the
     * next one.
     */
    readonly readAllPages: (projectId: ProjectId) => Effect.Effect<WalletsPage>
    /** Returns a registered wallet, and reads its deployments from the chains again. */
    readonly show: (projectId: ProjectId, address: WalletAddress) => Effect.Effect<WalletView, WalletNotRegistered>
    /** Returns a registered wallet as stored. */
    readonly require: (projectId: ProjectId, address: WalletAddress) => Effect.Effect<Wallet, WalletNotRegistered>
    readonly replaceMetadata: (
      projectId: ProjectId,
      address: WalletAddress,
      metadata: Metadata
    ) => Effect.Effect<WalletView, WalletNotRegistered>
    /**
     * Records that the account has code on a chain. The first call creates events in the projects that registered it.
     */
    readonly recordDeployment: (address: Address, chainId: EvmChainId) => Effect.Effect<void>
  }
>()("@countersign/core/wallets/Wallets") {
  static readonly layer = Layer.effect(
    Wallets,
    Effect.gen(function* () {
      const store = yield* WalletStore
      const addresses = yield* AccountAddresses
      const outbox = yield* EventOutbox
      const unitOfWork = yield* UnitOfWork

      const recordDeployment = (address: Address, chainId: EvmChainId) =>
        unitOfWork.run(
          Effect.gen(function* () {
            if (!(yield* store.recordDeployment(address, chainId))) return
            const now = yield* DateTime.now
            const registrations = yield* store.listRegistrations(address)
            yield* Effect.forEach(registrations, (wallet) => outbox.append(walletDeployed(wallet, chainId, now)))
          })
        )

      /**
       * Returns the deployments of a wallet. Reads the chains for new deployments, and stores them. Omits the chains on
       * which an EIP-7702 delegation was revoked.
       */
      const readDeployments = Effect.fnUntraced(function* (view: SmartWalletView) {
        const { account } = view
        const deployments = yield* addresses.findDeployments(account)
        const newChainIds = [...deployments].flatMap(([chainId, isDeployed]) =>
          isDeployed && !view.deployedOn.includes(chainId) ? [chainId] : []
        )
        yield* Effect.forEach(newChainIds, (chainId) => recordDeployment(account.address, chainId))
        const isRevoked = (chainId: EvmChainId) => account.eip7702 && deployments.get(chainId) === false
        return {
          ...view,
          deployedOn: [...view.deployedOn.filter((chainId) => !isRevoked(chainId)), ...newChainIds]
        }
      })

      const requireWallet = Effect.fn("Wallets.require")(function* (projectId: ProjectId, address: WalletAddress) {
        const wallet = yield* store.find(projectId, address)
        return Option.isSome(wallet) ? wallet.value : yield* new WalletNotRegistered({ walletAddress: address })
      })

      const show = Effect.fn("Wallets.show")(function* (projectId: ProjectId, address: WalletAddress) {
        const wallet = yield* requireWallet(projectId, address)
        return wallet.type === "SMART" ? yield* readDeployments(smartWalletView(wallet)) : walletView(wallet)
      })

      const readPagesAfter = (projectId: ProjectId, after: Wallet | null): Effect.Effect<WalletsPage> =>
        Effect.map(store.list({ projectId, after, take: READ_PER_BATCH }), (wallets) => ({
          wallets: wallets.map(walletView),
          next: wallets.length < READ_PER_BATCH ? null : readPagesAfter(projectId, wallets.at(-1)!)
        }))

      return Wallets.of({
        factories: addresses.factories,
        lookUp: Effect.fn("Wallets.lookUp")(function* (projectId, request) {
          const account = yield* addresses.derive(request)
          const wallet = yield* store.find(projectId, account.address)
          return yield* readDeployments(
            Option.isSome(wallet) && wallet.value.type === "SMART"
              ? smartWalletView(wallet.value)
              : { type: "SMART", account, registration: null, deployedOn: [] }
          )
        }),
        register: Effect.fn("Wallets.register")(function* (projectId, request, metadata) {
          const account = yield* addresses.derive(request)
          const wallet: SmartWallet = {
            type: "SMART",
            projectId,
            account,
            metadata,
            registeredAt: yield* DateTime.now,
            lastTransactionAt: null,
            deployedOn: []
          }
          const registeredWallet = yield* unitOfWork.run(
            Effect.gen(function* () {
              yield* store.insert(wallet)
              // Read again from the store, because another project may have recorded a deployment of the account.
              const existingWallet = Option.getOrNull(yield* store.find(projectId, account.address))
              const storedWallet = existingWallet?.type === "SMART" ? existingWallet : wallet
              yield* outbox.append(walletRegistered(storedWallet))
              return storedWallet
            })
          )
          return yield* readDeployments(smartWalletView(registeredWallet))
        }),
        list: Effect.fn("Wallets.list")(function* (projectId, { lastId, take }) {
          const last = lastId === null ? Option.none() : yield* store.find(projectId, lastId)
          if (lastId !== null && Option.isNone(last)) {
            return yield* BadRequest.of(
              "lastId",
              "unknown_cursor",
              "No wallet of this project has this address. Use nextLastId from the previous page, or omit lastId."
            )
          }
          // One more wallet than requested shows whether a next page exists.
          const walletRows = yield* store.list({ projectId, after: Option.getOrNull(last), take: take + 1 })
          const wallets = walletRows.slice(0, take)
          const next = walletRows.length > take ? wallets.at(-1) : undefined
          return { wallets: wallets.map(walletView), nextLastId: next === undefined ? null : addressOf(next) }
        }),
        readAllPages: (projectId) => readPagesAfter(projectId, null),
        show,
        require: requireWallet,
        replaceMetadata: Effect.fn("Wallets.replaceMetadata")(function* (projectId, address, metadata) {
          if (!(yield* store.replaceMetadata(projectId, address, metadata))) {
            return yield* new WalletNotRegistered({ walletAddress: address })
          }
          return yield* show(projectId, address)
        }),
        recordDeployment
      })
    })
  )
}
