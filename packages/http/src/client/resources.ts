import type {
  BatchQuote,
  components,
  LendingQuote,
  LiquidityAddition,
  LiquidityCreation,
  LiquidityRebalance,
  LiquidityWithdrawal,
  SwapQuote,
  TransferQuote
} from "./openapi.ts"

export type * from "./openapi.ts"

type Schemas = components["schemas"]

export type LiquidityQuote = LiquidityCreation | LiquidityAddition | LiquidityWithdrawal | LiquidityRebalance
/** A quote of any type that can be signed and executed. `type` distinguishes the types. */
export type Quote = SwapQuote | TransferQuote | BatchQuote | LiquidityQuote | LendingQuote

type EventSchemas = {
  [Name in keyof Schemas as Schemas[Name] extends { type: string; timestamp: string; data: object }
    ? Name
    : never]: Schemas[Name]
}

/** The body of a webhook. `type` distinguishes the event types. */
export type WebhookEvent = EventSchemas[keyof EventSchemas]

type ErrorSchemas = { [Name in keyof Schemas as Name extends `Error_${string}` ? Name : never]: Schemas[Name] }
type ErrorBodies = ErrorSchemas[keyof ErrorSchemas]

/** Ids of the service's errors. */
export type ErrorId = ErrorBodies["id"]
/** All fields that an error body can contain. */
export type ErrorBody = Pick<ErrorBodies, "statusCode" | "id" | "message" | "traceId" | "doc_url"> &
  Partial<Pick<Schemas["Error_BAD_REQUEST"], "errors" | "errorsOmitted">> &
  Partial<Pick<Schemas["Error_AUTHORIZATION_STALE"], "authorization">> &
  Partial<Pick<Schemas["Error_QUOTE_STALE"], "revertReason">>
