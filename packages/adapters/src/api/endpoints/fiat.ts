import {
  FailedToCreateFiatDeposit,
  FiatDepositRequest,
  FiatLimits,
  FiatOrders,
  FiatQuotes,
  FiatWithdrawalRequest
} from "@countersign/core/fiat"
import { described } from "@countersign/core/foundation/primitives"
import { IndividualId, identityTypeOf } from "@countersign/core/identity"
import { Effect, Schema } from "effect"
import {
  FiatDepositResponse,
  FiatOrderRequest,
  FiatOrderResponse,
  FiatOrdersQuery,
  FiatOrdersResponse,
  FiatQuoteResponse,
  FiatWithdrawalOrderRequest,
  FiatWithdrawalResponse,
  FinancialLimitsResponse,
  fiatDepositBody,
  fiatOrderBody,
  fiatQuoteBody,
  fiatWithdrawalBody,
  limitBodies,
  shownOrderBody
} from "../wire/index.ts"
import { endpoint } from "./Endpoint.ts"
import { INDIVIDUAL, PIX, UUID, WALLET } from "./exampleValues.ts"
import { fiatOrderLink, orderLink } from "./links.ts"

const MAX_ORDERS = 100

const quoteErrors = [
  "ACCOUNT_ABSTRACTION_ADDRESS_NOT_REGISTERED_WITH_PROJECT",
  "IDENTITY_NOT_FOUND",
  "INDIVIDUAL_VERIFICATION_REQUIRED",
  "FIAT_CUSTOMER_NOT_READY",
  "FINANCIAL_LIMIT_EXCEEDED",
  "UPSTREAM_UNAVAILABLE"
] as const

const orderErrors = [
  "FIAT_QUOTE_EXPIRED",
  "FIAT_QUOTE_NOT_FOUND",
  "FIAT_QUOTE_ALREADY_USED",
  "IDENTITY_NOT_FOUND",
  "INDIVIDUAL_VERIFICATION_REQUIRED",
  "FINANCIAL_LIMIT_EXCEEDED"
] as const

const quoteDeposit = endpoint({
  id: "fiat.quoteDeposit",
  method: "POST",
  path: "/api/v2/fiat/deposit/quote",
  summary: "Quote a deposit from a bank",
  description:
    "What a wallet gets in a stablecoin for money of a bank. Make an order of it before it expires, and the order says how to pay.",
  payload: FiatDepositRequest,
  success: FiatQuoteResponse,
  status: 201,
  errors: quoteErrors,
  scope: "fiat",
  cost: "quote",
  example: {
    body: {
      paymentMethod: PIX,
      from: { currency: "BRL", amount: "541" },
      to: { currency: "USDC" },
      chainId: 1,
      walletAddress: WALLET,
      individualId: INDIVIDUAL
    }
  },
  links: { deposit: orderLink("deposit") },
  run: ({ payload, project }) =>
    Effect.map(
      FiatQuotes.use((quotes) => quotes.deposit(project, payload)),
      fiatQuoteBody
    )
})

const quoteWithdrawal = endpoint({
  id: "fiat.quoteWithdrawal",
  method: "POST",
  path: "/api/v2/fiat/withdrawal/quote",
  summary: "Quote a withdrawal to a bank",
  description:
    "What a bank pays for a stablecoin of a wallet. Where it pays to is said with the order, which asks for the owner's signature.",
  payload: FiatWithdrawalRequest,
  success: FiatQuoteResponse,
  status: 201,
  errors: quoteErrors,
  scope: "fiat",
  cost: "quote",
  example: {
    body: {
      paymentMethod: PIX,
      from: { currency: "USDC", amount: "100" },
      to: { currency: "BRL" },
      chainId: 1,
      walletAddress: WALLET,
      individualId: INDIVIDUAL
    }
  },
  links: { withdraw: orderLink("withdraw") },
  run: ({ payload, project }) =>
    Effect.map(
      FiatQuotes.use((quotes) => quotes.withdrawal(project, payload)),
      fiatQuoteBody
    )
})

const deposit = endpoint({
  id: "fiat.deposit",
  method: "POST",
  path: "/api/v2/fiat/deposit",
  summary: "Make a deposit of a quote",
  description:
    "One order of a quote, whoever else asks for it. It is completed once the stablecoin is in the wallet, by the word of its chain.",
  payload: FiatOrderRequest,
  success: FiatDepositResponse,
  status: 201,
  errors: [...orderErrors, "FAILED_TO_CREATE_FIAT_DEPOSIT"],
  scope: "fiat",
  cost: null,
  // Orders of one individual wait for one another, each with a connection of the database: not all at once.
  effortOf: () => 1,
  example: { body: { quoteId: UUID } },
  links: { order: fiatOrderLink },
  run: Effect.fnUntraced(function* ({ payload, project }) {
    const order = yield* (yield* FiatOrders).deposit(project, payload.quoteId)
    const { instructions } = order
    if (instructions === null)
      return yield* new FailedToCreateFiatDeposit({ reason: "the provider does not say how to pay" })
    return fiatDepositBody({ ...order, instructions })
  })
})

const withdraw = endpoint({
  id: "fiat.withdraw",
  method: "POST",
  path: "/api/v2/fiat/withdrawal",
  summary: "Make a withdrawal of a quote",
  description:
    "One order of a quote, whoever else asks for it. Sign what `signData` asks for and execute by `userOperationHash`: " +
    "the provider then takes the stablecoin, or has been sent it, and the bank pays. Gas is paid in the stablecoin, on top of the amount.",
  payload: FiatWithdrawalOrderRequest,
  success: FiatWithdrawalResponse,
  status: 201,
  errors: [...orderErrors, "FAILED_TO_CREATE_FIAT_WITHDRAW", "UPSTREAM_UNAVAILABLE", "UNPAID_GAS_LIMIT"],
  scope: "fiat",
  cost: null,
  effortOf: () => 1,
  example: { body: { quoteId: UUID, paymentMethod: { ...PIX, pixKey: "529.982.247-25" } } },
  links: { order: fiatOrderLink },
  run: ({ payload, project }) =>
    Effect.map(
      FiatOrders.use((orders) => orders.withdraw(project, payload.quoteId, payload.paymentMethod)),
      (made) => fiatWithdrawalBody(made, project.treasury)
    )
})

const order = endpoint({
  id: "fiat.order",
  method: "GET",
  path: "/api/v2/fiat/orders/:orderId",
  summary: "Show a fiat order",
  description: "Its state, the steps so far, and its transaction in the wallet's history.",
  params: { orderId: Schema.String.check(Schema.isUUID()).pipe(described("Id of the order")) },
  success: FiatOrderResponse,
  answers: "order",
  errors: ["FIAT_ORDER_NOT_FOUND"],
  scope: "fiat",
  cost: null,
  example: { parameters: { orderId: UUID } },
  run: ({ params, project }) =>
    Effect.map(
      FiatOrders.use((orders) => orders.get(project.id, params.orderId)),
      shownOrderBody
    )
})

const orders = endpoint({
  id: "fiat.orders",
  method: "GET",
  path: "/api/v2/fiat/orders",
  summary: "List fiat orders",
  description: `The newest ${MAX_ORDERS} orders of the project, of a wallet, of an individual.`,
  query: FiatOrdersQuery,
  success: FiatOrdersResponse,
  answers: "orders",
  errors: [],
  scope: "fiat",
  cost: null,
  example: { parameters: { walletAddress: WALLET, individualId: INDIVIDUAL } },
  run: ({ project, query }) =>
    Effect.map(
      FiatOrders.use((orders) => orders.list({ projectId: project.id, ...query, limit: MAX_ORDERS })),
      (orders) => ({ orders: orders.map(fiatOrderBody) })
    )
})

const limits = endpoint({
  id: "fiat.limits",
  method: "GET",
  path: "/api/v1/kyc/identities/:identityId/financial-limits",
  summary: "Show an identity's financial limits",
  description:
    "By way of payment and direction: the limits of the calendar's periods, and what orders have used of them.",
  params: { identityId: IndividualId.pipe(described("Id of the identity")) },
  success: FinancialLimitsResponse,
  errors: ["IDENTITY_NOT_FOUND", "INDIVIDUAL_VERIFICATION_REQUIRED"],
  scope: "fiat",
  cost: null,
  example: { parameters: { identityId: INDIVIDUAL } },
  run: ({ params: { identityId }, project }) =>
    Effect.map(
      FiatLimits.use((limits) => limits.show(project.id, identityId)),
      (states) => ({
        identityId,
        identityType: identityTypeOf(identityId),
        projectId: project.id,
        limits: limitBodies(states)
      })
    )
})

export const fiat = { quoteDeposit, quoteWithdrawal, deposit, withdraw, order, orders, limits }
