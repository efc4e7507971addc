import { Context, DateTime, Effect, Layer } from "effect"
import type { ChainId, EvmChainId } from "../chains/index.ts"
import { type BadRequest, requireNoProblem, requireValid, type UpstreamUnavailable } from "../errors/index.ts"
import type { UnpaidGasLimit } from "../losses/index.ts"
import type { WalletAddress } from "../primitives/index.ts"
import type { Project } from "../projects/index.ts"
import { QuoteStore, quoteOfPrepared } from "../quotes/index.ts"
import { requireListed, TokenCatalog, type TokensNotAuthorized } from "../tokens/index.ts"
import { type SmartWallet, WalletNotRegistered, Wallets } from "../wallets/index.ts"
import { healthRefusal } from "./healthBounds.ts"
import { type LendingQuote, lendingKind } from "./LendingContent.ts"
import {
  type LendingLegs,
  type LendingMarketInfo,
  LendingMarkets,
  type LendingOutcome,
  type LendingPosition
} from "./LendingMarket.ts"
import { legOf, type ResolvedOrder } from "./LendingOrder.ts"
import { type LendingProviderId, LendingRequest } from "./LendingRequest.ts"
import { LendingSettings } from "./LendingSettings.ts"
import { lendingActions, lendingTypeOf } from "./LendingType.ts"
import { contentOf, detailsOf, expectedOf } from "./lendingContentOf.ts"
import { legProblems, providerProblems, requireLendingChain, shapeProblems } from "./lendingProblems.ts"
import { LoanStore } from "./liquidations/LoanStore.ts"
import { firstLookAt } from "./liquidations/LoanUpkeep.ts"
import { type Listed, listedOn, placesOf } from "./listedOn.ts"
import { preparingLoans } from "./preparingLoans.ts"

export type LendingError = WalletNotRegistered | TokensNotAuthorized | BadRequest | UnpaidGasLimit | UpstreamUnavailable

/** Whether there is a debt to follow: one that comes, or one that is there, whoever made it. */
const mayOwe = ({ borrow, repay }: LendingLegs, { before }: LendingOutcome): boolean =>
  borrow !== undefined || repay !== undefined || before.healthFactorE18 !== null

const requireLendingRequest = requireValid(LendingRequest)

/** Lending on EVM chains: what it costs, what it changes, and what there is. */
export class Lending extends Context.Service<
  Lending,
  {
    /**
     * Prepares a lending operation and stores it, to be executed by its hash. Refusals in this order: wallet not registered,
     * legs that make no type or are on two chains, tokens not listed, all other problems of the request (all at once), gas left
     * unpaid before, a gas token that no paymaster accepts, a token without a market, a health factor below the limit.
     */
    readonly quote: (project: Project, request: LendingRequest) => Effect.Effect<LendingQuote, LendingError>
    /** The markets of one provider or all, on one chain or on all that are looked at. A chain without the provider is refused. */
    readonly markets: (filter: {
      readonly chainId: ChainId | null
      readonly provider: LendingProviderId | null
    }) => Effect.Effect<Listed<LendingMarketInfo>, BadRequest | UpstreamUnavailable>
    /** What a wallet has supplied and owes, in tokens that the service lists. */
    readonly positions: (
      project: Project,
      walletAddress: WalletAddress
    ) => Effect.Effect<Listed<LendingPosition>, UpstreamUnavailable | WalletNotRegistered>
  }
>()("@countersign/core/lending/Lending") {
  static readonly layer = Layer.effect(
    Lending,
    Effect.gen(function* () {
      const wallets = yield* Wallets
      const catalog = yield* TokenCatalog
      const prepare = yield* preparingLoans
      const store = yield* QuoteStore
      const loans = yield* LoanStore
      const { chainIds, providers } = yield* LendingMarkets
      const settings = yield* LendingSettings

      const requireSmartWallet = Effect.fnUntraced(function* (project: Project, walletAddress: WalletAddress) {
        const wallet = yield* wallets.require(project.id, walletAddress)
        return wallet.type === "SMART" ? wallet : yield* new WalletNotRegistered({ walletAddress })
      })

      const watch = Effect.fnUntraced(function* (project: Project, wallet: SmartWallet, chainId: EvmChainId) {
        const loan = { projectId: project.id, walletAddress: wallet.account.address }
        yield* loans.watch(loan, chainId, firstLookAt(yield* DateTime.now))
      })

      const resolve = Effect.fnUntraced(function* (project: Project, input: LendingRequest) {
        const request = yield* requireLendingRequest(input)
        const wallet = yield* requireSmartWallet(project, request.walletAddress)
        yield* requireNoProblem(shapeProblems(request))
        const present = lendingActions.filter((action) => request[action] !== undefined)
        const chainId = request[present[0]!]!.chainId
        const tokens = yield* requireListed(catalog, [
          ...present.map((action) => ({
            field: `${action}.tokenAddress`,
            chainId,
            address: request[action]!.tokenAddress
          })),
          { field: "gas.tokenAddress", chainId, address: request.gas.tokenAddress }
        ])
        const payGasFeeToken = tokens.at(-1)!
        const legs: LendingLegs = Object.fromEntries(
          present.map((action, i) => [action, legOf(request[action]!, tokens[i]!)])
        )
        const provider = providers.find(({ id }) => id === request.provider)!
        yield* requireNoProblem([
          ...providerProblems(provider, providers, chainId),
          ...legProblems(request, legs, payGasFeeToken)
        ])
        const type = lendingTypeOf(request)!
        const order: ResolvedOrder = { project, wallet, request, type, chainId, provider, legs, payGasFeeToken }
        return order
      })

      return Lending.of({
        quote: Effect.fn("Lending.quote")(function* (project, input) {
          const order = yield* resolve(project, input)
          const { offer, outcome, prepared, quoted } = yield* prepare(order)
          const { acceptLowHealthFactor = false, metadata } = order.request
          const refusal = healthRefusal(outcome, settings, acceptLowHealthFactor)
          if (refusal !== null) return yield* refusal
          const content = contentOf(order, offer, outcome, prepared, quoted)
          const quote = quoteOfPrepared({
            project,
            kind: lendingKind,
            content,
            prepared,
            transaction: {
              type: order.type,
              expected: expectedOf(order, content, offer, quoted),
              details: detailsOf(content)
            },
            metadata
          })
          if (mayOwe(order.legs, outcome)) yield* watch(project, order.wallet, order.chainId)
          yield* store.insert([quote])
          return { quote, content }
        }),
        markets: Effect.fn("Lending.markets")(function* ({ chainId, provider }) {
          const named = chainId === null ? null : yield* requireLendingChain(chainId)
          const asked = providers.find(({ id }) => id === provider)
          if (named !== null && asked !== undefined) yield* requireNoProblem(providerProblems(asked, providers, named))
          return yield* listedOn(
            catalog,
            placesOf(named === null ? chainIds() : [named], providers, provider),
            (place) => place.provider.markets(place.chainId),
            ({ collateralToken, loanToken }) => (collateralToken === null ? [loanToken] : [loanToken, collateralToken])
          )
        }),
        positions: Effect.fn("Lending.positions")(function* (project, walletAddress) {
          const wallet = yield* requireSmartWallet(project, walletAddress)
          const positions = yield* listedOn(
            catalog,
            placesOf(chainIds(), providers),
            (place) => place.provider.positions(place.chainId, wallet.account.address),
            ({ token }) => [token]
          )
          const owing = positions.found.filter(({ item }) => item.type === "borrow")
          for (const chainId of new Set(owing.map((position) => position.chainId))) {
            yield* watch(project, wallet, chainId)
          }
          return positions
        })
      })
    })
  )
}
