import { Option } from "effect"
import { type FeeSplit, feeSplit } from "../fees/index.ts"
import { type Address, isNativeCoin, ratioFromPercent, shareRoundingDown } from "../primitives/index.ts"
import { type Call, transfer } from "../user-operations/index.ts"
import type { Route } from "./SwapProvider.ts"
import type { SwapRequest } from "./SwapRequest.ts"
import type { SwapTokens } from "./swapRefusals.ts"

/** Who gets transactionFeePercent: the project's treasury, less the share of the service's operator. */
export interface FeeCollectors {
  readonly treasury: Address | null
  readonly operatorTreasury: Address | null
  readonly operatorSharePercent: number
}

export interface SwapFees extends FeeSplit {
  readonly treasuryFee: bigint
  readonly operatorFee: bigint
}

export interface SwapPlan {
  readonly route: Route
  readonly fees: SwapFees
  readonly minAmountOut: bigint
  readonly calls: ReadonlyArray<Call>
}

/**
 * How amountIn is divided, in base units; none when the fees leave nothing to swap.
 * A gas fee that is deducted and paid in tokenOut comes out of what the swap gives, so amountIn is spent as it is.
 */
export const swapFees = (
  amountIn: bigint,
  maxGasFee: bigint,
  request: SwapRequest,
  collectors: FeeCollectors
): Option.Option<SwapFees> =>
  Option.map(
    feeSplit(amountIn, {
      gasFee:
        request.gasFeePaymentMethod === "DEDUCT_FROM_AMOUNT" && request.payGasFeeToken === request.tokenIn
          ? maxGasFee
          : 0n,
      // Without a treasury there is nobody to collect it.
      transactionFeePercent: collectors.treasury === null ? 0 : request.transactionFeePercent,
      extraFeePercent: request.extraFee?.percentage ?? 0
    }),
    (split) => {
      const operatorFee =
        collectors.operatorTreasury === null
          ? 0n
          : shareRoundingDown(split.transactionFee, ratioFromPercent(collectors.operatorSharePercent))
      return { ...split, operatorFee, treasuryFee: split.transactionFee - operatorFee }
    }
  )

/** The transfers that pay the fees. What is zero is not transferred. */
export const feeCalls = (
  fees: SwapFees,
  tokens: SwapTokens,
  request: SwapRequest,
  collectors: FeeCollectors
): ReadonlyArray<Call> => {
  const payments: ReadonlyArray<readonly [Address | null | undefined, bigint]> = [
    [collectors.treasury, fees.treasuryFee],
    [collectors.operatorTreasury, fees.operatorFee],
    [request.extraFee?.toAddress, fees.extraFee]
  ]
  return payments.flatMap(([recipient, amount]) =>
    recipient == null || amount === 0n
      ? []
      : [transfer(tokens.tokenIn, isNativeCoin(tokens.tokenIn.address), recipient, amount)]
  )
}
