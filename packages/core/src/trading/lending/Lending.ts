import { Context, DateTime, Effect, Layer } from "effect"
import { type ChainId, chainOf, type EvmChainId, isEvmChainId, withTimeout } from "../../foundation/chains/index.ts"
import { BadRequest, requireNoProblem, type UpstreamUnavailable } from "../../foundation/errors/index.ts"
import type { Address, WalletAddress } from "../../foundation/primitives/index.ts"
import { type QuotedPrices, TokenCatalog } from "../../foundation/tokens/index.ts"
import {
  lookUps,
  Preparations,
  type QuoteData,
  type QuoteRefusal,
  QuoteSettings
} from "../../operations/quotes/index.ts"
import type { Project } from "../../tenancy/projects/index.ts"
import type { SmartWallet, WalletNotRegistered } from "../../wallets/registry/index.ts"
import { healthProblem, healthWarnings } from "./healthBounds.ts"
import { type LendingQuote, lendingKind } from "./LendingContent.ts"
import {
  type LendingLegs,
  type LendingMarketInfo,
  LendingMarkets,
  type LendingOffer,
  type LendingOutcome,
  type LendingPosition
} from "./LendingMarket.ts"
import { type LendingPlan, payingAction } from "./LendingPlan.ts"
import type { LendingProviderId, LendingRequest } from "./LendingRequest.ts"
import { LendingSettings } from "./LendingSettings.ts"
import { lendingActions } from "./LendingType.ts"
import { contentOf, detailsOf, expectedMovementsOf } from "./lendingContentOf.ts"
import { GAS_TOKEN_FIELD, lendingOrders, providerProblem, type ResolvedLending } from "./lendingOrders.ts"
import { debtOf, lendingPreparation } from "./lendingPreparation.ts"
import { lendingUses } from "./lendingUses.ts"
import { LoanStore } from "./liquidations/LoanStore.ts"
import { firstCheckAt } from "./liquidations/LoanUpkeep.ts"
import { type ListedResults, listOnProviders, providersOnChains } from "./listedOn.ts"
import { repaymentWarnings } from "./repayment.ts"

/** Returns whether the wallet may have a debt after the operation, new or existing. */
const mayHaveDebt = ({ borrow, repay }: LendingLegs, { before }: LendingOutcome): boolean =>
  borrow !== undefined || repay !== undefined || before.healthFactorE18 !== null

const requireLendingChain = (chainId: ChainId): Effect.Effect<EvmChainId, BadRequest> =>
  isEvmChainId(chainId)
    ? Effect.succeed(chainId)
    : Effect.fail(BadRequest.of("chainId", "not_evm", `${chainOf(chainId).name} has no lending markets.`))

/** Lending on EVM chains: quotes, markets and positions. */
export class Lending extends Context.Service<
  Lending,
  {
    /**
     * Prepares and stores a lending operation. The caller executes it by its hash. If several errors apply, the first
     * one in this list is returned:
     * - a violation of the request schema, or a chain that is not served
     * - the wallet is not registered
     * - an invalid combination of legs, or legs on two chains
     * - a token is not listed
     * - all other problems of the request
     * - too much unpaid gas
     * - a gas token that no paymaster accepts
     * - a token without a market
     * - a health factor below the limit
     */
    readonly quote: (project: Project, request: LendingRequest) => Effect.Effect<LendingQuote, QuoteRefusal>
    /**
     * Returns the markets of one or all providers, on one or all served chains. Fails if the provider does not serve
     * the chain.
     */
    readonly listMarkets: (filter: {
      readonly chainId: ChainId | null
      readonly provider: LendingProviderId | null
    }) => Effect.Effect<ListedResults<LendingMarketInfo>, BadRequest | UpstreamUnavailable>
    /** Returns the supplies and debts of any account in listed tokens. */
    readonly listAccountPositions: (
      account: Address
    ) => Effect.Effect<ListedResults<LendingPosition>, UpstreamUnavailable>
    /** Returns the supplies and debts of a registered wallet, and starts to watch its loans for liquidations. */
    readonly listPositions: (
      project: Project,
      walletAddress: WalletAddress
    ) => Effect.Effect<ListedResults<LendingPosition>, UpstreamUnavailable | WalletNotRegistered>
  }
>()("@countersign/core/lending/Lending") {
  static readonly layer = Layer.effect(
    Lending,
    Effect.gen(function* () {
      const lookUp = yield* lookUps
      const resolve = yield* lendingOrders
      const catalog = yield* TokenCatalog
      const preparations = yield* Preparations
      const loans = yield* LoanStore
      const { chainIds, providers } = yield* LendingMarkets
      const settings = yield* LendingSettings
      const { quoteSeconds } = yield* QuoteSettings

      const watch = Effect.fnUntraced(function* (project: Project, wallet: SmartWallet, chainId: EvmChainId) {
        const loan = { projectId: project.id, walletAddress: wallet.account.address }
        yield* loans.watch(loan, chainId, firstCheckAt(yield* DateTime.now))
      })

      const accountPositions = (account: Address) =>
        listOnProviders(
          catalog,
          providersOnChains(chainIds(), providers),
          ({ chainId, provider }) => withTimeout(chainId, provider.listPositions(chainId, account)),
          ({ token }) => [token]
        )

      const responseOf = Effect.fnUntraced(function* (
        order: ResolvedLending,
        {
          featureData: { offer, prices },
          beside,
          context,
          prepared
        }: QuoteData<{ offer: LendingOffer; prices: QuotedPrices }, LendingOutcome | null, LendingPlan>
      ) {
        const { chainId, legs, project, request, type, wallet } = order
        const { plan } = prepared
        const outcome = beside ?? (yield* offer.simulateOutcome(plan.calls))
        const refusal = healthProblem(outcome, settings, request.acceptLowHealthFactor ?? false)
        if (refusal !== null) return yield* refusal
        const warnings = [
          ...prices.warnings,
          ...offer.noticesOf(plan.legs),
          ...repaymentWarnings(plan.legs.repay, debtOf(offer, context, quoteSeconds)),
          ...healthWarnings(outcome, settings)
        ]
        const content = contentOf(order, offer, outcome, prepared, { ...prices, warnings })
        if (mayHaveDebt(legs, outcome)) yield* watch(project, wallet, chainId)
        const expectedMovementList = expectedMovementsOf(order, content, offer, prices)
        const uses = lendingUses(legs, offer)
        return {
          type,
          content,
          expected: expectedMovementList,
          details: detailsOf(content, offer),
          metadata: request.metadata,
          uses
        }
      })

      const quote = Effect.fn("Lending.quote")(function* (project: Project, input: LendingRequest) {
        const order = yield* resolve(project, input)
        const { chainId, legs, payGasFeeToken, provider, request, wallet } = order
        const legTokens = lendingActions.flatMap((action) => legs[action]?.token ?? [])
        return yield* preparations.quote(
          { project, wallet, chainId, payGasFeeToken, spent: legTokens, gasTokenField: GAS_TOKEN_FIELD },
          {
            kind: lendingKind,
            readData: Effect.all(
              {
                offer: provider.offer({ chainId, account: wallet.account.address, legs }),
                prices: preparations.readPrices(chainId, [...legTokens, payGasFeeToken])
              },
              { concurrency: 2 }
            ),
            prepare: ({ offer }, context) =>
              lendingPreparation(order, offer, debtOf(offer, context, quoteSeconds), context),
            // If the gas fee does not change the calls, their outcome can be simulated concurrently with the gas
            // estimate.
            readExtraData: ({ offer }, context) =>
              payingAction(request, legs, payGasFeeToken) === null
                ? offer.simulateOutcome(offer.buildCalls(legs, debtOf(offer, context, quoteSeconds).later))
                : Effect.succeed(null),
            respond: (preparedData) => responseOf(order, preparedData)
          }
        )
      })

      return Lending.of({
        quote,
        listMarkets: Effect.fn("Lending.markets")(function* ({ chainId, provider }) {
          const requestedChain = chainId === null ? null : yield* requireLendingChain(chainId)
          if (requestedChain !== null) yield* lookUp.served({ chainId: requestedChain })
          const requestedProvider = providers.find(({ id }) => id === provider)
          if (requestedChain !== null && requestedProvider !== undefined)
            yield* requireNoProblem([providerProblem(requestedProvider, providers, requestedChain)])
          return yield* listOnProviders(
            catalog,
            providersOnChains(requestedChain === null ? chainIds() : [requestedChain], providers, provider),
            (providerOnChain) => providerOnChain.provider.listMarkets(providerOnChain.chainId),
            ({ collateralToken, loanToken }) => (collateralToken === null ? [loanToken] : [loanToken, collateralToken])
          )
        }),
        listAccountPositions: accountPositions,
        listPositions: Effect.fn("Lending.positions")(function* (project, walletAddress) {
          const wallet = yield* lookUp.smartWallet(project, walletAddress)
          const positions = yield* accountPositions(wallet.account.address)
          const debts = positions.results.filter(({ item }) => item.type === "borrow")
          for (const chainId of new Set(debts.map((position) => position.chainId))) {
            yield* watch(project, wallet, chainId)
          }
          return positions
        })
      })
    })
  )
}
