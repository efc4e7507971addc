import { DateTime, Effect, Option, Schema } from "effect"
import type { Movement } from "../../accounting/history/index.ts"
import { BadRequest } from "../../foundation/errors/index.ts"
import {
  type CollectedFees,
  collectFees,
  deductFees,
  type FeeCollectors,
  type FeeDeduction
} from "../../foundation/fees/index.ts"
import type { Address } from "../../foundation/primitives/index.ts"
import type { QuotedPrices } from "../../foundation/tokens/index.ts"
import {
  expectedMovements,
  feeMovementsOf,
  preparedFields,
  quoteKind,
  type Use
} from "../../operations/quotes/index.ts"
import { approveCall, type Call, transferCall } from "../../operations/user-operations/index.ts"
import type { BoundWithdrawal } from "../provider/FiatProvider.ts"
import { FIAT_SUBMISSION } from "./depositQuote.ts"
import type { FiatQuote } from "./FiatOrder.ts"
import { bankMovement } from "./fiatMovements.ts"

export const withdrawalKind = quoteKind("FIAT_WITHDRAWAL", Schema.Struct({ ...preparedFields, orderId: Schema.String }))

export interface WithdrawalPlan extends FeeDeduction {
  readonly calls: ReadonlyArray<Call>
}

/**
 * Returns the amount that the provider receives: the amount minus the transaction fee, which the treasury and the
 * operator share. `None` if nothing remains.
 */
export const netOfWithdrawal = (amount: bigint, transactionFeePercent: number, treasury: Address | null) =>
  Option.map(
    collectFees(amount, 0n, { transactionFeePercent }, { treasury, operatorTreasury: null, operatorSharePercent: 0 }),
    ({ net }) => net
  )

/**
 * Returns the use that reserves the provider's allowance for one withdrawal of the wallet, until the provider has
 * collected the token. Empty if the owner sends the token.
 */
export const allowanceUses = ({ token }: FiatQuote, { recipient, erc20Call }: BoundWithdrawal): ReadonlyArray<Use> =>
  erc20Call === "APPROVE"
    ? [{ resource: `the allowance of ${token.address} for ${recipient}`, isExclusive: true, until: FIAT_SUBMISSION }]
    : []

/**
 * Seconds between the deadline for the owner's signature and the end of the provider's offer. In this time the
 * operation is included and the provider is notified.
 */
const SUBMISSION_SECONDS = 60

/** Returns the deadline for the owner's signature. Null if the provider's offer does not expire. */
export const signatureDeadlineOrNull = ({ expiresAt }: Pick<BoundWithdrawal, "expiresAt">): DateTime.Utc | null =>
  expiresAt === null ? null : DateTime.subtract(expiresAt, { seconds: SUBMISSION_SECONDS })

/**
 * Returns the expiry of a withdrawal's operation. It is not later than the deadline for the signature. Otherwise the
 * owner could pay gas and fees for an offer that has ended.
 */
export const withdrawalExpiry = (
  operationExpiry: DateTime.Utc,
  boundWithdrawal: Pick<BoundWithdrawal, "expiresAt">
): DateTime.Utc => DateTime.min(operationExpiry, signatureDeadlineOrNull(boundWithdrawal) ?? operationExpiry)

/** Plans a withdrawal: pays the fees, and sends the remaining amount to the provider or approves it. */
export const planWithdrawal =
  (
    { token, tokenAmount, transactionFeePercent }: FiatQuote,
    { recipient, tokenAmount: boundAmount, erc20Call }: BoundWithdrawal,
    /** Some tokens, such as USDT on Ethereum, allow changing an allowance only from or to zero. */
    hasAllowance: boolean,
    collectors: FeeCollectors
  ) =>
  (): Effect.Effect<WithdrawalPlan, BadRequest> => {
    const feeDeduction = deductFees(token, tokenAmount, 0n, { transactionFeePercent }, collectors)
    if (Option.isNone(feeDeduction)) {
      return Effect.fail(
        BadRequest.of(
          "quoteId",
          "fees_exceed_amount",
          "The fees equal or exceed the amount. Request a larger amount or lower fees."
        )
      )
    }
    const { payments } = feeDeduction.value
    const calls = [
      ...payments.map((payment) => transferCall(token, payment.recipient, payment.amount)),
      ...(erc20Call === "APPROVE" && hasAllowance ? [approveCall(token, recipient, 0n)] : []),
      erc20Call === "APPROVE" ? approveCall(token, recipient, boundAmount) : transferCall(token, recipient, boundAmount)
    ]
    return Effect.succeed({ ...feeDeduction.value, calls })
  }

export const expectedWithdrawalMovements = (
  quote: FiatQuote,
  { recipient, tokenAmount }: BoundWithdrawal,
  fiatAmount: bigint,
  { payments }: { readonly payments: FeeDeduction["payments"]; readonly split: CollectedFees },
  { usd }: QuotedPrices
): ReadonlyArray<Movement> => {
  const account = quote.walletAddress
  return [
    ...expectedMovements(
      [
        {
          direction: "OUT",
          role: "PRINCIPAL",
          account,
          token: quote.token,
          amount: tokenAmount,
          counterparty: recipient
        },
        ...feeMovementsOf(account, quote.token, payments.toReversed())
      ],
      usd
    ),
    bankMovement(quote, fiatAmount)
  ]
}
