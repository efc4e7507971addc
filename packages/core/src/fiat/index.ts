export * from "./errors.ts"
export {
  type FiatLevelLimits,
  FiatLevelSettings,
  type FiatLimitRule,
  type FiatLimitRules,
  FiatLimitSettings,
  FiatLimits,
  fiatLimitDefaults,
  type LimitState
} from "./limits/FiatLimits.ts"
export {
  excessOrNull,
  type LimitAmounts,
  type LimitExcess,
  type Limits,
  noUsage,
  remainingAmountOf,
  type UsedAmounts
} from "./limits/limits.ts"
export { type LimitPeriod, limitPeriods, periodStart } from "./limits/periods.ts"
export { type BrCode, brCodeText, pixKeyOfBrCode } from "./methods/brCode.ts"
export { BankDestination, FiatMethod, methodCurrency } from "./methods/PaymentMethod.ts"
export { pixKeyOf } from "./methods/pixKey.ts"
export { isSameName } from "./methods/sameName.ts"
export { speiReferenceOf } from "./methods/speiReference.ts"
export { DepositInstructions } from "./orders/DepositInstructions.ts"
export { FIAT_DEPOSIT, FIAT_PAYOUT } from "./orders/depositQuote.ts"
export { FiatCallbacks } from "./orders/FiatCallbacks.ts"
export { FiatOrder, FiatQuote } from "./orders/FiatOrder.ts"
export {
  type FiatOrderFilter,
  FiatOrderStore,
  type LimitSubject,
  type PendingOrderCount,
  type StoredFiatOrder,
  type UnknownFiatOrder
} from "./orders/FiatOrderStore.ts"
export { type ExecutedOrder, FiatOrders, type OrderView } from "./orders/FiatOrders.ts"
export {
  exchangedAmountsOf,
  fiatDetails,
  MoneyAmount,
  quotedAmountsOf
} from "./orders/fiatDetails.ts"
export { fiatEvent, fiatEvents } from "./orders/fiatEvents.ts"
export { fiatStages } from "./orders/fiatStages.ts"
export { transitionOrder } from "./orders/orderMove.ts"
export { canTransition, countedStates, FiatDirection, FiatOrderState, isOver } from "./orders/orderStates.ts"
export { CustomerLinks } from "./provider/CustomerLinks.ts"
export * from "./provider/FiatProvider.ts"
export { CustomerId, type ProviderCustomer, ProviderCustomers } from "./provider/ProviderCustomers.ts"
export {
  type TokenTransfer,
  TokenTransfers,
  type TransferSearch,
  type TransfersInTransaction
} from "./provider/TokenTransfers.ts"
export { FiatDepositRequest, FiatWithdrawalRequest } from "./quotes/FiatQuoteRequest.ts"
export { type FiatQuoteRefusal, type FiatQuoteResult, FiatQuotes } from "./quotes/FiatQuotes.ts"
export { ProviderRegistration, type RegistrationOutcome } from "./registrations/ProviderRegistration.ts"
export {
  type PendingRegistrationCount,
  ProviderRegistrationStore,
  type StoredRegistration
} from "./registrations/ProviderRegistrationStore.ts"
export { ProviderRegistrations } from "./registrations/ProviderRegistrations.ts"
export { registrationEvents } from "./registrations/registrationEvent.ts"
export { RegistrationStatus } from "./registrations/registrationStates.ts"
export { Submission } from "./registrations/Submission.ts"
export { fiatTreatment } from "./taxTreatment.ts"
