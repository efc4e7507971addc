export {
  BitcoinTransactionIntent,
  GasFee,
  Intent,
  isUserOperation,
  LimitOrderIntent,
  UserOperationIntent
} from "./Intent.ts"
