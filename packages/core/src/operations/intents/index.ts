export {
  BitcoinTerms,
  BitcoinTransactionIntent,
  BookedOrder,
  GasFee,
  hashOf,
  Intent,
  isUserOperation,
  LimitOrderIntent,
  mainOperation,
  operationByHash,
  UserOperationIntent
} from "./Intent.ts"
