export * from "./errors.ts"
export { excessOrNull, type LimitExcess, type Limits, noneUsed, remaining, type Used } from "./limits/limits.ts"
export { type LimitPeriod, limitPeriods, periodStart } from "./limits/periods.ts"
export { type BrCode, brCodeText, pixKeyOfBrCode } from "./methods/brCode.ts"
export { BankDestination, currencyOfMethod, FiatMethod } from "./methods/PaymentMethod.ts"
export { pixKeyOf } from "./methods/pixKey.ts"
export { DepositInstructions } from "./orders/DepositInstructions.ts"
export { FiatOrder, FiatQuote } from "./orders/FiatOrder.ts"
export {
  type FiatOrderFilter,
  FiatOrderStore,
  type LimitSubject,
  type StoredFiatOrder
} from "./orders/FiatOrderStore.ts"
export { fiatEvent, fiatEvents } from "./orders/fiatEvents.ts"
export { movedOrder } from "./orders/orderMove.ts"
export { canMove, countedStates, FiatDirection, FiatOrderState, isOver } from "./orders/orderStates.ts"
export * from "./provider/FiatProvider.ts"
export { type TokenTransfer, TokenTransfers, type TransferSearch } from "./provider/TokenTransfers.ts"
