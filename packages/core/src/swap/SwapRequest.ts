import { Effect, Schema } from "effect"
import { ChainIdNumber } from "../chains/index.ts"
import { feeFields, GasFeePaymentMethod } from "../fees/index.ts"
import { AddressText, DecimalString, Metadata, WalletAddressText } from "../primitives/index.ts"

export const RouteProfile = Schema.Literals(["QUICKEST_QUOTE", "FASTEST_BRIDGE", "BEST_OUTPUT"])
export type RouteProfile = typeof RouteProfile.Type

/** The percentage by which a swap may give less than was quoted. */
export const SwapSlippage = Schema.Finite.check(Schema.isBetween({ minimum: 0.5, maximum: 99 })).pipe(
  Schema.withDecodingDefaultKey(Effect.succeed(0.5))
)

const Decimal = DecimalString.annotate({ identifier: "DecimalString" })

/** A swap as its caller asks for it. Everything that a single field can get wrong is refused here. */
export const SwapRequest = Schema.Struct({
  amountIn: Decimal,
  chainIdIn: ChainIdNumber,
  chainIdOut: ChainIdNumber,
  routeProfile: RouteProfile.pipe(Schema.withDecodingDefaultKey(Effect.succeed("QUICKEST_QUOTE" as const))),
  gasFeePaymentMethod: GasFeePaymentMethod,
  payGasFeeToken: AddressText,
  tokenIn: AddressText,
  tokenOut: AddressText,
  walletAddress: WalletAddressText,
  toAddress: WalletAddressText,
  ...feeFields,
  slippage: SwapSlippage,
  /** Asks for a limit order instead of a market swap. */
  minAmountOut: Schema.optionalKey(Decimal),
  /** Seconds from the quote until a limit order expires. */
  expiration: Schema.optionalKey(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }))),
  partialFillable: Schema.Boolean.pipe(Schema.withDecodingDefaultKey(Effect.succeed(true))),
  metadata: Metadata.pipe(Schema.withDecodingDefaultKey(Effect.succeed({}))),
  individualId: Schema.NullOr(Schema.String).pipe(Schema.withDecodingDefaultKey(Effect.succeed(null)))
})
  .annotate({ identifier: "SwapRequest" })
  .pipe(Schema.brand("SwapRequest"))
export type SwapRequest = typeof SwapRequest.Type
