import { DateTime } from "effect"
import type { SwapContent } from "./SwapContent.ts"

/** Creates the content of a swap quote without route, fees and gas. */
export const aSwapContent = (
  fields: Pick<SwapContent, "request" | "tokens" | "provider" | "amountIn" | "amountOut" | "minAmountOut">
): SwapContent => ({
  certainty: "EXPECTED",
  warnings: [],
  route: [],
  priceImpactE18: null,
  split: { gasFee: 0n, transactionFee: 0n, extraFee: 0n, net: fields.amountIn, treasuryFee: 0n, operatorFee: 0n },
  collectors: { treasury: null, operatorTreasury: null, operatorSharePercent: 0 },
  fees: [],
  gas: null,
  prices: {},
  calls: [],
  assetChanges: [],
  allowances: [],
  estimatedExecutionTime: DateTime.makeUnsafe(0),
  candidates: [],
  ...fields
})
