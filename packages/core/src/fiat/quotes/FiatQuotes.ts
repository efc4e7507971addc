import { Context, DateTime, Effect, Layer, Option, Result } from "effect"
import { BadRequest, requireValid, type UpstreamUnavailable } from "../../foundation/errors/index.ts"
import {
  baseUnitsOrNone,
  type DecimalString,
  decimalFromBaseUnits,
  Entropy
} from "../../foundation/primitives/index.ts"
import { currencyDigits, type Token, TokenCatalog } from "../../foundation/tokens/index.ts"
import { lookUps } from "../../operations/quotes/index.ts"
import type { Project } from "../../tenancy/projects/index.ts"
import type { WalletNotRegistered } from "../../wallets/registry/index.ts"
import {
  FiatCustomerNotReady,
  type FinancialLimitExceeded,
  type IdentityNotFound,
  type IdentityNotVerified
} from "../errors.ts"
import { FiatLimits } from "../limits/FiatLimits.ts"
import { methodCurrency } from "../methods/PaymentMethod.ts"
import type { FiatQuote } from "../orders/FiatOrder.ts"
import { FiatOrderStore, type LimitSubject } from "../orders/FiatOrderStore.ts"
import { netOfWithdrawal } from "../orders/withdrawalPlan.ts"
import { type FiatOffer, type FiatProviderRequest, FiatProviders } from "../provider/FiatProvider.ts"
import type { ProviderRegistration } from "../registrations/ProviderRegistration.ts"
import { ProviderRegistrations } from "../registrations/ProviderRegistrations.ts"
import { FiatDepositRequest, FiatWithdrawalRequest } from "./FiatQuoteRequest.ts"
import { chooseProvider, type FiatCandidate, type ProviderOffer } from "./providerChoice.ts"
import { type RequestedRoute, type ServingProviders, servingProviders } from "./servingProviders.ts"

export type FiatQuoteRefusal =
  | BadRequest
  | WalletNotRegistered
  | IdentityNotFound
  | IdentityNotVerified
  | FiatCustomerNotReady
  | FinancialLimitExceeded
  | UpstreamUnavailable

const requireDeposit = requireValid(FiatDepositRequest)
const requireWithdrawal = requireValid(FiatWithdrawalRequest)

/** Converts an amount to the smallest units. Fails if it is invalid. */
const unitsOf = (path: string, amount: DecimalString, digits: number, currency: string) => {
  const units = baseUnitsOrNone(amount, digits)
  if (units._tag === "None") {
    return Effect.fail(
      BadRequest.of(
        path,
        "too_many_decimals",
        `Expected at most ${digits} digits after the decimal point, because ${currency} has ${digits} decimals.`
      )
    )
  }
  return units.value === 0n
    ? Effect.fail(BadRequest.of(path, "not_positive", "Expected an amount above zero."))
    : Effect.succeed(units.value)
}

/** Returns the amount that remains after the project's fee. Fails if nothing remains. */
const netAmount = (amount: bigint, transactionFeePercent: number, { treasury }: Project, { decimals }: Token) =>
  Option.match(netOfWithdrawal(amount, transactionFeePercent, treasury), {
    onSome: Effect.succeed,
    onNone: () => {
      const text = decimalFromBaseUnits(amount, decimals)
      const message = `The fees equal or exceed ${text}. Request a larger amount or lower fees.`
      return Effect.fail(BadRequest.of("from.amount", "fees_exceed_amount", message))
    }
  })

/**
 * Maximum validity of a quote in hours. It bounds the time until an unpaid order ends and an unused quote is deleted,
 * because both times count from the expiry.
 */
const MAX_QUOTE_HOURS = 24

/** Returns the expiry of a quote: that of the provider's offer, within the maximum validity. */
export const quoteExpiry = (createdAt: DateTime.Utc, { expiresAt }: Pick<FiatOffer, "expiresAt">): DateTime.Utc =>
  DateTime.min(expiresAt, DateTime.add(createdAt, { hours: MAX_QUOTE_HOURS }))

/** Explains why an identity can't use a provider yet. */
const unreadyReason = ({ fields, provider, reason, status }: ProviderRegistration): string => {
  switch (status) {
    case "ACTION_REQUIRED":
      return `it needs ${fields.join(", ")}. Submit them with POST /api/v1/kyc/identities/{identityId}/fiat-registrations for the provider ${provider}`
    case "REJECTED":
      return `it rejected the individual: ${reason}`
    default:
      return "it has not decided on the registration yet. Try again later"
  }
}

const providerRequestOf = (
  { id }: Project,
  requestedRoute: RequestedRoute & Pick<FiatProviderRequest, "walletAddress">,
  token: Token
) => ({
  projectId: id,
  method: requestedRoute.paymentMethod.type,
  currency: methodCurrency[requestedRoute.paymentMethod.type],
  token,
  chainId: requestedRoute.chainId,
  walletAddress: requestedRoute.walletAddress,
  individualId: requestedRoute.individualId
})

const subjectOf = ({ direction, individualId, method, projectId }: FiatProviderRequest): LimitSubject => ({
  projectId,
  individualId,
  direction,
  method
})

/** A quote, and the result of each provider. */
export interface FiatQuoteResult {
  readonly quote: FiatQuote
  readonly candidates: ReadonlyArray<FiatCandidate>
}

/** Quotes deposits and withdrawals with the best offer of all providers. */
export class FiatQuotes extends Context.Service<
  FiatQuotes,
  {
    readonly quoteDeposit: (
      project: Project,
      request: FiatDepositRequest
    ) => Effect.Effect<FiatQuoteResult, FiatQuoteRefusal>
    readonly quoteWithdrawal: (
      project: Project,
      request: FiatWithdrawalRequest
    ) => Effect.Effect<FiatQuoteResult, FiatQuoteRefusal>
  }
>()("@countersign/core/fiat/FiatQuotes") {
  static readonly layer = Layer.effect(
    FiatQuotes,
    Effect.gen(function* () {
      const providers = yield* FiatProviders
      const store = yield* FiatOrderStore
      const limits = yield* FiatLimits
      const registrations = yield* ProviderRegistrations
      const catalog = yield* TokenCatalog
      const entropy = yield* Entropy
      const lookUp = yield* lookUps

      const tokenOf = Effect.fnUntraced(function* (chainId: RequestedRoute["chainId"], symbol: string, path: string) {
        const { tokens } = yield* catalog.search({ text: symbol, chainIds: [chainId], offset: 0, limit: 50 })
        const token = tokens.find((one) => one.symbol === symbol)
        if (token === undefined) {
          return yield* BadRequest.of(path, "not_listed", `No ${symbol} is listed on chain ${chainId}.`)
        }
        return token
      })

      /** Returns the best offer. Fails with the reason if no provider made an offer. */
      const offerOf = Effect.fnUntraced(function* (
        matchingProviders: ServingProviders,
        providerRequest: FiatProviderRequest,
        path: string
      ) {
        const registrationList = yield* registrations.list(providerRequest.projectId, providerRequest.individualId)
        const unreadyProviders = new Map(
          registrationList.filter(({ status }) => status !== "ACTIVE").map((one) => [one.provider, unreadyReason(one)])
        )
        const { candidates, chosen } = yield* chooseProvider(matchingProviders, providerRequest, unreadyProviders)
        if (Result.isSuccess(chosen)) return { ...chosen.success, candidates }
        const { failure } = chosen
        if (failure._tag !== "FIAT_REFUSAL") return yield* failure
        if (failure.isCustomerMissing !== true) return yield* BadRequest.of(path, "refused", failure.message)
        return yield* FiatCustomerNotReady.of(candidates.map(({ refusal }) => `${refusal}.`))
      })

      const storeQuote = Effect.fnUntraced(function* (
        providerRequest: FiatProviderRequest,
        { candidates, offer, provider }: ProviderOffer & Pick<FiatQuoteResult, "candidates">,
        terms: { readonly tokenAmount: bigint; readonly transactionFeePercent: number }
      ) {
        const subject = subjectOf(providerRequest)
        yield* limits.require(subject, offer.fiatAmount)
        const { chainId, currency, token, walletAddress } = providerRequest
        const createdAt = yield* DateTime.now
        const quote: FiatQuote = {
          ...subject,
          ...terms,
          id: yield* entropy.uuid,
          walletAddress,
          chainId,
          token,
          currency,
          fiatAmount: offer.fiatAmount,
          fees: offer.fees,
          provider: provider.name,
          providerQuote: offer.providerQuote,
          createdAt,
          expiresAt: quoteExpiry(createdAt, offer)
        }
        yield* store.insertQuote(quote)
        return { quote, candidates } satisfies FiatQuoteResult
      })

      const resolve = Effect.fnUntraced(function* (project: Project, request: RequestedRoute) {
        yield* lookUp.served({ chainId: request.chainId })
        const wallet = yield* lookUp.smartWallet(project, request.walletAddress)
        yield* limits.requireIdentity(project.id, request.individualId)
        return { ...request, walletAddress: wallet.account.address }
      })

      return FiatQuotes.of({
        quoteDeposit: Effect.fn("FiatQuotes.deposit")(function* (project, input) {
          const request = yield* requireDeposit(input)
          const { from, to } = request
          const route = yield* resolve(project, request)
          const codes = {
            currency: { path: "from.currency", code: from.currency },
            token: { path: "to.currency", code: to.currency }
          }
          const matchingProviders = yield* Effect.fromResult(servingProviders(providers, "DEPOSIT", route, codes))
          const token = yield* tokenOf(route.chainId, to.currency, "to.currency")
          const amount = yield* unitsOf("from.amount", from.amount, currencyDigits(from.currency), from.currency)
          const providerRequest: FiatProviderRequest = {
            ...providerRequestOf(project, route, token),
            direction: "DEPOSIT",
            amount
          }
          const bestOffer = yield* offerOf(matchingProviders, providerRequest, "from.amount")
          return yield* storeQuote(providerRequest, bestOffer, {
            tokenAmount: bestOffer.offer.tokenAmount,
            transactionFeePercent: 0
          })
        }),
        quoteWithdrawal: Effect.fn("FiatQuotes.withdrawal")(function* (project, input) {
          const request = yield* requireWithdrawal(input)
          const { from, to, transactionFeePercent } = request
          const route = yield* resolve(project, request)
          const codes = {
            currency: { path: "to.currency", code: to.currency },
            token: { path: "from.currency", code: from.currency }
          }
          const matchingProviders = yield* Effect.fromResult(servingProviders(providers, "WITHDRAWAL", route, codes))
          const token = yield* tokenOf(route.chainId, from.currency, "from.currency")
          const amount = yield* unitsOf("from.amount", from.amount, token.decimals, from.currency)
          const net = yield* netAmount(amount, transactionFeePercent, project, token)
          const providerRequest: FiatProviderRequest = {
            ...providerRequestOf(project, route, token),
            direction: "WITHDRAWAL",
            amount: net
          }
          const bestOffer = yield* offerOf(matchingProviders, providerRequest, "from.amount")
          return yield* storeQuote(providerRequest, bestOffer, { tokenAmount: amount, transactionFeePercent })
        })
      })
    })
  )
}
