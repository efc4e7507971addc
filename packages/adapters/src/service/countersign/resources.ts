import type * as Batch from "@countersign/core/trading/batch"
import type * as Positions from "@countersign/core/trading/liquidity"
import type * as Swap from "@countersign/core/trading/swap"
import type { endpoints } from "../../api/endpoints/index.ts"
import type {
  ExecuteBody,
  ExecuteUserOperationBody,
  LendingRequestBody,
  RegisterBody,
  TaxExportBody,
  TaxScheduleBody,
  TransferPayload,
  WebhookCreateBody
} from "../../api/wire/index.ts"

/** What calls take and answer, by the names that the client of the HTTP API has for them. */

export type { Hex } from "../../api/wire/index.ts"

type AnswerOf<E extends { readonly success?: { readonly Encoded: unknown } | undefined }> = NonNullable<
  E["success"]
>["Encoded"]
type All = typeof endpoints

export type RegisterWalletRequest = typeof RegisterBody.Encoded
export type SwapRequest = typeof Swap.SwapRequest.Encoded
export type TransferRequest = typeof TransferPayload.Encoded
export type BatchRequest = typeof Batch.BatchRequest.Encoded
export type LendingRequest = typeof LendingRequestBody.Encoded
export type CreateLiquidityRequest = typeof Positions.CreateLiquidityRequest.Encoded
export type AddLiquidityRequest = typeof Positions.AddLiquidityRequest.Encoded
export type WithdrawLiquidityRequest = typeof Positions.WithdrawLiquidityRequest.Encoded
export type RebalanceLiquidityRequest = typeof Positions.RebalanceLiquidityRequest.Encoded
export type ExecuteRequest = typeof ExecuteBody.Encoded
export type ExecuteUserOperationRequest = typeof ExecuteUserOperationBody.Encoded
export type CreateTaxExportScheduleRequest = typeof TaxScheduleBody.Encoded
export type TaxExportRequest = typeof TaxExportBody.Encoded
export type CreateWebhookRequest = typeof WebhookCreateBody.Encoded

export type Wallet = AnswerOf<All["walletShow"]>["wallet"]
export type Factory = AnswerOf<All["walletFactories"]>["factories"][number]
export type SwapQuote = AnswerOf<All["swapQuote"]>["quotes"][number]
export type TransferQuote = AnswerOf<All["transferQuote"]>["transfer"]
export type BatchQuote = AnswerOf<All["batchQuote"]>
export type LendingQuote = AnswerOf<All["lendingQuote"]>
export type LiquidityCreation = AnswerOf<All["liquidityCreate"]>["operation"]
export type LiquidityAddition = AnswerOf<All["liquidityAdd"]>["operation"]
export type LiquidityWithdrawal = AnswerOf<All["liquidityWithdraw"]>["operation"]
export type LiquidityRebalance = AnswerOf<All["liquidityRebalance"]>["operation"]
export type LiquidityQuote = LiquidityCreation | LiquidityAddition | LiquidityWithdrawal | LiquidityRebalance
/** A quote of any kind, which can be signed and executed. `type` tells them apart. */
export type Quote = SwapQuote | TransferQuote | BatchQuote | LiquidityQuote | LendingQuote
export type SignData = SwapQuote["signData"][number]
export type Execution = AnswerOf<All["execute"]>
export type UserOperationExecution = AnswerOf<All["executeUserOperation"]>
export type UserOperation = AnswerOf<All["userOperationShow"]>["userOperation"]
export type Transaction = AnswerOf<All["transactionShow"]>["transaction"]
export type LendingMarket = AnswerOf<All["lendingMarkets"]>["markets"][number]
export type LendingPosition = AnswerOf<All["lendingPositions"]>["positions"][number]
export type LiquidityPool = AnswerOf<All["poolShow"]>["pool"]
export type LiquidityPosition = AnswerOf<All["positionShow"]>["position"]
export type Token = AnswerOf<All["tokenSearch"]>["tokens"][number]
export type Chain = AnswerOf<All["chainList"]>["chains"][number]
export type TaxExportSchedule = AnswerOf<All["taxScheduleList"]>["schedules"][number]
export type TaxExport = AnswerOf<All["taxExport"]>
export type Webhook = AnswerOf<All["webhookShow"]>["webhook"]
export type WebhookDelivery = AnswerOf<All["webhookTest"]>["delivery"]
