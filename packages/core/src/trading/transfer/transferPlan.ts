import { Effect, Option } from "effect"
import type { Movement } from "../../accounting/history/index.ts"
import { BadRequest } from "../../foundation/errors/index.ts"
import { deductFees, type FeeDeduction } from "../../foundation/fees/index.ts"
import { decimalFromBaseUnits } from "../../foundation/primitives/index.ts"
import type { QuotedPrices } from "../../foundation/tokens/index.ts"
import {
  arrivingAmounts,
  expectedMovements,
  feeMovementsOf,
  type PlanParameters,
  type PreparedOperation,
  preparedContent,
  type ResolvedRequest,
  shortPaymentWarnings
} from "../../operations/quotes/index.ts"
import { type Call, transferCall } from "../../operations/user-operations/index.ts"
import type { TransferContent } from "./TransferContent.ts"
import type { TransferRequest } from "./TransferRequest.ts"

export interface TransferOrder extends ResolvedRequest<TransferRequest, "token" | "payGasFeeToken"> {
  /** Base units. */
  readonly amount: bigint
}

export interface TransferPlan extends FeeDeduction {
  readonly calls: ReadonlyArray<Call>
}

const feesExceedAmountError = ({ request, tokens: { payGasFeeToken, token } }: TransferOrder, maxGasFee: bigint) => {
  const gas = decimalFromBaseUnits(maxGasFee, payGasFeeToken.decimals)
  return BadRequest.of(
    "amount",
    "fees_exceed_amount",
    `The fees equal or exceed the amount of ${request.amount} ${token.symbol}. The gas fee can be up to ${gas} ${payGasFeeToken.symbol}.`
  )
}

/** Plans a transfer: the split of the amount, and the calls, first for the fees and then for the receiver. */
export const planTransfer = (order: TransferOrder) =>
  Effect.fnUntraced(function* ({ maxGasFee }: PlanParameters): Effect.fn.Return<TransferPlan, BadRequest> {
    const {
      amount,
      collectors,
      request,
      tokens: { token }
    } = order
    const gasFee = request.gasFeePaymentMethod === "DEDUCT_FROM_AMOUNT" ? maxGasFee : 0n
    const feeDeduction = deductFees(token, amount, gasFee, request, collectors)
    if (Option.isNone(feeDeduction)) return yield* feesExceedAmountError(order, maxGasFee)
    const { payments, split } = feeDeduction.value
    const calls = [...payments, { recipient: request.toAddress, amount: split.net }].map((payment) =>
      transferCall(token, payment.recipient, payment.amount)
    )
    return { ...feeDeduction.value, calls }
  })

/** Builds the content of a transfer quote. */
export const transferContent = (
  { amount, collectors, request, tokens, wallet }: TransferOrder,
  preparedOperation: PreparedOperation<TransferPlan>,
  prices: QuotedPrices
): TransferContent => {
  const { fees, payments, split } = preparedOperation.plan
  const { token } = tokens
  const sentMovement = { token, to: request.toAddress, amount: split.net, from: wallet.account.address }
  const feeMovements = payments.map((payment) => ({ ...sentMovement, to: payment.recipient, amount: payment.amount }))
  const receivedAmount = arrivingAmounts([sentMovement, ...feeMovements], preparedOperation.simulation.transfers)[0]!
  const pricesWithWarnings = {
    ...prices,
    warnings: [...prices.warnings, ...shortPaymentWarnings(sentMovement, receivedAmount)]
  }
  return {
    ...preparedContent(preparedOperation, pricesWithWarnings, fees, request.chainId),
    request,
    tokens,
    amount,
    split,
    ...(receivedAmount === split.net ? {} : { arriving: receivedAmount }),
    collectors
  }
}

/**
 * Returns the movements that the transfer is expected to cause, with the quoted amounts. The payment to the receiver
 * comes first.
 */
export const expectedTransferMovements = (
  { request, tokens: { token }, wallet }: TransferOrder,
  { payments, split }: TransferPlan,
  { usd }: QuotedPrices
): ReadonlyArray<Movement> => {
  const account = wallet.account.address
  return expectedMovements(
    [
      { direction: "OUT", role: "PRINCIPAL", account, token, amount: split.net, counterparty: request.toAddress },
      ...feeMovementsOf(account, token, payments.toReversed())
    ],
    usd
  )
}
