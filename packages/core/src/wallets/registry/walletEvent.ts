import { type DateTime, Schema } from "effect"
import { EvmChainId } from "../../foundation/chains/index.ts"
import { eventKind, type NewEvent } from "../../tenancy/events/index.ts"
import { addressOf, Wallet } from "./Wallet.ts"

/** The wallet after an event, and the chain of the event. `chainId` is null if the event has no chain. */
export const WalletSnapshot = Schema.Struct({ wallet: Wallet, chainId: Schema.NullOr(EvmChainId) })
export type WalletSnapshot = typeof WalletSnapshot.Type

export const walletEvents = eventKind("wallet", ["wallet.registered", "wallet.deployed"], WalletSnapshot)

const walletEvent = (type: (typeof walletEvents.types)[number], at: DateTime.Utc, snapshot: WalletSnapshot): NewEvent =>
  walletEvents.eventOf({
    projectId: snapshot.wallet.projectId,
    type,
    id: addressOf(snapshot.wallet),
    at,
    previousStatus: null,
    resource: snapshot
  })

export const walletRegistered = (wallet: Wallet): NewEvent =>
  walletEvent("wallet.registered", wallet.registeredAt, { wallet, chainId: null })

export const walletDeployed = (wallet: Wallet, chainId: EvmChainId, at: DateTime.Utc): NewEvent =>
  walletEvent("wallet.deployed", at, { wallet, chainId })
