export { type BitcoinBalance, BitcoinChain, NoBitcoinSource } from "./BitcoinChain.ts"
export {
  type BitcoinAddressKind,
  type BitcoinAddressRefusal,
  type BitcoinProof,
  BitcoinProofs,
  type KnownBitcoinAddress
} from "./BitcoinProofs.ts"
export { bitcoinCoin } from "./coin.ts"
