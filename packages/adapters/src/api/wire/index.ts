/** The JSON of the service: one translation that the HTTP API, the command line and webhooks share. */

export { amountText, assetText, coinText, type FindToken, shownFeeBody } from "./amounts.ts"
export { BatchResponse, batchBody } from "./batch.ts"
export { BroadcastBody, BroadcastedBody, BumpBody } from "./bitcoin.ts"
export { ChainsResponse, ProvidersResponse, providersBody, TokensQuery, TokensResponse } from "./catalog.ts"
export { eventBodies } from "./events.ts"
export { WireEventFilter } from "./eventTypes.ts"
export {
  ExecuteBody,
  ExecutedBody,
  ExecutedUserOperationBody,
  ExecuteUserOperationBody,
  TransactionResponse
} from "./execution.ts"
export {
  DepositInstructionsBody,
  FiatDepositResponse,
  FiatOrderBody,
  FiatOrderRequest,
  FiatOrderResponse,
  FiatOrdersQuery,
  FiatOrdersResponse,
  FiatQuoteResponse,
  FiatWithdrawalOrderRequest,
  FiatWithdrawalResponse,
  FinancialLimitsResponse,
  fiatDepositBody,
  fiatOrderBody,
  fiatQuoteBody,
  fiatWithdrawalBody,
  limitBodies,
  shownOrderBody
} from "./fiat.ts"
export type { Hex } from "./fields.ts"
export { HistoryQuery, HistoryResponse } from "./history.ts"
export { historyBody, historyFilterOf, requireDatesInOrder, requireMetadataPair } from "./historyTranslation.ts"
export {
  LendingMarketsQuery,
  LendingMarketsResponse,
  LendingPositionsResponse,
  LendingQuoteResponse
} from "./lending.ts"
export { LendingRequestBody } from "./lendingRequest.ts"
export { lendingMarketsBody, lendingPositionsBody, lendingQuoteBody } from "./lendingTranslation.ts"
export {
  CancelLimitOrderBody,
  CancelledLimitOrderBody,
  PlacedLimitOrderBody,
  PlaceLimitOrderBody
} from "./limitOrders.ts"
export { cancellationBody } from "./limitOrderTranslation.ts"
export { chainBody, type ExplorerOf, Explorers, LinkBase, tokenBody } from "./links.ts"
export {
  LiquidityAddResponse,
  LiquidityCreateResponse,
  LiquidityRebalanceResponse,
  LiquidityWithdrawResponse
} from "./liquidity.ts"
export {
  liquidityAddBody,
  liquidityCreateBody,
  liquidityRebalanceBody,
  liquidityWithdrawBody
} from "./liquidityTranslation.ts"
export { listedTokens } from "./listedTokens.ts"
export { movedTokens } from "./movedTokens.ts"
export { PoolQuery, PoolResponse, PoolsQuery, PoolsResponse } from "./pools.ts"
export { poolBody, poolSearchOf, poolsBody } from "./poolTranslation.ts"
export { PortfolioChartQuery, PortfolioChartResponse, PortfolioQuery, PortfolioResponse } from "./portfolio.ts"
export { portfolioBody, portfolioChartBody } from "./portfolioTranslation.ts"
export { PositionPath, PositionResponse } from "./positions.ts"
export { positionBody } from "./positionTranslation.ts"
export { AuthorizationBody, RevertReasonBody } from "./resources.ts"
export { AddressText, Decimal, Hash32Text, HexBytesText, SHOWN_AS, WalletAddressText } from "./scalars.ts"
export { QuotesBody } from "./swap.ts"
export { quoteBody, quotesBody } from "./swapTranslation.ts"
export {
  TaxExportBody,
  TaxExportQuery,
  TaxExportResponse,
  TaxScheduleBody,
  TaxSchedulesResponse
} from "./tax.ts"
export { taxExportBody, taxRunBody, taxScheduleBody } from "./taxTranslation.ts"
export { bitcoinTransferBody, TransferResponse, transferBody } from "./transfer.ts"
export { TransferPayload } from "./transferRequest.ts"
export { UserOperationResponse } from "./userOperation.ts"
export { operationId, userOperationBody } from "./userOperationTranslation.ts"
export {
  BusinessSessionResponse,
  BusinessSessionStarted,
  BusinessVerificationBody,
  businessSessionBody,
  businessStartedBody,
  FiatRegistrationRequest,
  FiatRegistrationResponse,
  FiatTermsLinkRequest,
  FiatTermsLinkResponse,
  fiatRegistrationBody,
  IndividualSessionResponse,
  IndividualSessionStarted,
  IndividualVerificationBody,
  individualSessionBody,
  individualStartedBody,
  missingDocumentsBody,
  registrationEventBody,
  sessionEventBody
} from "./verification.ts"
export {
  FactoriesResponse,
  MAX_WALLETS_PAGE,
  MetadataPatchBody,
  ProofMessageQuery,
  ProofMessageResponse,
  PublicKeyText,
  RegisterBody,
  WalletQuery,
  WalletResponse,
  WalletsQuery,
  WalletsResponse
} from "./wallets.ts"
export { accountRequestOf, registrationOf, walletBody } from "./walletTranslation.ts"
export {
  DeliveriesQuery,
  DeliveriesResponse,
  DeliveryResponse,
  RotateQuery,
  WebhookCreateBody,
  WebhookResponse,
  WebhookSecretResponse,
  WebhooksResponse
} from "./webhooks.ts"
export { deliveryBody, endpointBody } from "./webhookTranslation.ts"
