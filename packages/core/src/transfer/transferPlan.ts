import { Effect, Option } from "effect"
import { BadRequest } from "../errors/index.ts"
import { type CollectedFees, collectFees, type FeeCollectors, feePayments } from "../fees/index.ts"
import type { Movement } from "../history/index.ts"
import { type Address, decimalFromBaseUnits, isNativeCoin } from "../primitives/index.ts"
import type { Project } from "../projects/index.ts"
import type { PlanFor } from "../quotes/index.ts"
import { type ByToken, tokenKey, type UsdPriceE18, usdValueOrNull } from "../tokens/index.ts"
import { type Call, transfer } from "../user-operations/index.ts"
import type { SmartWallet } from "../wallets/index.ts"
import type { TransferTokens } from "./TransferContent.ts"
import type { TransferRequest } from "./TransferRequest.ts"

/** A request with its wallet and tokens looked up. */
export interface TransferOrder {
  readonly project: Project
  readonly wallet: SmartWallet
  readonly request: TransferRequest
  readonly tokens: TransferTokens
  /** Base units. */
  readonly amount: bigint
  readonly collectors: FeeCollectors
}

export interface TransferPlan {
  readonly split: CollectedFees
  readonly calls: ReadonlyArray<Call>
}

interface Payment {
  readonly recipient: Address
  readonly amount: bigint
  readonly role: Movement["role"]
}

/** All payments: first the fees, then the receiver. */
const paymentsOf = (order: TransferOrder, split: CollectedFees): ReadonlyArray<Payment> => [
  ...feePayments(split, order.request, order.collectors).map((payment) => ({ ...payment, role: "FEE" as const })),
  { recipient: order.request.toAddress, amount: split.net, role: "PRINCIPAL" }
]

/** The division of the amount, and the calls that pay everybody. */
export const planTransfer =
  (order: TransferOrder) =>
  ({ maxGasFee }: Pick<PlanFor, "maxGasFee">): Effect.Effect<TransferPlan, BadRequest> => {
    const { amount, collectors, request, tokens } = order
    const { token } = tokens
    const split = collectFees(
      amount,
      request.gasFeePaymentMethod === "DEDUCT_FROM_AMOUNT" ? maxGasFee : 0n,
      request,
      collectors
    )
    if (Option.isNone(split)) {
      const gas = decimalFromBaseUnits(maxGasFee, tokens.payGasFeeToken.decimals)
      return Effect.fail(
        BadRequest.of(
          "amount",
          "fees_exceed_amount",
          `The fees leave nothing of ${request.amount} ${token.symbol} to send; gas alone can take ${gas} ${tokens.payGasFeeToken.symbol}.`
        )
      )
    }
    const calls = paymentsOf(order, split.value).map((payment) =>
      transfer(token, isNativeCoin(token.address), payment.recipient, payment.amount)
    )
    return Effect.succeed({ split: split.value, calls })
  }

/** The expected movements, as quoted; the receiver first. */
export const expectedOfTransfer = (
  order: TransferOrder,
  split: CollectedFees,
  prices: ByToken<UsdPriceE18>
): ReadonlyArray<Movement> =>
  paymentsOf(order, split)
    .toReversed()
    .map(
      ({ amount, recipient, role }): Movement => ({
        direction: "OUT",
        role,
        account: order.wallet.account.address,
        asset: { chainId: order.request.chainId, token: order.tokens.token.address },
        amount,
        usd: usdValueOrNull(amount, order.tokens.token, prices.get(tokenKey(order.tokens.token))),
        counterparty: recipient,
        leg: 0
      })
    )
