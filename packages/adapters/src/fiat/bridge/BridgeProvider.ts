import {
  type BankDestination,
  type FiatOrder,
  type FiatProvider,
  type FiatProviderRequest,
  FiatRefusal,
  type ProviderCustomers
} from "@countersign/core/fiat"
import { UpstreamUnavailable } from "@countersign/core/foundation/errors"
import { Address, decimalFromBaseUnits } from "@countersign/core/foundation/primitives"
import { currencyDigits } from "@countersign/core/foundation/tokens"
import { DateTime, Effect, Schema } from "effect"
import { accountRefusal } from "../accountFault.ts"
import { linkedCustomer } from "../linkedCustomer.ts"
import { noCustomer } from "../noCustomer.ts"
import type { ReadDocument } from "../registrationData.ts"
import { externalAccountOf } from "./bridgeAccounts.ts"
import { atRateRoundingDown, PAR_E18, unitsRoundingDown, worseRateOrNull } from "./bridgeAmounts.ts"
import { type BridgeSettings, bridgeApi, TITLE } from "./bridgeApi.ts"
import {
  CustomerBody,
  DuplicateAccount,
  ExternalAccountBody,
  RatesBody,
  type TransferBody as Transfer,
  TransferBody
} from "./bridgeBodies.ts"
import { readBridgeCallback } from "./bridgeCallback.ts"
import { bridgeCustomers } from "./bridgeCustomers.ts"
import { chainRail, endorsementOf, instructionsOrNull, methodRail, routes, transferReport } from "./bridgeWords.ts"
import { keyOf } from "./keyOf.ts"

const NAME = "bridge"

/** Validity of a quote in minutes. Bridge returns current rates, and its transfers do not expire. */
const QUOTE_MINUTES = 5

const fiatRefusal = (reason: string) => new FiatRefusal({ provider: TITLE, reason })

const customerNotReady = (reason: string) => new FiatRefusal({ provider: TITLE, reason, isCustomerMissing: true })

const duplicateOf = Schema.decodeUnknownOption(DuplicateAccount)
const addressOf = Schema.decodeUnknownOption(Address)

/** Creates the provider for deposits and withdrawals by Bridge: transfers between a bank account and the wallet. */
export const makeBridge = (
  settings: BridgeSettings,
  links: ProviderCustomers["Service"],
  read: ReadDocument
): FiatProvider => {
  const { requestDecoded, ask: api } = bridgeApi(settings)

  const linkIndividual = linkedCustomer(links, { name: NAME, title: TITLE })

  /**
   * Returns the individual's customer at Bridge. Fails if there is none, if it is not active or linked to another
   * individual, or if Bridge reports endorsements without an approved one for the currency.
   */
  const customerOf = Effect.fnUntraced(function* (request: FiatProviderRequest) {
    const { currency, individualId, projectId } = request
    const id = (yield* links.find(projectId, individualId, NAME)) ?? individualId
    const response = yield* requestDecoded(CustomerBody, {
      method: "GET",
      path: `/customers/${encodeURIComponent(id)}`
    })
    if (response._tag === "Refused") return yield* noCustomer(NAME, TITLE, individualId)
    const customer = response.value
    yield* linkIndividual(request, id)
    if (customer.status !== "active") return yield* customerNotReady(`its customer of ${individualId} is not active`)
    const endorsement = endorsementOf[currency]
    const approvedEndorsements = customer.endorsements
      ?.filter(({ status }) => status === "approved")
      .map(({ name }) => name)
    if (approvedEndorsements !== undefined && endorsement !== undefined && !approvedEndorsements.includes(endorsement))
      return yield* customerNotReady(`its customer of ${individualId} has no approved endorsement ${endorsement}`)
    return customer
  })

  /** Requests the exchange rate of two currencies, scaled by 10^18. */
  const rateOf = Effect.fnUntraced(function* (from: string, to: string) {
    if (from === to) return PAR_E18
    const path = `/exchange_rates?from=${from.toLowerCase()}&to=${to.toLowerCase()}`
    const rate = worseRateOrNull(yield* api(RatesBody, { method: "GET", path }))
    return rate ?? (yield* new UpstreamUnavailable({ upstream: TITLE, reason: "its exchange rate is not a number" }))
  })

  const bankAmountOf = Effect.fnUntraced(function* ({ amount, currency, token }: FiatProviderRequest) {
    return atRateRoundingDown(amount, yield* rateOf("USD", currency), token.decimals, currencyDigits(currency))
  })

  const tokenAmountOf = Effect.fnUntraced(function* ({ amount, currency, token }: FiatProviderRequest) {
    return atRateRoundingDown(amount, yield* rateOf(currency, "USD"), currencyDigits(currency), token.decimals)
  })

  const accountOf = Effect.fnUntraced(function* (
    request: FiatProviderRequest,
    destination: BankDestination,
    quoteId: string
  ) {
    const customer = yield* customerOf(request)
    const body = yield* Effect.mapError(
      Effect.fromResult(externalAccountOf(destination, customer)),
      accountRefusal(TITLE)
    )
    const createdAccount = yield* requestDecoded(ExternalAccountBody, {
      method: "POST",
      path: `/customers/${encodeURIComponent(customer.id)}/external_accounts`,
      // Bridge rejects a key that is older than 24 hours, so a later withdrawal to the same account needs another key.
      key: keyOf(quoteId, customer.id, JSON.stringify(body)),
      body
    })
    if (createdAccount._tag === "Done") return { account: createdAccount.value.id, customer: customer.id }
    const knownAccount = duplicateOf(createdAccount.body)
    if (knownAccount._tag === "None")
      return yield* new FiatRefusal({ provider: TITLE, reason: createdAccount.reason, field: "paymentMethod" })
    return { account: knownAccount.value.id, customer: customer.id }
  })

  /**
   * Returns the address to which the wallet must send the tokens. The instructions come from the provider. They must be
   * for this token on this chain, for the requested amount, and for this wallet if they contain a sender. Null if they
   * are not.
   */
  const recipientOrNull = (
    { source_deposit_instructions: instructions }: Transfer,
    request: FiatProviderRequest
  ): Address | null => {
    const recipient = addressOf(instructions?.to_address?.toLowerCase())
    const matchesQuote =
      instructions?.payment_rail === chainRail[request.chainId] &&
      instructions?.currency?.toUpperCase() === request.token.symbol &&
      instructions.amount != null &&
      unitsRoundingDown(instructions.amount, request.token.decimals) === request.amount &&
      (instructions.from_address == null || instructions.from_address.toLowerCase() === request.walletAddress)
    return matchesQuote && recipient._tag === "Some" && recipient.value !== request.walletAddress
      ? recipient.value
      : null
  }

  return {
    name: NAME,
    routes,
    customers: bridgeCustomers(settings, links, read, NAME),
    quote: Effect.fn("Bridge.quote")(function* (request) {
      yield* customerOf(request)
      const isDeposit = request.direction === "DEPOSIT"
      return {
        providerQuote: "rate",
        fiatAmount: isDeposit ? request.amount : yield* bankAmountOf(request),
        tokenAmount: isDeposit ? yield* tokenAmountOf(request) : request.amount,
        fees: [],
        expiresAt: DateTime.add(yield* DateTime.now, { minutes: QUOTE_MINUTES })
      }
    }),
    openDeposit: Effect.fn("Bridge.openDeposit")(function* (order: FiatOrder) {
      const { chainId, currency, method, token, walletAddress } = order.quote
      const transfer = yield* api(TransferBody, {
        method: "POST",
        path: "/transfers",
        key: order.id,
        body: {
          client_reference_id: order.id,
          on_behalf_of: yield* linkIndividual(order.quote, order.quote.individualId),
          source: { payment_rail: methodRail.DEPOSIT[method], currency: currency.toLowerCase() },
          destination: {
            payment_rail: chainRail[chainId],
            currency: token.symbol.toLowerCase(),
            to_address: walletAddress
          },
          // With this flag Bridge converts any received amount to the token. Without it Bridge would hold a payment
          // with another amount.
          features: { flexible_amount: true }
        }
      })
      const instructions = instructionsOrNull(transfer, order)
      if (instructions === null) return yield* fiatRefusal(`it returned no payment instructions for ${method}`)
      return { providerOrder: transfer.id, instructions, expiresAt: order.expiresAt }
    }),
    bindWithdrawal: Effect.fn("Bridge.bindWithdrawal")(function* (request, destination, quoteId) {
      const { account, customer } = yield* accountOf(request, destination, quoteId)
      const { chainId, currency, method, token, walletAddress } = request
      const transfer = yield* api(TransferBody, {
        method: "POST",
        path: "/transfers",
        key: keyOf(quoteId, account),
        body: {
          client_reference_id: quoteId,
          on_behalf_of: customer,
          amount: decimalFromBaseUnits(request.amount, token.decimals),
          source: {
            payment_rail: chainRail[chainId],
            currency: token.symbol.toLowerCase(),
            from_address: walletAddress
          },
          destination: {
            payment_rail: methodRail.WITHDRAWAL[method],
            currency: currency.toLowerCase(),
            external_account_id: account
          }
        }
      })
      const recipient = recipientOrNull(transfer, request)
      if (recipient === null) return yield* fiatRefusal("it requests a payment that differs from the quote")
      return {
        providerQuote: transfer.id,
        fiatAmount: yield* bankAmountOf(request),
        erc20Call: "TRANSFER" as const,
        recipient,
        tokenAmount: request.amount,
        expiresAt: null
      }
    }),
    // Bridge itself detects the token transfer, so nothing must be submitted.
    submitWithdrawal: ({ providerQuote }) => Effect.succeed(providerQuote),
    readCallback: (callback, nowSeconds) => readBridgeCallback(settings.webhookPublicKey, callback, nowSeconds),
    readOrderReport: ({ providerOrder, quote }) =>
      api(TransferBody, { method: "GET", path: `/transfers/${encodeURIComponent(providerOrder)}` }).pipe(
        Effect.map((transfer) => transferReport(transfer, quote)),
        // Bridge created the order, so it must exist. If Bridge does not return it now, a later poll will.
        Effect.catchTag("FIAT_REFUSAL", ({ reason }) =>
          Effect.fail(new UpstreamUnavailable({ upstream: TITLE, reason }))
        )
      )
  }
}
