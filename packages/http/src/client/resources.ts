import type { components, operations } from "./openapi.ts"

type Schemas = components["schemas"]

export type SwapRequest = Schemas["SwapRequest"]
export type TransferRequest = Schemas["TransferRequest"]
export type BatchRequest = Schemas["BatchRequest"]
export type LendingRequest = Schemas["LendingRequest"]
export type CreateLiquidityRequest = Schemas["CreateLiquidityRequest"]
export type AddLiquidityRequest = Schemas["AddLiquidityRequest"]
export type WithdrawLiquidityRequest = Schemas["WithdrawLiquidityRequest"]
export type RebalanceLiquidityRequest = Schemas["RebalanceLiquidityRequest"]
export type ExecuteRequest = Schemas["ExecuteRequest"]
export type ExecuteUserOperationRequest = Schemas["ExecuteUserOperationRequest"]
export type PlaceLimitOrderRequest = Schemas["PlaceLimitOrderRequest"]
export type CancelLimitOrderRequest = Schemas["CancelLimitOrderRequest"]
export type RegisterWalletRequest = Schemas["RegisterWalletRequest"]
export type CreateTaxExportScheduleRequest = Schemas["CreateTaxExportScheduleRequest"]
export type TaxExportRequest = Schemas["TaxExportRequest"]
export type CreateWebhookRequest = Schemas["CreateWebhookRequest"]

export type BusinessVerificationRequest = Schemas["BusinessVerificationRequest"]
export type IndividualVerificationRequest = Schemas["IndividualVerificationRequest"]
export type BusinessSession = Schemas["BusinessSession"]
export type IndividualSession = Schemas["IndividualSession"]
export type UploadDescriptor = Schemas["UploadDescriptor"]
export type BusinessSessionStarted = Schemas["BusinessSessionStarted"]
export type IndividualSessionStarted = Schemas["IndividualSessionStarted"]
export type FiatTermsLinkRequest = Schemas["FiatTermsLinkRequest"]
export type FiatTermsLink = Schemas["FiatTermsLink"]
export type FiatRegistrationRequest = Schemas["FiatRegistrationRequest"]
export type FiatRegistration = Schemas["FiatRegistration"]
export type FiatDepositQuoteRequest = Schemas["FiatDepositQuoteRequest"]
export type FiatWithdrawalQuoteRequest = Schemas["FiatWithdrawalQuoteRequest"]
export type FiatDepositRequest = Schemas["FiatDepositRequest"]
export type FiatWithdrawalRequest = Schemas["FiatWithdrawalRequest"]

export type FiatQuote = Schemas["FiatQuote"]
export type FiatDepositOrder = Schemas["FiatDepositOrder"]
export type FiatWithdrawalOrder = Schemas["FiatWithdrawalOrder"]
export type FiatOrderAnswer = Schemas["FiatOrderAnswer"]
export type FiatOrders = Schemas["FiatOrders"]
export type FinancialLimits = Schemas["FinancialLimits"]

export type SwapQuote = Schemas["Quote"]
export type BitcoinBroadcastRequest = Schemas["BitcoinBroadcastRequest"]
export type BitcoinBroadcast = Schemas["BitcoinBroadcast"]
export type BitcoinBumpRequest = Schemas["BitcoinBumpRequest"]
export type TransferQuote = Schemas["Transfer"]
export type BatchQuote = Schemas["Batch"]
export type LendingQuote = Schemas["LendingQuote"]
export type LendingMarket = Schemas["LendingMarket"]
export type LendingMarkets = Schemas["LendingMarkets"]
export type LendingPosition = Schemas["LendingPosition"]
export type LendingPositions = Schemas["LendingPositions"]
export type LiquidityCreation = Schemas["LiquidityCreation"]
export type LiquidityAddition = Schemas["LiquidityAddition"]
export type LiquidityWithdrawal = Schemas["LiquidityWithdrawal"]
export type LiquidityRebalance = Schemas["LiquidityRebalance"]
export type LiquidityPool = Schemas["LiquidityPool"]
export type LiquidityPosition = Schemas["LiquidityPosition"]
export type LiquidityQuote = LiquidityCreation | LiquidityAddition | LiquidityWithdrawal | LiquidityRebalance
/** A quote of any kind, which can be signed and executed. `type` tells them apart. */
export type Quote = SwapQuote | TransferQuote | BatchQuote | LiquidityQuote | LendingQuote
export type SignData = Schemas["SignData"]
export type PlacedLimitOrder = Schemas["PlacedLimitOrder"]
export type LimitOrderCancellation = Schemas["LimitOrderCancellation"]
export type Execution = Schemas["Execution"]
export type UserOperationExecution = Schemas["UserOperationExecution"]
export type Transaction = Schemas["HistoryTransaction"]
export type UserOperation = Schemas["UserOperation"]
export type Wallet = Schemas["Wallet"]
export type Portfolio = Schemas["Portfolio"]
export type PortfolioChart = Schemas["PortfolioChart"]
export type Factory = Schemas["Factory"]
export type Token = Schemas["Token"]
export type Chain = Schemas["Chain"]
export type TaxExportSchedule = Schemas["TaxExportSchedule"]
export type TaxExport = Schemas["TaxExport"]
export type Webhook = Schemas["Webhook"]
export type WebhookDelivery = Schemas["WebhookDelivery"]
/** The events that a webhook receives. `type` tells them apart. */
export type WebhookEvent =
  | Schemas["TransactionEvent"]
  | Schemas["WalletEvent"]
  | Schemas["TaxExportEvent"]
  | Schemas["FiatRegistrationEvent"]
  | Schemas["WebhookTestEvent"]

type QueryOf<Id extends keyof operations> = NonNullable<operations[Id]["parameters"]["query"]>

export type HistoryFilter = Omit<QueryOf<"wallets.history">, "lastId" | "chainInId" | "chainOutId">
export type LendingMarketFilter = QueryOf<"lending.markets">
export type PortfolioQuery = QueryOf<"wallets.portfolio">
export type PortfolioChartQuery = QueryOf<"wallets.portfolioChart">
export type PoolSearch = Omit<QueryOf<"pools.search">, "lastId">
export type TaxExportOptions = QueryOf<"tax.export">
export type TokenSearch = QueryOf<"catalog.tokens">
export type WalletQuery = QueryOf<"wallets.address">

type ErrorSchemas = { [Name in keyof Schemas as Name extends `Error_${string}` ? Name : never]: Schemas[Name] }
type ErrorBodies = ErrorSchemas[keyof ErrorSchemas]

/** The ids of errors that the service answers with. */
export type ErrorId = ErrorBodies["id"]
export type RequestProblem = Schemas["RequestProblem"]
/** The fields that an error body can have. */
export type ErrorBody = Pick<ErrorBodies, "statusCode" | "id" | "message" | "traceId" | "doc_url"> &
  Partial<Pick<Schemas["Error_BAD_REQUEST"], "errors">> &
  Partial<Pick<Schemas["Error_AUTHORIZATION_STALE"], "authorization">> &
  Partial<Pick<Schemas["Error_QUOTE_STALE"], "revertReason">>
