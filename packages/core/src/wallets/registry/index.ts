export { Account, AccountFactoryInfo, AccountKind, type AccountRequest, EntryPointVersion, Salt } from "./Account.ts"
export { AccountAddresses } from "./AccountAddresses.ts"
export { type BitcoinAttachment, type BitcoinRegistration, BitcoinWallets } from "./BitcoinWallets.ts"
export { FactoryNotSupported, WalletAlreadyRegistered, WalletNotRegistered } from "./errors.ts"
export { addressOf, Ownership, SmartWallet, signerOf, Wallet } from "./Wallet.ts"
export { WalletStore } from "./WalletStore.ts"
export {
  type BitcoinWalletView,
  type SmartWalletView,
  Wallets,
  type WalletsPage,
  type WalletView,
  walletView
} from "./Wallets.ts"
export { walletEvents } from "./walletEvent.ts"
