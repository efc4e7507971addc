import { Context, type DateTime, type Effect, type Option } from "effect"
import type { EvmChainId } from "../../foundation/chains/index.ts"
import type { Address, BitcoinAddress, Metadata, WalletAddress } from "../../foundation/primitives/index.ts"
import type { ProjectId } from "../../tenancy/projects/index.ts"
import type { WalletAlreadyRegistered } from "./errors.ts"
import type { BitcoinWallet, SmartWallet, Wallet } from "./Wallet.ts"

export interface WalletPage {
  readonly projectId: ProjectId
  /** Wallets after this one in the order of the list; null for the first page. */
  readonly after: Wallet | null
  readonly take: number
}

/** Where registered wallets are kept. */
export class WalletStore extends Context.Service<
  WalletStore,
  {
    readonly insert: (wallet: Wallet) => Effect.Effect<void, WalletAlreadyRegistered>
    readonly find: (projectId: ProjectId, address: WalletAddress) => Effect.Effect<Option.Option<Wallet>>
    /** Oldest registration first: by `registeredAt`, then by address. */
    readonly list: (page: WalletPage) => Effect.Effect<ReadonlyArray<Wallet>>
    readonly replaceMetadata: (
      projectId: ProjectId,
      address: WalletAddress,
      metadata: Metadata
    ) => Effect.Effect<boolean>
    /** Keeps other units of work from changing the wallet until this one ends, if it is registered. */
    readonly lock: (projectId: ProjectId, address: WalletAddress) => Effect.Effect<void>
    /** Changes only these fields of a registered Bitcoin address, and returns whether there is one. */
    readonly updateBitcoin: (
      projectId: ProjectId,
      address: BitcoinAddress,
      changes: Partial<Pick<BitcoinWallet, "key" | "metadata" | "ownership">>
    ) => Effect.Effect<boolean>
    /** The account in every project that registered it, oldest registration first. */
    readonly registrations: (address: Address) => Effect.Effect<ReadonlyArray<SmartWallet>>
    /** For the account in every project: code does not depend on who registered it. True the first time alone. */
    readonly recordDeployment: (address: Address, chainId: EvmChainId) => Effect.Effect<boolean>
    /** Moves `lastTransactionAt` forward, never back. */
    readonly recordTransaction: (projectId: ProjectId, address: WalletAddress, at: DateTime.Utc) => Effect.Effect<void>
  }
>()("@countersign/core/wallets/WalletStore") {}
