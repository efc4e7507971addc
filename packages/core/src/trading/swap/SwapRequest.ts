import { Schema } from "effect"
import { ChainIdNumber } from "../../foundation/chains/index.ts"
import { ExtraFee, feeFields, GasFeePaymentMethod } from "../../foundation/fees/index.ts"
import {
  AddressText,
  DecimalString,
  metadataField,
  WalletAddressText,
  withDefault,
  withDescription
} from "../../foundation/primitives/index.ts"

export const RouteProfile = Schema.Literals(["QUICKEST_QUOTE", "FASTEST_BRIDGE", "BEST_OUTPUT"])
export type RouteProfile = typeof RouteProfile.Type

/** The maximum percentage by which the output may be lower than quoted. */
export const SwapSlippage = withDefault(
  Schema.Finite.check(Schema.isBetween({ minimum: 0.5, maximum: 99 })),
  0.5,
  "Slippage: maximum percentage by which the output may be below `amountOut`. With a lower output, the swap reverts. 0.5 means 0.5 %"
)

/** The extra fee. If `tokenIn` is on Bitcoin, the receiver may be a Bitcoin address. */
const SwapExtraFee = Schema.Struct({
  ...ExtraFee.fields,
  toAddress: WalletAddressText.pipe(withDescription("Address on the chain of `tokenIn` that receives the fee"))
}).annotate({ identifier: "SwapExtraFee", description: "An additional fee and its receiver" })

/** A swap request. The schema validates the format of each field. */
export const SwapRequest = Schema.Struct({
  amountIn: DecimalString.pipe(withDescription("Amount of `tokenIn` to swap, in token units")),
  chainIdIn: ChainIdNumber.annotate({ description: "Id of the chain of `tokenIn`" }),
  chainIdOut: ChainIdNumber.annotate({ description: "Id of the chain of `tokenOut`" }),
  routeProfile: withDefault(
    RouteProfile,
    "QUICKEST_QUOTE",
    "Which quotes to wait for, and how to sort them. `QUICKEST_QUOTE`: returns the first executable quote; if none arrives in a short time, all available quotes. `BEST_OUTPUT`: " +
      "waits for all providers, and sorts by guaranteed output, highest first. `FASTEST_BRIDGE`: only for cross-chain swaps; " +
      "waits for all providers, and sorts by duration, shortest first"
  ),
  gasFeePaymentMethod: GasFeePaymentMethod,
  payGasFeeToken: AddressText.pipe(
    withDescription(
      "Token on `chainIdIn` that pays the gas fee; 0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee for the native token"
    )
  ),
  tokenIn: AddressText.pipe(withDescription("Input token")),
  tokenOut: AddressText.pipe(withDescription("Output token")),
  walletAddress: WalletAddressText.pipe(withDescription("Registered wallet that pays `tokenIn`")),
  toAddress: WalletAddressText.pipe(withDescription("Address that receives `tokenOut`; usually the wallet itself")),
  ...feeFields,
  extraFee: Schema.optionalKey(SwapExtraFee),
  slippage: SwapSlippage,
  minAmountOut: Schema.optionalKey(
    DecimalString.pipe(
      withDescription(
        "Minimum amount of `tokenOut` to receive, in token units. With this field, the request quotes a limit order instead of a market swap"
      )
    )
  ),
  expiration: Schema.optionalKey(
    Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })).annotate({
      description:
        "Seconds from the quote until a limit order expires; a week by default. A value outside the order book's bounds is replaced by the nearest bound, and `warnings` contains a notice"
    })
  ),
  partialFillable: withDefault(Schema.Boolean, true, "Whether a limit order may be filled partially"),
  metadata: metadataField,
  individualId: withDefault(
    Schema.NullOr(Schema.String),
    null,
    "Id of a verified individual. Required if a token represents a real-world asset"
  )
})
  .annotate({ identifier: "SwapRequest", description: "Request for swap quotes" })
  .pipe(Schema.brand("SwapRequest"))
export type SwapRequest = typeof SwapRequest.Type
