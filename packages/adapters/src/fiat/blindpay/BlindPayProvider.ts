import {
  type BankDestination,
  type FiatOrder,
  type FiatProvider,
  type FiatProviderRequest,
  FiatRefusal,
  type ProviderCustomers
} from "@countersign/core/fiat"
import { UpstreamUnavailable } from "@countersign/core/foundation/errors"
import { Address, BoundedMap } from "@countersign/core/foundation/primitives"
import { DateTime, Effect } from "effect"
import { jsonNumber } from "../../outbound/json-api/index.ts"
import { accountRefusal } from "../accountFault.ts"
import { linkedCustomer } from "../linkedCustomer.ts"
import { noCustomer } from "../noCustomer.ts"
import type { ReadDocument } from "../registrationData.ts"
import { bankAccountOf } from "./blindPayAccounts.ts"
import { type BlindPaySettings, blindPayApis, TITLE } from "./blindPayApi.ts"
import {
  BankAccountBody,
  CustomerBody,
  FxBody,
  PayinBody,
  PayoutBody,
  PayoutQuoteBody,
  QuoteBody,
  WalletBody,
  WalletList
} from "./blindPayBodies.ts"
import { readBlindPayCallback } from "./blindPayCallback.ts"
import { blindPayCustomers } from "./blindPayCustomers.ts"
import { instructionsOrNull, networkOf, payinReport, paymentMethodOf, payoutReport, routes } from "./blindPayWords.ts"
import { customerByExternalId } from "./customerByExternalId.ts"

const NAME = "blindpay"

/** BlindPay expresses stablecoin amounts in cents. */
const CENT_DIGITS = 2
const MAX_CACHED_WALLETS = 10_000
/** Default validity of a BlindPay quote, in minutes. */
const QUOTE_MINUTES = 5

const fiatRefusal = (reason: string) => new FiatRefusal({ provider: TITLE, reason })

const baseUnitsPerCent = ({ token }: Pick<FiatProviderRequest, "token">): bigint =>
  10n ** BigInt(token.decimals - CENT_DIGITS)

/** Converts an amount to cents of a stablecoin. Fails if the amount has more than two decimals. */
const centsOf = (request: FiatProviderRequest) =>
  request.amount % baseUnitsPerCent(request) === 0n
    ? Effect.succeed(jsonNumber(request.amount / baseUnitsPerCent(request)))
    : Effect.fail(fiatRefusal(`it supports ${request.token.symbol} amounts with at most two decimal places`))

const feeOf = (currency: string, cents: string | null | undefined) =>
  BigInt(cents ?? 0) === 0n
    ? []
    : [{ type: "PROVIDER" as const, currency, amount: BigInt(cents ?? 0), toAddress: null, percentage: null }]

/**
 * Creates the provider for deposits and withdrawals by BlindPay. A payin sends stablecoins to the wallet. For a payout
 * BlindPay collects the amount that the wallet has approved.
 */
export const makeBlindPay = (
  settings: BlindPaySettings,
  links: ProviderCustomers["Service"],
  read: ReadDocument
): FiatProvider => {
  const { instance } = blindPayApis(settings)
  const api = instance.ask
  const wallets = new BoundedMap<string, string>(MAX_CACHED_WALLETS)
  const linkIndividual = linkedCustomer(links, { name: NAME, title: TITLE })

  /**
   * Returns the customer that is linked to the individual. If there is no link, links the customer whose external id at
   * BlindPay is the individual's id.
   */
  const customerOf = Effect.fnUntraced(function* ({ individualId, projectId }: FiatProviderRequest) {
    const knownCustomer = yield* links.find(projectId, individualId, NAME)
    if (knownCustomer !== null) return knownCustomer
    const customer = yield* customerByExternalId(instance, individualId)
    if (customer === null) return yield* noCustomer(NAME, TITLE, individualId)
    return yield* linkIndividual({ individualId, projectId }, customer)
  })

  const walletOf = Effect.fnUntraced(function* (request: FiatProviderRequest) {
    const network = networkOf[request.chainId]
    const customer = yield* customerOf(request)
    const key = `${request.projectId}:${customer}:${network}:${request.walletAddress}`
    const knownWallet = wallets.get(key)
    if (knownWallet !== undefined) return knownWallet
    const path = `/customers/${encodeURIComponent(customer)}/blockchain-wallets`
    const listedWallets = yield* api(WalletList, { method: "GET", path })
    const body = { name: "Countersign", network, is_account_abstraction: true, address: request.walletAddress }
    const wallet =
      listedWallets.find((one) => one.network === network && one.address?.toLowerCase() === request.walletAddress) ??
      (yield* api(WalletBody, { method: "POST", path, key, body }))
    wallets.set(key, wallet.id)
    return wallet.id
  })

  /**
   * Builds the request for the bank account of a payout. For PIX the key is sufficient. Other accounts need the account
   * holder, who is the customer as verified by BlindPay.
   */
  const accountOf = Effect.fnUntraced(function* (customer: string, destination: BankDestination) {
    const holder =
      destination.type === "PIX"
        ? {}
        : yield* api(CustomerBody, { method: "GET", path: `/customers/${encodeURIComponent(customer)}` })
    return yield* Effect.mapError(Effect.fromResult(bankAccountOf(destination, holder)), accountRefusal(TITLE))
  })

  const quoteDeposit = Effect.fnUntraced(function* (request: FiatProviderRequest) {
    const quote = yield* api(QuoteBody, {
      method: "POST",
      path: "/payin-quotes",
      body: {
        blockchain_wallet_id: yield* walletOf(request),
        currency_type: "sender",
        cover_fees: false,
        request_amount: jsonNumber(request.amount),
        payment_method: paymentMethodOf(request.method),
        token: request.token.symbol
      }
    })
    // The limits are checked for the quoted amount, so it must be the requested amount.
    if (BigInt(quote.sender_amount) !== request.amount)
      return yield* fiatRefusal("it quotes an amount that differs from the requested one")
    return {
      providerQuote: quote.id,
      fiatAmount: request.amount,
      tokenAmount: BigInt(quote.receiver_amount) * baseUnitsPerCent(request),
      fees: feeOf(request.currency, quote.flat_fee),
      expiresAt: DateTime.makeUnsafe(Number(quote.expires_at))
    }
  })

  /**
   * Quotes a withdrawal. The quote is not binding, because BlindPay quotes for a bank account, which is known only when
   * the order is created.
   */
  const quoteWithdrawal = Effect.fnUntraced(function* (request: FiatProviderRequest) {
    yield* customerOf(request)
    const { instance_flat_fee, result_amount } = yield* api(FxBody, {
      method: "POST",
      path: "/quotes/fx",
      isReadOnly: true,
      body: {
        currency_type: "sender",
        from: request.token.symbol,
        to: request.currency,
        request_amount: yield* centsOf(request)
      }
    })
    return {
      providerQuote: "fx",
      fiatAmount: BigInt(result_amount),
      tokenAmount: request.amount,
      fees: feeOf(request.currency, instance_flat_fee),
      expiresAt: DateTime.add(yield* DateTime.now, { minutes: QUOTE_MINUTES })
    }
  })

  return {
    name: NAME,
    routes,
    customers: blindPayCustomers(settings, links, read, NAME),
    quote: (request) => (request.direction === "DEPOSIT" ? quoteDeposit(request) : quoteWithdrawal(request)),
    openDeposit: Effect.fn("BlindPay.openDeposit")(function* (order: FiatOrder) {
      const createdPayin = yield* api(PayinBody, {
        method: "POST",
        path: "/payins/evm",
        key: order.id,
        body: { payin_quote_id: order.providerQuote }
      })
      const instructions = instructionsOrNull(createdPayin, order)
      if (instructions === null)
        return yield* fiatRefusal(`it returned no payment instructions for ${order.quote.method}`)
      return { providerOrder: createdPayin.id, instructions, expiresAt: order.expiresAt }
    }),
    bindWithdrawal: Effect.fn("BlindPay.bindWithdrawal")(function* (request, destination) {
      const customer = yield* customerOf(request)
      const account = yield* accountOf(customer, destination)
      const createdAccount = yield* instance.requestDecoded(BankAccountBody, {
        method: "POST",
        path: `/customers/${encodeURIComponent(customer)}/bank-accounts`,
        body: account
      })
      if (createdAccount._tag === "Refused")
        return yield* new FiatRefusal({ provider: TITLE, reason: createdAccount.reason, field: "paymentMethod" })
      const { id } = createdAccount.value
      const quote = yield* api(PayoutQuoteBody, {
        method: "POST",
        path: "/quotes",
        body: {
          bank_account_id: id,
          currency_type: "sender",
          cover_fees: false,
          request_amount: yield* centsOf(request),
          network: networkOf[request.chainId],
          token: request.token.symbol
        }
      })
      const { contract } = quote
      // Checks the data to sign, which come from the provider. They must be for this token on this chain, and for
      // exactly the requested amount.
      const matchesQuote =
        contract.address.toLowerCase() === request.token.address &&
        contract.network.chainId === String(request.chainId) &&
        BigInt(contract.amount) === request.amount
      if (!matchesQuote) return yield* fiatRefusal("it requests an approval that differs from the quote")
      return {
        providerQuote: quote.id,
        fiatAmount: BigInt(quote.receiver_amount),
        erc20Call: "APPROVE",
        recipient: Address.make(contract.blindpayContractAddress.toLowerCase()),
        tokenAmount: BigInt(contract.amount),
        expiresAt: DateTime.makeUnsafe(Number(quote.expires_at))
      }
    }),
    submitWithdrawal: (order) =>
      Effect.map(
        api(PayoutBody, {
          method: "POST",
          path: "/payouts/evm",
          key: order.id,
          body: { quote_id: order.providerQuote, sender_wallet_address: order.quote.walletAddress }
        }),
        ({ id }) => id
      ),
    readCallback: (callback, nowSeconds) => readBlindPayCallback(settings.webhookSecret, callback, nowSeconds),
    readOrderReport: ({ providerOrder, quote: { direction } }) => {
      const id = encodeURIComponent(providerOrder)
      const report =
        direction === "DEPOSIT"
          ? Effect.map(api(PayinBody, { method: "GET", path: `/payins/${id}` }), payinReport)
          : Effect.map(api(PayoutBody, { method: "GET", path: `/payouts/${id}` }), payoutReport)
      // BlindPay created the order, so it must exist. If BlindPay does not return it now, a later poll will.
      return Effect.catchTag(report, "FIAT_REFUSAL", ({ reason }) =>
        Effect.fail(new UpstreamUnavailable({ upstream: TITLE, reason }))
      )
    }
  }
}
