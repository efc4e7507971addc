import { Schema } from "effect"
import { Address } from "../../foundation/primitives/index.ts"

export class FactoryNotSupported extends Schema.TaggedError<FactoryNotSupported>("core/wallets/FactoryNotSupported")(
  "FACTORY_NOT_SUPPORTED",
  { factory: Address, reason: Schema.String }
) {
  override get message(): string {
    return this.reason
  }
}

/**
 * Also returned for a wallet of another project, so that a project can't find out which wallets others have registered.
 */
export class WalletNotRegistered extends Schema.TaggedError<WalletNotRegistered>("core/wallets/WalletNotRegistered")(
  "ACCOUNT_ABSTRACTION_ADDRESS_NOT_REGISTERED_WITH_PROJECT",
  { walletAddress: Schema.String }
) {
  override get message(): string {
    return `Wallet ${this.walletAddress} is not registered with this project.`
  }
}

export class WalletAlreadyRegistered extends Schema.TaggedError<WalletAlreadyRegistered>(
  "core/wallets/WalletAlreadyRegistered"
)("WALLET_ALREADY_REGISTERED", { walletAddress: Schema.String }) {
  override get message(): string {
    return `Wallet ${this.walletAddress} is already registered with this project. Nothing was changed.`
  }
}
