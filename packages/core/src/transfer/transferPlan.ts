import { Effect, Option } from "effect"
import { BadRequest } from "../errors/index.ts"
import { type CollectedFees, collectFees, feePayments, listedFees } from "../fees/index.ts"
import type { Movement } from "../history/index.ts"
import { decimalFromBaseUnits } from "../primitives/index.ts"
import {
  contentOfPrepared,
  expectedMovements,
  type Order,
  type PlanFor,
  type PreparedOperation,
  paidFees
} from "../quotes/index.ts"
import type { QuotedPrices } from "../tokens/index.ts"
import { type Call, transfer } from "../user-operations/index.ts"
import type { TransferContent } from "./TransferContent.ts"
import type { TransferRequest } from "./TransferRequest.ts"

export interface TransferOrder extends Order<TransferRequest, "token" | "payGasFeeToken"> {
  /** Base units. */
  readonly amount: bigint
}

export interface TransferPlan {
  readonly split: CollectedFees
  readonly calls: ReadonlyArray<Call>
}

/** The division of the amount, and the calls that pay everybody: first the fees, then the receiver. */
export const planTransfer =
  ({ amount, collectors, request, tokens: { payGasFeeToken, token } }: TransferOrder) =>
  ({ maxGasFee }: Pick<PlanFor, "maxGasFee">): Effect.Effect<TransferPlan, BadRequest> => {
    const gasFee = request.gasFeePaymentMethod === "DEDUCT_FROM_AMOUNT" ? maxGasFee : 0n
    return Option.match(collectFees(amount, gasFee, request, collectors), {
      onNone: () => {
        const gas = decimalFromBaseUnits(maxGasFee, payGasFeeToken.decimals)
        return Effect.fail(
          BadRequest.of(
            "amount",
            "fees_exceed_amount",
            `The fees leave nothing of ${request.amount} ${token.symbol} to send; gas alone can take ${gas} ${payGasFeeToken.symbol}.`
          )
        )
      },
      onSome: (split) => {
        const payments = [
          ...feePayments(split, request, collectors),
          { recipient: request.toAddress, amount: split.net }
        ]
        return Effect.succeed({
          split,
          calls: payments.map((payment) => transfer(token, payment.recipient, payment.amount))
        })
      }
    })
  }

/** The computed content of a transfer that is ready to be signed. */
export const contentOfTransfer = (
  { amount, collectors, request, tokens }: TransferOrder,
  prepared: PreparedOperation<TransferPlan>,
  prices: QuotedPrices
): TransferContent => {
  const { split } = prepared.plan
  const fees = listedFees(tokens.token, split, request, collectors)
  return { ...contentOfPrepared(prepared, prices, fees, request.chainId), request, tokens, amount, split, collectors }
}

/** The expected movements, as quoted; the receiver first. */
export const expectedOfTransfer = (
  { collectors, request, tokens: { token }, wallet }: TransferOrder,
  { split }: TransferPlan,
  { usd }: QuotedPrices
): ReadonlyArray<Movement> => {
  const account = wallet.account.address
  return expectedMovements(
    [
      { direction: "OUT", role: "PRINCIPAL", account, token, amount: split.net, counterparty: request.toAddress },
      ...paidFees(account, token, feePayments(split, request, collectors).toReversed())
    ],
    usd
  )
}
