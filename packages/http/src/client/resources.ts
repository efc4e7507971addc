import type {
  BatchQuote,
  components,
  FiatRegistrationEvent,
  LendingQuote,
  LiquidityAddition,
  LiquidityCreation,
  LiquidityRebalance,
  LiquidityWithdrawal,
  SwapQuote,
  TaxExportEvent,
  TransactionEvent,
  TransferQuote,
  WalletEvent,
  WebhookTestEvent
} from "./openapi.ts"

export type * from "./openapi.ts"

type Schemas = components["schemas"]

export type LiquidityQuote = LiquidityCreation | LiquidityAddition | LiquidityWithdrawal | LiquidityRebalance
/** A quote of any type, which can be signed and executed. `type` distinguishes the types. */
export type Quote = SwapQuote | TransferQuote | BatchQuote | LiquidityQuote | LendingQuote

/** An event that a webhook receives. `type` distinguishes the events. */
export type WebhookEvent = TransactionEvent | WalletEvent | TaxExportEvent | FiatRegistrationEvent | WebhookTestEvent

type ErrorSchemas = { [Name in keyof Schemas as Name extends `Error_${string}` ? Name : never]: Schemas[Name] }
type ErrorBodies = ErrorSchemas[keyof ErrorSchemas]

/** The ids of the errors of the service. */
export type ErrorId = ErrorBodies["id"]
/** The fields that an error body can have. */
export type ErrorBody = Pick<ErrorBodies, "statusCode" | "id" | "message" | "traceId" | "doc_url"> &
  Partial<Pick<Schemas["Error_BAD_REQUEST"], "errors">> &
  Partial<Pick<Schemas["Error_AUTHORIZATION_STALE"], "authorization">> &
  Partial<Pick<Schemas["Error_QUOTE_STALE"], "revertReason">>
