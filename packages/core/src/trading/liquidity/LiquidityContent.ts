import { Schema } from "effect"
import { CollectedFees, FeeCollectors } from "../../foundation/fees/index.ts"
import { Address, DecimalString } from "../../foundation/primitives/index.ts"
import { Token } from "../../foundation/tokens/index.ts"
import { type DecodedQuote, preparedFields, quoteKind } from "../../operations/quotes/index.ts"
import {
  AddLiquidityRequest,
  CreateLiquidityRequest,
  RebalanceLiquidityRequest,
  WithdrawLiquidityRequest
} from "./LiquidityRequest.ts"

const operationFields = { ...preparedFields, collectors: FeeCollectors }

/** Base units of both tokens, in the token order of the response. */
const Amounts = Schema.Struct({ amount0: Schema.BigInt, amount1: Schema.BigInt })

/** The price range, and the liquidity in it. */
const placementFields = {
  /** The contract of the position NFTs. */
  manager: Address,
  pool: Address,
  feePips: Schema.Int,
  /** Whether the token order of the response is the reverse of the pool's order. */
  isReversed: Schema.Boolean,
  tickLower: Schema.Int,
  tickUpper: Schema.Int,
  amounts: Amounts,
  leftovers: Amounts,
  liquidity: Schema.BigInt,
  /** A fraction (not percent), scaled by 10^18. */
  priceImpactE18: Schema.BigInt
}

/** The tokens of a position, in the token order of the response, and the gas token. */
const positionTokens = { token0: Token, token1: Token, payGasFeeToken: Token }

const depositFields = {
  ...operationFields,
  ...placementFields,
  tokens: Schema.Struct({ ...positionTokens, tokenIn: Token }),
  /** The requested amount including fees, in base units of `tokenIn`. */
  amountIn: Schema.BigInt,
  split: CollectedFees,
  /** The parts of `split.net` that become token0 and token1, in base units of `tokenIn`. */
  forToken0: Schema.BigInt,
  forToken1: Schema.BigInt,
  /** Whether the operation creates or initializes the pool. */
  poolCreated: Schema.Boolean,
  /** Estimated yield in percent per year, based on the pool's fees of the last seven days. Null if unknown. */
  estimatedApr: Schema.NullOr(DecimalString)
}

/** The content of a quote that creates a position. */
export const CreateLiquidityContent = Schema.Struct({
  ...depositFields,
  request: Schema.toType(CreateLiquidityRequest)
})
export type CreateLiquidityContent = typeof CreateLiquidityContent.Type

export const AddLiquidityContent = Schema.Struct({ ...depositFields, request: Schema.toType(AddLiquidityRequest) })
export type AddLiquidityContent = typeof AddLiquidityContent.Type

export const WithdrawLiquidityContent = Schema.Struct({
  ...operationFields,
  request: Schema.toType(WithdrawLiquidityRequest),
  manager: Address,
  tokens: Schema.Struct({ ...positionTokens, tokenOut: Token }),
  liquidity: Schema.BigInt,
  removed: Amounts,
  collected: Amounts,
  isEmptied: Schema.Boolean,
  amountOut: Schema.BigInt,
  minAmountOut: Schema.BigInt,
  priceImpactE18: Schema.BigInt
})
export type WithdrawLiquidityContent = typeof WithdrawLiquidityContent.Type

export const RebalanceLiquidityContent = Schema.Struct({
  ...operationFields,
  ...placementFields,
  request: Schema.toType(RebalanceLiquidityRequest),
  tokens: Schema.Struct(positionTokens),
  removed: Amounts,
  collected: Amounts
})
export type RebalanceLiquidityContent = typeof RebalanceLiquidityContent.Type

export const createLiquidityKind = quoteKind("LIQUIDITY_CREATE", CreateLiquidityContent)
export const addLiquidityKind = quoteKind("LIQUIDITY_ADD", AddLiquidityContent)
export const withdrawLiquidityKind = quoteKind("LIQUIDITY_WITHDRAW", WithdrawLiquidityContent)
export const rebalanceLiquidityKind = quoteKind("LIQUIDITY_REBALANCE", RebalanceLiquidityContent)

export type LiquidityQuote<Content> = DecodedQuote<Content>
