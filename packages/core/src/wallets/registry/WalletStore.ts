import { Context, type DateTime, type Effect, type Option } from "effect"
import type { EvmChainId } from "../../foundation/chains/index.ts"
import type { Address, BitcoinAddress, Metadata, WalletAddress } from "../../foundation/primitives/index.ts"
import type { ProjectId } from "../../tenancy/projects/index.ts"
import type { WalletAlreadyRegistered } from "./errors.ts"
import type { BitcoinWallet, SmartWallet, Wallet } from "./Wallet.ts"

export interface WalletPage {
  readonly projectId: ProjectId
  /** The last wallet of the previous page. Null for the first page. */
  readonly after: Wallet | null
  readonly take: number
}

/** Stores registered wallets. */
export class WalletStore extends Context.Service<
  WalletStore,
  {
    readonly insert: (wallet: Wallet) => Effect.Effect<void, WalletAlreadyRegistered>
    readonly find: (projectId: ProjectId, address: WalletAddress) => Effect.Effect<Option.Option<Wallet>>
    /** Returns wallets, oldest registration first: sorted by `registeredAt`, then by address. */
    readonly list: (page: WalletPage) => Effect.Effect<ReadonlyArray<Wallet>>
    readonly replaceMetadata: (
      projectId: ProjectId,
      address: WalletAddress,
      metadata: Metadata
    ) => Effect.Effect<boolean>
    /**
     * Locks a registered wallet against changes by other units of work, until this unit of work ends. Does nothing if
     * the wallet is not registered.
     */
    readonly lock: (projectId: ProjectId, address: WalletAddress) => Effect.Effect<void>
    /** Changes only these fields of a registered Bitcoin address. Returns false if the address is not registered. */
    readonly updateBitcoin: (
      projectId: ProjectId,
      address: BitcoinAddress,
      changes: Partial<Pick<BitcoinWallet, "key" | "metadata" | "ownership">>
    ) => Effect.Effect<boolean>
    /** Returns the account's registrations in all projects, oldest first. */
    readonly listRegistrations: (address: Address) => Effect.Effect<ReadonlyArray<SmartWallet>>
    /**
     * Records the deployment in every project that registered the account. Returns false if it was already recorded.
     */
    readonly recordDeployment: (address: Address, chainId: EvmChainId) => Effect.Effect<boolean>
    /** Sets `lastTransactionAt`, unless the stored time is later. */
    readonly recordTransaction: (projectId: ProjectId, address: WalletAddress, at: DateTime.Utc) => Effect.Effect<void>
  }
>()("@countersign/core/wallets/WalletStore") {}
