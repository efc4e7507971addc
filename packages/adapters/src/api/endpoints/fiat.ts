import {
  FailedToCreateFiatDeposit,
  FiatDepositRequest,
  FiatLimits,
  FiatOrders,
  FiatQuotes,
  FiatWithdrawalRequest
} from "@countersign/core/fiat"
import { withDescription } from "@countersign/core/foundation/primitives"
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
    "Returns the stablecoin amount that the wallet receives for a bank payment. Create an order from the quote before it expires. The order contains the payment instructions.",
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
      FiatQuotes.use((quotes) => quotes.quoteDeposit(project, payload)),
      fiatQuoteBody
    )
})

const quoteWithdrawal = endpoint({
  id: "fiat.quoteWithdrawal",
  method: "POST",
  path: "/api/v2/fiat/withdrawal/quote",
  summary: "Quote a withdrawal to a bank",
  description:
    "Returns the amount that the provider pays to a bank account for a stablecoin amount of the wallet. The request that creates the order specifies the bank account, and its response contains the data that the owner signs.",
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
      FiatQuotes.use((quotes) => quotes.quoteWithdrawal(project, payload)),
      fiatQuoteBody
    )
})

const deposit = endpoint({
  id: "fiat.deposit",
  method: "POST",
  path: "/api/v2/fiat/deposit",
  summary: "Create a deposit order from a quote",
  description:
    "A quote can be used for one order only. The order is COMPLETED once the wallet has received the stablecoin on-chain.",
  payload: FiatOrderRequest,
  success: FiatDepositResponse,
  status: 201,
  errors: [...orderErrors, "FAILED_TO_CREATE_FIAT_DEPOSIT"],
  scope: "fiat",
  cost: null,
  // Orders of one individual run one after the other, and each waiting order uses a database connection. A load of 1
  // makes the order wait for the project's turn before it uses one.
  weightOf: () => 1,
  example: { body: { quoteId: UUID } },
  links: { order: fiatOrderLink },
  run: Effect.fnUntraced(function* ({ payload, project }) {
    const order = yield* (yield* FiatOrders).deposit(project, payload.quoteId)
    const { instructions } = order
    if (instructions === null)
      return yield* new FailedToCreateFiatDeposit({ reason: "the provider returned no payment instructions" })
    return fiatDepositBody({ ...order, instructions })
  })
})

const withdraw = endpoint({
  id: "fiat.withdraw",
  method: "POST",
  path: "/api/v2/fiat/withdrawal",
  summary: "Create a withdrawal order from a quote",
  description:
    "A quote can be used for one order only. Sign every element of `signData` and execute the order by `userOperationHash`: the operation " +
    "sends the stablecoin to the provider or allows the provider to transfer it, and the provider pays to the bank account. Gas is " +
    "paid in the stablecoin, in addition to the amount.",
  payload: FiatWithdrawalOrderRequest,
  success: FiatWithdrawalResponse,
  status: 201,
  errors: [...orderErrors, "FAILED_TO_CREATE_FIAT_WITHDRAW", "UNPAID_GAS_LIMIT"],
  scope: "fiat",
  cost: null,
  weightOf: () => 1,
  example: { body: { quoteId: UUID, paymentMethod: { ...PIX, pixKey: "529.982.247-25" } } },
  links: { order: fiatOrderLink },
  run: ({ payload, project }) =>
    Effect.map(
      FiatOrders.use((orders) => orders.withdraw(project, payload.quoteId, payload.paymentMethod)),
      (executedOrder) => fiatWithdrawalBody(executedOrder, project.treasury)
    )
})

const order = endpoint({
  id: "fiat.order",
  method: "GET",
  path: "/api/v2/fiat/orders/:orderId",
  summary: "Get a fiat order",
  description:
    "Returns the order with its current and past statuses, and the id of its transaction in the wallet's history.",
  params: { orderId: Schema.String.check(Schema.isUUID()).pipe(withDescription("Id of the order")) },
  success: FiatOrderResponse,
  responses: "order",
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
  description: `Returns the newest ${MAX_ORDERS} orders of the project, of one wallet or of one individual.`,
  query: FiatOrdersQuery,
  success: FiatOrdersResponse,
  responses: "orders",
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
  summary: "Get an identity's financial limits",
  description:
    "Returns the limits of each calendar period by payment method and direction, and the amounts that orders have used.",
  params: { identityId: IndividualId.pipe(withDescription("Id of the identity")) },
  success: FinancialLimitsResponse,
  errors: ["IDENTITY_NOT_FOUND", "INDIVIDUAL_VERIFICATION_REQUIRED"],
  scope: "fiat",
  cost: null,
  example: { parameters: { identityId: INDIVIDUAL } },
  run: ({ params: { identityId }, project }) =>
    Effect.map(
      FiatLimits.use((limits) => limits.show(project.id, identityId)),
      (limitStates) => ({
        identityId,
        identityType: identityTypeOf(identityId),
        projectId: project.id,
        limits: limitBodies(limitStates)
      })
    )
})

export const fiat = { quoteDeposit, quoteWithdrawal, deposit, withdraw, order, orders, limits }
