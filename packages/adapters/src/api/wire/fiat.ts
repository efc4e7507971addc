import {
  BankDestination,
  type DepositInstructions,
  type ExecutedOrder,
  exchangedAmountsOf,
  type FiatOrder,
  type FiatQuote,
  type FiatQuoteResult,
  type LimitState,
  limitPeriods,
  type OrderView,
  quotedAmountsOf,
  remainingAmountOf,
  speiReferenceOf
} from "@countersign/core/fiat"
import { AddressText, decimalFromBaseUnits, withDescription } from "@countersign/core/foundation/primitives"
import { currencyDigits, isToken, type Token } from "@countersign/core/foundation/tokens"
import { IndividualId } from "@countersign/core/identity"
import { DateTime, Schema } from "effect"
import { feeBody } from "./amounts.ts"
import { hex, hexOrNull, instant, number, text, textOrNull } from "./fields.ts"
import { signingOf, tokenFinder } from "./preparedBody.ts"
import { qrCodePng } from "./qrCode.ts"
import { AuthorizationBody, FeeBody, SignDataBody } from "./resources.ts"
import { userOperationsField } from "./signedOperation.ts"

const MoneyBody = Schema.Struct({
  currency: text("Code of the currency or of the stablecoin"),
  amount: text("Decimal amount, such as 10.50")
}).annotate({ identifier: "MoneyAmount", description: "An amount in a currency" })

export const FiatQuoteResponse = Schema.Struct({
  quoteId: text("Id of the quote. One order can be created from it"),
  from: MoneyBody,
  to: MoneyBody,
  fees: Schema.Array(FeeBody).annotate({
    description: "Fees that are charged separately from the provider's rate and are known before the order"
  }),
  expiresAt: instant("When the quote expires"),
  candidates: Schema.Array(
    Schema.Struct({
      provider: text("Id of the provider"),
      amount: textOrNull("Offered amount, in units of `to.currency`; null if the provider made no offer"),
      refusal: textOrNull("Reason why the provider made no offer; null if it made an offer")
    }).annotate({ description: "A provider" })
  ).annotate({
    description:
      "Every provider from which the service requested an offer. The quote is from the provider with the highest amount"
  })
}).annotate({ identifier: "FiatQuote", description: "A quote of a deposit or a withdrawal" })

const PartyBody = Schema.Struct({
  name: text("Name"),
  addressLine1: text("First line of the address"),
  addressLine2: text("Second line of the address")
}).annotate({ description: "Name and address" })

const memoCode = textOrNull(
  "Text that the payer must enter as the payment's memo, so that the provider can identify the payment. Null if the provider uses no memo: BlindPay uses a memo for ACH and WIRE only, Bridge for each method"
)

const usBankFields = {
  routingNumber: text("Routing number of the bank (ABA)"),
  accountNumber: text("Number of the account"),
  accountType: Schema.Literals(["CHECKING", "SAVING"]).annotate({ description: "Type of the account" }),
  beneficiary: PartyBody,
  receivingBank: PartyBody,
  memoCode
}

const methodTypeField = <const Type extends string>(type: Type) =>
  Schema.Literal(type).annotate({ description: "Payment method" })

export const DepositInstructionsBody = Schema.Union([
  Schema.Struct({ type: methodTypeField("ACH"), ...usBankFields }),
  Schema.Struct({ type: methodTypeField("WIRE"), ...usBankFields }),
  Schema.Struct({
    type: methodTypeField("PIX"),
    pixKey: textOrNull("PIX key of the account; null if the BR Code contains no key"),
    brCode: text("The BR Code to pay, as text"),
    base64QrCode: text("The BR Code as a QR code: a PNG in base64"),
    expiresAt: instant("Deadline of the payment"),
    memoCode
  }),
  Schema.Struct({
    type: methodTypeField("SPEI"),
    clabe: text("CLABE of the account"),
    beneficiary: textOrNull("Name of the account holder; null if the provider does not return it"),
    reference: text(
      "Numeric reference of the payment: the memo code, or up to seven digits. The provider identifies the payment by the CLABE, not by this reference"
    ),
    memoCode
  }),
  Schema.Struct({
    type: methodTypeField("TRANSFERS"),
    account: text("CBU or CVU of the account"),
    beneficiary: textOrNull("Name of the account holder; null if the provider does not return it"),
    memoCode
  })
]).annotate({ identifier: "DepositInstructions", description: "Payment instructions" })

const status = text(
  "AWAITING_FUNDS, FUNDS_RECEIVED, PROCESSING, COMPLETED; or IN_REVIEW, EXPIRED, CANCELLED, FAILED, RETURNED, REFUNDED"
)

export const FiatDepositResponse = Schema.Struct({
  id: text("Id of the order"),
  from: MoneyBody,
  to: MoneyBody,
  status,
  expiresAt: instant("Deadline of the payment"),
  depositInstructions: DepositInstructionsBody
}).annotate({ identifier: "FiatDepositOrder", description: "A deposit that awaits its payment" })

export const FiatWithdrawalResponse = Schema.Struct({
  id: text("Id of the order"),
  from: MoneyBody,
  to: MoneyBody,
  status,
  expiresAt: instant("Deadline for executing the user operation"),
  fees: Schema.Struct({
    transactionFee: text("Fee for the project's treasury, in units of the stablecoin"),
    gasFee: text("Maximum gas fee, in units of the stablecoin"),
    treasuryAddress: hexOrNull("The project's treasury; null if it has none")
  }).annotate({ description: "Fees that the wallet pays in addition to the amount of the withdrawal" }),
  withdrawalInstructions: Schema.Struct({
    userOperationHash: hex("Hash of the user operation to sign and execute"),
    authorization: Schema.NullOr(AuthorizationBody).annotate({
      description: "An EIP-7702 authorization that the owner also signs, if the wallet's address has no delegation yet"
    })
  }).annotate({ description: "The data that the wallet's owner signs" }),
  signData: Schema.Array(SignDataBody).annotate({ description: "The elements to sign, in order" }),
  userOperations: userOperationsField
}).annotate({ identifier: "FiatWithdrawalOrder", description: "A withdrawal that awaits its owner's signature" })

export const FiatOrderBody = Schema.Struct({
  id: text("Id of the order"),
  direction: Schema.Literals(["DEPOSIT", "WITHDRAWAL"]).annotate({
    description: "Deposit from a bank or withdrawal to a bank"
  }),
  status,
  from: MoneyBody,
  to: MoneyBody,
  fees: Schema.Array(FeeBody).annotate({ description: "The provider's fees" }),
  paymentMethod: Schema.Struct({ type: text("PIX, ACH, WIRE, SPEI or TRANSFERS") }).annotate({
    description: "Payment method"
  }),
  provider: text("The fiat provider"),
  walletAddress: hex("Wallet that receives or sends the stablecoin"),
  chainId: number("Id of the wallet's chain"),
  individualId: text("Id of the individual that deposits or withdraws"),
  steps: Schema.Array(
    Schema.Struct({ status: text("Status that the order reached"), at: instant("When the order reached the status") })
  ).annotate({
    description: "The past statuses"
  }),
  reason: textOrNull("Reason why the order failed, is in review or was returned; null if no reason is known"),
  resolution: Schema.NullOr(
    Schema.Struct({
      status: text("The status that the operator set"),
      reason: text("Why"),
      at: instant("When")
    })
  ).annotate({
    description:
      "The operator's decision that ended the review; null if there is none. This field is an addition to the API document"
  }),
  depositInstructions: Schema.NullOr(DepositInstructionsBody).annotate({
    description: "Payment instructions; null for withdrawals"
  }),
  createdAt: instant("When the order was created"),
  updatedAt: instant("When the order last changed"),
  expiresAt: instant("Deadline for the payment of a deposit, or for the execution of a withdrawal")
}).annotate({ identifier: "FiatOrder", description: "A deposit or withdrawal" })

const transactionId = textOrNull("Id of the transaction in the wallet's history; null until the transaction exists")

export const FiatOrderResponse = Schema.Struct({
  order: Schema.Struct({ ...FiatOrderBody.fields, transactionId }).annotate({ description: "The order" })
}).annotate({ identifier: "FiatOrderResponse", description: "An order" })

export const FiatOrdersResponse = Schema.Struct({
  orders: Schema.Array(FiatOrderBody).annotate({ description: "Newest first" })
}).annotate({ identifier: "FiatOrders", description: "Fiat orders" })

export const FiatOrderRequest = Schema.Struct({
  quoteId: Schema.String.check(Schema.isMinLength(1), Schema.isMaxLength(256)).pipe(withDescription("Id of the quote"))
}).annotate({ identifier: "FiatDepositRequest", description: "The quote to create a deposit order from" })

export const FiatWithdrawalOrderRequest = Schema.Struct({
  quoteId: FiatOrderRequest.fields.quoteId,
  paymentMethod: BankDestination
}).annotate({
  identifier: "FiatWithdrawalRequest",
  description: "The quote to create a withdrawal order from, and the bank account"
})

export const FiatOrdersQuery = {
  walletAddress: Schema.optionalKey(AddressText.pipe(withDescription("Only orders of this wallet"))),
  individualId: Schema.optionalKey(IndividualId.pipe(withDescription("Only orders of this individual")))
}

const PeriodBody = Schema.Struct({
  limit: number("The limit"),
  used: number("Sum of pending and completed orders in the period"),
  remaining: number("Limit minus the used amount, at least 0")
}).annotate({ description: "A limit, in units of the currency" })

export const FinancialLimitsResponse = Schema.Struct({
  identityId: text("Id of the identity"),
  identityType: Schema.Literals(["individual", "business"]).annotate({ description: "Type of the identity" }),
  projectId: text("Id of the project"),
  limits: Schema.Array(
    Schema.Struct({
      type: text("Payment method and direction, such as PIX_DEPOSIT"),
      currency: text("Currency of the figures (ISO 4217)"),
      limits: Schema.Struct({
        monthly: PeriodBody,
        daily: PeriodBody,
        quarterly: PeriodBody,
        perTransaction: Schema.Struct({ limit: number("The limit") }).annotate({ description: "Limit of one order" })
      }).annotate({ description: "Limits by calendar period" })
    })
  ).annotate({ description: "Limits by payment method and direction" })
}).annotate({ identifier: "FinancialLimits", description: "The limits of an identity, and the amounts used" })

const tokenFinderOf = ({ token }: { readonly token: Token }) => tokenFinder([token])

/** Formats the output amount: the token of a deposit, or the currency of a withdrawal. */
const receivedAmountText = ({ currency, direction, token }: FiatQuote, amount: bigint): string =>
  decimalFromBaseUnits(amount, direction === "DEPOSIT" ? token.decimals : currencyDigits(currency))

export const fiatQuoteBody = ({ candidates, quote }: FiatQuoteResult) => ({
  quoteId: quote.id,
  ...quotedAmountsOf(quote),
  fees: quote.fees.map((fee) => feeBody(fee, tokenFinderOf(quote))),
  expiresAt: DateTime.formatIso(quote.expiresAt),
  candidates: candidates.map(({ amount, provider, refusal }) => ({
    provider,
    amount: amount === null ? null : receivedAmountText(quote, amount),
    refusal
  }))
})

const instructionsBody = (orderId: string, instructions: DepositInstructions): typeof DepositInstructionsBody.Type => {
  if (instructions.type === "SPEI") {
    return { ...instructions, reference: instructions.reference ?? speiReferenceOf(orderId) }
  }
  return instructions.type === "PIX"
    ? {
        ...instructions,
        base64QrCode: qrCodePng(instructions.brCode),
        expiresAt: DateTime.formatIso(instructions.expiresAt)
      }
    : instructions
}

export const fiatDepositBody = (order: FiatOrder & { readonly instructions: DepositInstructions }) => ({
  id: order.id,
  ...exchangedAmountsOf(order),
  status: order.state,
  expiresAt: DateTime.formatIso(order.expiresAt),
  depositInstructions: instructionsBody(order.id, order.instructions)
})

export const fiatWithdrawalBody = ({ executed, order }: ExecutedOrder, treasury: string | null) => {
  const { token } = order.quote
  const { authorization, signData, userOperationHash, userOperations } = signingOf(executed)
  const feesOf = (...types: ReadonlyArray<string>) =>
    decimalFromBaseUnits(
      executed.transaction.fees
        .filter((fee) => types.includes(fee.type) && isToken(fee) && fee.token === token.address)
        .reduce((sum, { amount }) => sum + amount, 0n),
      token.decimals
    )
  return {
    id: order.id,
    ...exchangedAmountsOf(order),
    status: order.state,
    expiresAt: DateTime.formatIso(order.expiresAt),
    fees: {
      transactionFee: feesOf("SERVICE", "EXTRA"),
      gasFee: feesOf("GAS"),
      treasuryAddress: treasury as `0x${string}` | null
    },
    withdrawalInstructions: {
      userOperationHash: userOperationHash!,
      authorization: authorization.authorization ?? null
    },
    signData,
    userOperations
  }
}

export const fiatOrderBody = (order: FiatOrder): typeof FiatOrderBody.Type => {
  const { chainId, direction, fees, individualId, method, provider, walletAddress } = order.quote
  return {
    id: order.id,
    direction,
    status: order.state,
    ...exchangedAmountsOf(order),
    fees: fees.map((fee) => feeBody(fee, tokenFinderOf(order.quote))),
    paymentMethod: { type: method },
    provider,
    walletAddress,
    chainId,
    individualId,
    steps: order.steps.map(({ at, state }) => ({ status: state, at: DateTime.formatIso(at) })),
    reason: order.reason,
    resolution: order.resolution && {
      status: order.resolution.state,
      reason: order.resolution.reason,
      at: DateTime.formatIso(order.resolution.at)
    },
    depositInstructions: order.instructions === null ? null : instructionsBody(order.id, order.instructions),
    createdAt: DateTime.formatIso(order.createdAt),
    updatedAt: DateTime.formatIso(order.updatedAt),
    expiresAt: DateTime.formatIso(order.expiresAt)
  }
}

export const shownOrderBody = ({ order, transactionId: id }: OrderView) => ({
  order: { ...fiatOrderBody(order), transactionId: id }
})

/**
 * Converts minor units to a number of currency units. The API document defines limits as numbers. The rounding is
 * acceptable, because limits are not balances.
 */
const currencyUnitsOf = (amount: bigint, currency: string): number =>
  Number(decimalFromBaseUnits(amount, currencyDigits(currency)))

const limitBody = ({ currency, direction, limits, method, used }: LimitState) => {
  const [daily, monthly, quarterly] = limitPeriods.map((period) => ({
    limit: currencyUnitsOf(limits[period], currency),
    used: currencyUnitsOf(used[period], currency),
    remaining: currencyUnitsOf(remainingAmountOf(limits, used, period), currency)
  }))
  return {
    type: `${method}_${direction}`,
    currency,
    limits: {
      monthly: monthly!,
      daily: daily!,
      quarterly: quarterly!,
      perTransaction: { limit: currencyUnitsOf(limits.perTransaction, currency) }
    }
  }
}

/**
 * Serializes the limits. A deposit by PIX can also be paid by QR code, which the API document lists as a separate
 * method with the same limits.
 */
export const limitBodies = (states: ReadonlyArray<LimitState>) =>
  states.flatMap((state) => {
    const body = limitBody(state)
    return body.type === "PIX_DEPOSIT" ? [body, { ...body, type: "PIX_QR_CODE" }] : [body]
  })
