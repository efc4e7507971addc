import { Effect, Schema } from "effect"
import { SigningKey } from "../../bitcoin/chain/index.ts"
import { EvmChainId } from "../../foundation/chains/index.ts"
import { BitcoinAddress, Metadata } from "../../foundation/primitives/index.ts"
import { ProjectId } from "../../tenancy/projects/index.ts"
import { Account } from "./Account.ts"

const registrationFields = {
  projectId: ProjectId,
  metadata: Metadata,
  registeredAt: Schema.DateTimeUtc,
  lastTransactionAt: Schema.NullOr(Schema.DateTimeUtc)
}

/** A smart account that is registered with a project. It has the same address on every EVM chain. */
export const SmartWallet = Schema.Struct({
  type: Schema.Literal("SMART"),
  account: Account,
  ...registrationFields,
  /**
   * The chains on which the account was found to be deployed. The store removes no chain, even if an EIP-7702
   * delegation is revoked.
   */
  deployedOn: Schema.Array(EvmChainId)
})
export type SmartWallet = typeof SmartWallet.Type

/**
 * How a Bitcoin address was registered. PROVEN: with the owner's signature. ATTACHED: by an operator, without a proof.
 */
export const Ownership = Schema.Literals(["PROVEN", "ATTACHED"])
export type Ownership = typeof Ownership.Type

/** A Bitcoin address that is registered with a project. */
export const BitcoinWallet = Schema.Struct({
  type: Schema.Literal("BITCOIN"),
  address: BitcoinAddress,
  ownership: Ownership,
  /** Null if the key is unknown, and in events of earlier versions. */
  key: Schema.NullOr(SigningKey).pipe(Schema.withDecodingDefaultKey(Effect.succeed(null))),
  ...registrationFields
})
export type BitcoinWallet = typeof BitcoinWallet.Type

export const Wallet = Schema.Union([SmartWallet, BitcoinWallet])
export type Wallet = typeof Wallet.Type

export const addressOf = (wallet: Wallet) => (wallet.type === "SMART" ? wallet.account.address : wallet.address)

/** Returns the address that signs for a wallet: the owner of a smart account, or the Bitcoin address itself. */
export const signerOf = (wallet: Wallet) => (wallet.type === "SMART" ? wallet.account.owner : wallet.address)
