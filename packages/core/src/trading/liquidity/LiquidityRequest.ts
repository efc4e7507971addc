import { Schema } from "effect"
import { EvmChainIdNumber } from "../../foundation/chains/index.ts"
import { feeFields, GasFeePaymentMethod } from "../../foundation/fees/index.ts"
import {
  AddressText,
  DecimalString,
  metadataField,
  NATIVE_TOKEN,
  withDefault,
  withDescription
} from "../../foundation/primitives/index.ts"
import { NftTokenIdText } from "./NftNumberText.ts"

export const LiquidityProvider = Schema.Literal("LIQUIDITY_PROVIDER_V3")
export type LiquidityProvider = typeof LiquidityProvider.Type

const price = (description: string) => Schema.Finite.check(Schema.isGreaterThanOrEqualTo(0)).annotate({ description })

/** Prices of one token0 in token1, in token units (not base units). */
const priceFields = {
  minPrice: price(
    "Lower price of the range: the price of one token0 in token1, in token units. 0 selects the lowest possible price"
  ),
  maxPrice: price(
    "Upper price of the range. A value above the highest possible price selects the highest possible price"
  )
}

/** The fields that all liquidity operations share. */
const operationFields = {
  liquidityProvider: withDefault(
    LiquidityProvider,
    "LIQUIDITY_PROVIDER_V3",
    "Exchange of the position: `LIQUIDITY_PROVIDER_V3` is Uniswap V3"
  ),
  walletAddress: AddressText.pipe(
    withDescription("Registered wallet that executes the operation. An existing position must belong to it")
  ),
  chainId: EvmChainIdNumber,
  slippage: withDefault(
    Schema.Finite.check(Schema.isBetween({ minimum: 0, maximum: 99 })),
    0.5,
    "Slippage: maximum percentage by which prices may move before the execution. If they move further, the operation reverts. 0.5 means 0.5 %, 0 allows no change"
  ),
  ...feeFields,
  acceptPriceImpact: withDefault(
    Schema.Boolean,
    false,
    "Whether to prepare the operation even if its price impact, or the deviation of the pool price from the market price, is above the operator's limit"
  ),
  metadata: metadataField
}

const tokenId = NftTokenIdText.annotate({ description: "Token id of the position's NFT" })

const tokenInFields = {
  payGasFeeToken: AddressText.pipe(withDescription("Token that pays the gas fee")),
  gasFeePaymentMethod: GasFeePaymentMethod,
  tokenIn: AddressText.pipe(
    withDescription("Token to deposit; 0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee for the native token")
  ),
  amountIn: DecimalString.pipe(withDescription("Amount of `tokenIn` to deposit, in token units"))
}

/** Request for a new position, paid with one token. */
export const CreateLiquidityRequest = Schema.Struct({
  ...operationFields,
  toAddress: AddressText.pipe(withDescription("Address that receives the position's NFT")),
  ...tokenInFields,
  token0: AddressText.pipe(
    withDescription("One token of the pool. The prices of the range are prices of this token, in `token1`")
  ),
  token1: AddressText.pipe(withDescription("The other token of the pool. `token0` and `token1` may be in any order")),
  poolFeePercent: Schema.Finite.check(Schema.isBetween({ minimum: 0.01, maximum: 100 })).annotate({
    description: "Fee tier of the pool in percent: 0.3 is 0.3 %"
  }),
  ...priceFields
})
  .annotate({ identifier: "CreateLiquidityRequest", description: "Request to create a position" })
  .pipe(Schema.brand("CreateLiquidityRequest"))
export type CreateLiquidityRequest = typeof CreateLiquidityRequest.Type

/** Request to add liquidity to an existing position. */
export const AddLiquidityRequest = Schema.Struct({
  ...operationFields,
  ...tokenInFields,
  tokenId,
  ...priceFields
})
  .annotate({ identifier: "AddLiquidityRequest", description: "Request to add liquidity to a position" })
  .pipe(Schema.brand("AddLiquidityRequest"))
export type AddLiquidityRequest = typeof AddLiquidityRequest.Type

/** Request to withdraw a share of a position as one token. */
export const WithdrawLiquidityRequest = Schema.Struct({
  ...operationFields,
  toAddress: AddressText.pipe(withDescription("Address that receives `tokenOut`")),
  tokenId,
  tokenOut: AddressText.pipe(
    withDescription("Token to receive; 0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee for the native token")
  ),
  percentage: Schema.Finite.check(Schema.isBetween({ minimum: 0.01, maximum: 100 })).annotate({
    description: "Percentage of the liquidity to withdraw: 100 withdraws all liquidity. All fees are always collected"
  }),
  payGasFeeToken: AddressText.pipe(withDescription("Token that pays the gas fee from the wallet's balance"))
})
  .annotate({ identifier: "WithdrawLiquidityRequest", description: "Request to withdraw liquidity from a position" })
  .pipe(Schema.brand("WithdrawLiquidityRequest"))
export type WithdrawLiquidityRequest = typeof WithdrawLiquidityRequest.Type

/** Request to move a position to another price range. */
export const RebalanceLiquidityRequest = Schema.Struct({
  ...operationFields,
  toAddress: AddressText.pipe(withDescription("Address that receives the new position's NFT")),
  tokenId,
  newPosition: Schema.Struct(priceFields).annotate({ description: "Price range of the new position" }),
  payGasFeeToken: withDefault(
    AddressText,
    NATIVE_TOKEN,
    "Token that pays the gas fee from the wallet's balance; the native token by default"
  )
})
  .annotate({
    identifier: "RebalanceLiquidityRequest",
    description: "Request to move a position to another price range"
  })
  .pipe(Schema.brand("RebalanceLiquidityRequest"))
export type RebalanceLiquidityRequest = typeof RebalanceLiquidityRequest.Type
