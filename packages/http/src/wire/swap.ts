import { DecimalString, Metadata } from "@countersign/core/primitives"
import { GasFeePaymentMethod, RouteProfile } from "@countersign/core/swap"
import { Effect, Schema } from "effect"
import {
  AuthorizationBody,
  FeeBody,
  MetadataBody,
  RevertReasonBody,
  SignDataBody,
  Text,
  TypedDataBody
} from "./resources.ts"
import { AddressText, AnyAddressText, ChainIdNumber, Decimal } from "./scalars.ts"

const percentBelow100 = Schema.Finite.check(Schema.isBetween({ minimum: 0, maximum: 99.99 }))

export const ExtraFeeBody = Schema.Struct({ percentage: percentBelow100, toAddress: AddressText }).annotate({
  identifier: "ExtraFee"
})

/** The body of POST /api/v1/crypto/swap. */
export const SwapBody = Schema.Struct({
  amountIn: Decimal,
  chainIdIn: ChainIdNumber,
  chainIdOut: ChainIdNumber,
  routeProfile: RouteProfile.pipe(Schema.withDecodingDefaultKey(Effect.succeed("QUICKEST_QUOTE" as const))),
  gasFeePaymentMethod: GasFeePaymentMethod,
  payGasFeeToken: AddressText,
  tokenIn: AddressText,
  tokenOut: AddressText,
  walletAddress: AnyAddressText,
  toAddress: AnyAddressText,
  transactionFeePercent: percentBelow100.pipe(Schema.withDecodingDefaultKey(Effect.succeed(0))),
  slippage: Schema.Finite.check(Schema.isBetween({ minimum: 0.5, maximum: 99 })).pipe(
    Schema.withDecodingDefaultKey(Effect.succeed(0.5))
  ),
  extraFee: Schema.optionalKey(ExtraFeeBody),
  minAmountOut: Schema.optionalKey(Decimal),
  expiration: Schema.optionalKey(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }))),
  partialFillable: Schema.Boolean.pipe(Schema.withDecodingDefaultKey(Effect.succeed(true))),
  metadata: Metadata.pipe(Schema.withDecodingDefaultKey(Effect.succeed({}))),
  individualId: Schema.NullOr(Schema.String).pipe(Schema.withDecodingDefaultKey(Effect.succeed(null)))
}).annotate({ identifier: "SwapRequest" })
export type SwapBody = typeof SwapBody.Type

const GasEstimateBody = Schema.Struct({
  payGasFeeToken: Schema.String,
  maxGasFeeToken: Schema.String,
  gasFeeTokenAmount: Schema.String,
  gasFeeTokenAmountUSD: Text,
  maxGasFeeNative: Schema.String
}).annotate({ identifier: "GasEstimate" })

const CollectedFeeBody = Schema.Struct({
  collectedFeeToken: Schema.String,
  collectedFee: Schema.String,
  collectedFeePercent: Schema.String,
  serviceCollectedFee: Schema.String,
  serviceCollectedFeePercent: Schema.String
}).annotate({ identifier: "CollectedFee" })

const CandidateBody = Schema.Struct({
  provider: Schema.String,
  name: Schema.String,
  latencyMs: Schema.Finite,
  amountOut: Text,
  refusal: Text
}).annotate({ identifier: "Candidate", description: "A provider that was asked: its result, or its refusal" })

export const SwapQuoteBody = Schema.Struct({
  metadata: MetadataBody,
  revertReason: Schema.optionalKey(RevertReasonBody),
  tokenIn: Schema.String,
  tokenOut: Schema.String,
  amountIn: DecimalString,
  minAmountOut: DecimalString,
  amountOut: DecimalString,
  chainIn: Schema.Finite,
  chainOut: Schema.Finite,
  estimatedExecutionTime: Schema.String,
  estimatedGasFees: GasEstimateBody,
  estimatedCollectedFee: CollectedFeeBody,
  amountInUSD: Text,
  amountOutUSD: Text,
  tokenInPrice: Text,
  swapProvider: Schema.String,
  expiresAt: Schema.Int.annotate({ description: "Unix seconds" }),
  fees: Schema.Array(FeeBody),
  typedData: Schema.optionalKey(TypedDataBody),
  userOperationHash: Schema.String,
  quoteId: Schema.String,
  authorization: Schema.optionalKey(AuthorizationBody),
  rwaApproveUserOperation: Schema.optionalKey(
    Schema.Struct({ userOperationHash: Schema.String, authorization: AuthorizationBody })
  ),
  walletAddress: Schema.String,
  toAddress: Schema.String,
  signData: Schema.Array(SignDataBody),
  preview: Schema.Struct({
    calls: Schema.Array(
      Schema.Struct({ to: Schema.String, value: Schema.String, data: Schema.String, summary: Schema.String })
    ),
    assetChanges: Schema.Array(Schema.Struct({ token: Schema.String, amount: Schema.String }))
  }),
  candidates: Schema.Array(CandidateBody)
}).annotate({ identifier: "SwapQuote" })

export const QuotesBody = Schema.Struct({ quotes: Schema.Array(SwapQuoteBody) }).annotate({ identifier: "SwapQuotes" })
