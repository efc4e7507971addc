import { Schema } from "effect"
import type { ChainId } from "../chains/index.ts"
import { Address, type BitcoinAddress, type DecimalString, type Metadata } from "../primitives/index.ts"

export const RouteProfile = Schema.Literals(["QUICKEST_QUOTE", "FASTEST_BRIDGE", "BEST_OUTPUT"])
export type RouteProfile = typeof RouteProfile.Type

/** ADD_TO_AMOUNT: gas is paid on top of the amount. DEDUCT_FROM_AMOUNT: it is taken out of it. */
export const GasFeePaymentMethod = Schema.Literals(["ADD_TO_AMOUNT", "DEDUCT_FROM_AMOUNT"])
export type GasFeePaymentMethod = typeof GasFeePaymentMethod.Type

/** A fee that the caller takes from the input token for somebody else. */
export const ExtraFee = Schema.Struct({
  percentage: Schema.Finite.check(Schema.isBetween({ minimum: 0, maximum: 99.99 })),
  toAddress: Address
})
export type ExtraFee = typeof ExtraFee.Type

/** A swap as its caller asks for it, with every default filled in. */
export interface SwapRequest {
  readonly walletAddress: Address
  readonly toAddress: Address | BitcoinAddress
  readonly chainIdIn: ChainId
  readonly chainIdOut: ChainId
  readonly tokenIn: Address
  readonly tokenOut: Address
  readonly amountIn: DecimalString
  readonly routeProfile: RouteProfile
  readonly gasFeePaymentMethod: GasFeePaymentMethod
  readonly payGasFeeToken: Address
  readonly transactionFeePercent: number
  readonly slippagePercent: number
  readonly extraFee: ExtraFee | null
  /** Asks for a limit order instead of a market swap. */
  readonly limit: {
    readonly minAmountOut: DecimalString
    readonly expirationSeconds: number | null
    readonly partialFillable: boolean
  } | null
  readonly metadata: Metadata
  readonly individualId: string | null
}
