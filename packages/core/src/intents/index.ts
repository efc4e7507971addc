export {
  BitcoinTransactionIntent,
  GasFee,
  Intent,
  isUserOperation,
  LimitOrderIntent,
  mainOperation,
  operationByHash,
  UserOperationIntent
} from "./Intent.ts"
