export { CancelContent, type CancelQuote, cancelKind } from "./CancelContent.ts"
export { CancellationNotAllowed, LimitOrderNotFound } from "./errors.ts"
export { LIMIT_ORDER, limitOrderStage } from "./LimitOrderStage.ts"
export { type Cancellation, LimitOrders, type SignedLimitOrder } from "./LimitOrders.ts"
export {
  type BookStatus,
  CancellationRefused,
  type MarketRequest,
  type OpenOrders,
  OrderBook,
  type OrderFill,
  OrderRefused,
  type OrderState
} from "./OrderBook.ts"
export { orderAmounts } from "./orderAmounts.ts"
export { cancellationTreatment, limitOrderTreatment } from "./taxTreatment.ts"
