import { type DateTime, Schema } from "effect"
import { EvmChainId } from "../chains/index.ts"
import type { NewEvent } from "../events/index.ts"
import { Wallet } from "./Wallet.ts"

/** A wallet right after something happened to it, and the chain where it did; null where it was on none. */
export const WalletSnapshot = Schema.Struct({ wallet: Wallet, chainId: Schema.NullOr(EvmChainId) })
export type WalletSnapshot = typeof WalletSnapshot.Type

const codec = Schema.fromJsonString(Schema.toCodecJson(WalletSnapshot))
const encode = Schema.encodeSync(codec)

/** The wallet of an event's snapshot. Text that no event carries throws. */
export const walletOfSnapshot = Schema.decodeSync(codec)

const walletEvent = (
  type: "wallet.registered" | "wallet.deployed",
  at: DateTime.Utc,
  snapshot: WalletSnapshot
): NewEvent => ({
  projectId: snapshot.wallet.projectId,
  type,
  resource: { kind: "wallet", id: snapshot.wallet.account.address },
  at,
  previousStatus: null,
  snapshot: encode(snapshot)
})

export const walletRegistered = (wallet: Wallet): NewEvent =>
  walletEvent("wallet.registered", wallet.registeredAt, { wallet, chainId: null })

export const walletDeployed = (wallet: Wallet, chainId: EvmChainId, at: DateTime.Utc): NewEvent =>
  walletEvent("wallet.deployed", at, { wallet, chainId })
