export {
  BitcoinTransactionIntent,
  GasFee,
  Intent,
  isUserOperation,
  LimitOrderIntent,
  mainOperation,
  UserOperationIntent
} from "./Intent.ts"
