export {
  type BitcoinBalance,
  type BitcoinBlock,
  type BitcoinBlockContent,
  BitcoinChain,
  type BitcoinTransaction,
  BroadcastRefused,
  DEFAULT_RELAY_RATES,
  NoBitcoinSource,
  type RelayRates,
  type Utxo
} from "./BitcoinChain.ts"
export {
  type BitcoinAddressKind,
  type BitcoinAddressRefusal,
  type BitcoinProof,
  BitcoinProofs,
  type ParsedBitcoinAddress,
  type ProvenKey
} from "./BitcoinProofs.ts"
export {
  BitcoinTransactions,
  type ExpectedTransaction,
  type PreviousOutput,
  type SignedTransaction,
  type TransactionRefusal,
  type UnsignedTransaction
} from "./BitcoinTransactions.ts"
export { bitcoinToken } from "./coin.ts"
export {
  type CoinSelection,
  dustLimit,
  type FeeRate,
  feeRoundingUp,
  type Output,
  type PaymentTerms,
  type SpendableKind,
  scriptBytes,
  selectCoins,
  spendAllCoins,
  transactionWeight,
  virtualBytes
} from "./coin-selection/index.ts"
export { mainChain } from "./mainChain.ts"
export { KeyDerivation, SigningKey } from "./SigningKey.ts"
export { sumOf } from "./sumOf.ts"
export { TransactionInBlock } from "./TransactionInBlock.ts"
