import { DecimalString } from "@countersign/core/primitives"
import { Schema } from "effect"
import { GasEstimateBody, PreviewBody } from "./prepared.ts"
import {
  AuthorizationBody,
  FeeBody,
  MetadataBody,
  RevertReasonBody,
  SignDataBody,
  Text,
  TypedDataBody
} from "./resources.ts"

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
  preview: PreviewBody,
  candidates: Schema.Array(CandidateBody)
}).annotate({ identifier: "SwapQuote" })

export const QuotesBody = Schema.Struct({ quotes: Schema.Array(SwapQuoteBody) }).annotate({ identifier: "SwapQuotes" })
