import { Effect, Option } from "effect"
import { BadRequest } from "../../errors/index.ts"
import { type CollectedFees, collectFees, feePayments } from "../../fees/index.ts"
import { decimalFromBaseUnits, isNativeCoin } from "../../primitives/index.ts"
import type { PlanFor } from "../../quotes/index.ts"
import { type Call, transfer } from "../../user-operations/index.ts"
import type { Deposit, MarketError } from "../LiquidityMarket.ts"
import type { LiquidityOrder } from "../LiquidityOrder.ts"
import type { AddLiquidityRequest, CreateLiquidityRequest } from "../LiquidityRequest.ts"

export type DepositRequest = CreateLiquidityRequest | AddLiquidityRequest

export interface DepositOrder extends LiquidityOrder<DepositRequest, "tokenIn" | "payGasFeeToken"> {
  /** Base units of tokenIn. */
  readonly amountIn: bigint
}

export interface DepositPlan {
  readonly split: CollectedFees
  readonly deposit: Deposit
  readonly calls: ReadonlyArray<Call>
}

/** The division of the amount by its fees, what the rest gives, and the calls that pay the fees and put it in. */
export const planDeposit = (
  { amountIn, collectors, request, tokens, wallet }: DepositOrder,
  deposit: (amountIn: bigint) => Effect.Effect<Deposit, MarketError>
) =>
  Effect.fnUntraced(function* ({
    deadline,
    maxGasFee
  }: PlanFor): Effect.fn.Return<DepositPlan, BadRequest | MarketError> {
    const { tokenIn } = tokens
    const gasFee = request.gasFeePaymentMethod === "DEDUCT_FROM_AMOUNT" ? maxGasFee : 0n
    const split = collectFees(amountIn, gasFee, request, collectors)
    if (Option.isNone(split)) {
      return yield* BadRequest.of(
        "amountIn",
        "fees_exceed_amount",
        `The fees leave nothing of ${request.amountIn} ${tokenIn.symbol}; gas alone can take ${decimalFromBaseUnits(maxGasFee, tokenIn.decimals)}.`
      )
    }
    const offered = yield* deposit(split.value.net)
    const account = wallet.account.address
    const payments = feePayments(split.value, request, collectors).map(({ amount, recipient }) =>
      transfer(tokenIn, isNativeCoin(tokenIn.address), recipient, amount)
    )
    const calls = offered.calls({
      sender: account,
      recipient: "toAddress" in request ? request.toAddress : account,
      slippagePercent: request.slippage,
      deadline
    })
    return { split: split.value, deposit: offered, calls: [...payments, ...calls] }
  })
