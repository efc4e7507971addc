import { Effect, Schema } from "effect"
import { SigningKey } from "../../bitcoin/chain/index.ts"
import { EvmChainId } from "../../foundation/chains/index.ts"
import { BitcoinAddress, Metadata } from "../../foundation/primitives/index.ts"
import { ProjectId } from "../../tenancy/projects/index.ts"
import { Account } from "./Account.ts"

const registration = {
  projectId: ProjectId,
  metadata: Metadata,
  registeredAt: Schema.DateTimeUtc,
  lastTransactionAt: Schema.NullOr(Schema.DateTimeUtc)
}

/** A smart account registered with a project. It has one address on every EVM chain. */
export const SmartWallet = Schema.Struct({
  type: Schema.Literal("SMART"),
  account: Account,
  ...registration,
  /** Chains on which the account is known to have code. Once there it stays, so what is listed is true for good. */
  deployedOn: Schema.Array(EvmChainId)
})
export type SmartWallet = typeof SmartWallet.Type

/** How a Bitcoin address came to its project: its owner signed for it, or an operator attached it to be watched. */
export const Ownership = Schema.Literals(["PROVEN", "ATTACHED"])
export type Ownership = typeof Ownership.Type

/** A Bitcoin address registered with a project. */
export const BitcoinWallet = Schema.Struct({
  type: Schema.Literal("BITCOIN"),
  address: BitcoinAddress,
  ownership: Ownership,
  /** Null while it is unknown. Events of earlier versions have none. */
  key: Schema.NullOr(SigningKey).pipe(Schema.withDecodingDefaultKey(Effect.succeed(null))),
  ...registration
})
export type BitcoinWallet = typeof BitcoinWallet.Type

export const Wallet = Schema.Union([SmartWallet, BitcoinWallet])
export type Wallet = typeof Wallet.Type

export const addressOf = (wallet: Wallet) => (wallet.type === "SMART" ? wallet.account.address : wallet.address)

/** Whose key signs for a wallet: the owner of a smart account, a Bitcoin wallet itself. */
export const signerOf = (wallet: Wallet) => (wallet.type === "SMART" ? wallet.account.owner : wallet.address)
