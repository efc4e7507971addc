import { Context, Effect, Layer, Option } from "effect"
import { type EvmChainId, isEvmChainId } from "../chains/index.ts"
import { BadRequest, requireValid, type UpstreamUnavailable } from "../errors/index.ts"
import type { Movement } from "../history/index.ts"
import type { UnpaidGasLimit } from "../losses/index.ts"
import { baseUnitsOrNone, decimalFromBaseUnits, HexBytes, type WalletAddress } from "../primitives/index.ts"
import type { Project } from "../projects/index.ts"
import {
  contentOfPrepared,
  gasFeeOf,
  Preparations,
  type Prepared,
  QuoteSettings,
  QuoteStore,
  quoteOfPrepared
} from "../quotes/index.ts"
import {
  type QuotedPrices,
  quotedPrices,
  requireListed,
  type Token,
  TokenCatalog,
  TokenPrices,
  type TokensNotAuthorized,
  tokenKey,
  usdValueOrNull
} from "../tokens/index.ts"
import { type GasLimits, inclusionGraceSeconds, type RevertReason } from "../user-operations/index.ts"
import { type SmartWallet, WalletNotRegistered, Wallets } from "../wallets/index.ts"
import { healthRefusal, healthWarnings } from "./healthBounds.ts"
import { type LendingContent, type LendingQuote, lendingKind, type QuotedLeg } from "./LendingContent.ts"
import {
  type LendingLeg,
  type LendingLegs,
  type LendingMarket,
  type LendingMarketInfo,
  LendingMarkets,
  type LendingOffer,
  type LendingOutcome,
  type LendingPosition
} from "./LendingMarket.ts"
import { type LendingPlan, payingAction, planLending } from "./LendingPlan.ts"
import { type LendingProviderId, LendingRequest } from "./LendingRequest.ts"
import { LendingSettings } from "./LendingSettings.ts"
import { type LendingAction, type LendingType, lendingActions, lendingTypeOf } from "./LendingType.ts"
import { legProblems, providerProblems, shapeProblems } from "./lendingProblems.ts"
import { LoanStore } from "./liquidations/LoanStore.ts"

export type LendingError = WalletNotRegistered | TokensNotAuthorized | BadRequest | UnpaidGasLimit | UpstreamUnavailable

/** A market or a position of a provider, with the tokens that the service lists. */
export interface OnProvider<A> {
  readonly provider: Pick<LendingMarket, "id" | "name">
  readonly chainId: EvmChainId
  readonly item: A
  readonly tokens: ReadonlyArray<Token>
}

/** A generous gas limit for two legs with their approvals, of a wallet that is not deployed. */
const provisionalLimits: GasLimits = {
  callGasLimit: 1_200_000n,
  verificationGasLimit: 350_000n,
  preVerificationGas: 70_000n,
  paymasterVerificationGasLimit: 60_000n,
  paymasterPostOpGasLimit: 80_000n
}

interface ResolvedOrder {
  readonly project: Project
  readonly wallet: SmartWallet
  readonly request: LendingRequest
  readonly type: LendingType
  readonly chainId: EvmChainId
  readonly provider: LendingMarket
  readonly legs: LendingLegs
  readonly payGasFeeToken: Token
}

const requireLendingRequest = requireValid(LendingRequest)

const isOutgoing = (action: LendingAction): boolean => action === "supply" || action === "repay"

const quotedLegs = (legs: LendingLegs, offer: LendingOffer): LendingContent["legs"] =>
  Object.fromEntries(
    lendingActions.flatMap((action): ReadonlyArray<readonly [LendingAction, QuotedLeg]> => {
      const leg = legs[action]
      if (leg === undefined) return []
      const isMax = leg.amount === "MAX"
      return [[action, { token: leg.token, amount: leg.amount === "MAX" ? offer.amountOf(action) : leg.amount, isMax }]]
    })
  )

const contentOf = (
  order: ResolvedOrder,
  offer: LendingOffer,
  outcome: LendingOutcome,
  prepared: Prepared<LendingPlan>,
  prices: QuotedPrices
): LendingContent => ({
  ...contentOfPrepared(prepared, prices),
  request: order.request,
  type: order.type,
  provider: { id: order.provider.id, name: order.provider.name },
  chainId: order.chainId,
  marketId: offer.marketId,
  side: offer.side,
  legs: quotedLegs(prepared.operation.plan.legs, offer),
  receiptToken: offer.receiptToken,
  payGasFeeToken: order.payGasFeeToken,
  outcome,
  fees: [gasFeeOf(prepared.gas, prepared.intent)]
})

/** The expected movements, as quoted. */
const expectedOf = (
  { wallet }: ResolvedOrder,
  { legs }: LendingContent,
  offer: LendingOffer,
  { usd }: QuotedPrices
): ReadonlyArray<Movement> =>
  lendingActions.flatMap((action): ReadonlyArray<Movement> => {
    const leg = legs[action]
    if (leg === undefined) return []
    const { amount, token } = leg
    return [
      {
        direction: isOutgoing(action) ? "OUT" : "IN",
        role: "PRINCIPAL",
        account: wallet.account.address,
        asset: { chainId: token.chainId, token: token.address },
        amount,
        usd: usdValueOrNull(amount, token, usd.get(tokenKey(token))),
        counterparty: offer.contract,
        leg: 0
      }
    ]
  })

/** What history and webhooks say of a lending operation, beyond its movements. */
const detailsOf = ({ marketId, outcome, provider }: LendingContent) => ({
  lending: {
    provider: provider.id,
    marketId,
    healthFactorBefore: textOrNull(outcome.before.healthFactorE18),
    healthFactorAfter: textOrNull(outcome.after?.healthFactorE18 ?? null)
  }
})

const textOrNull = (e18: bigint | null): string | null => (e18 === null ? null : decimalFromBaseUnits(e18, 18))

const NO_BYTES = HexBytes.make("0x")

/** A revert in words of the market's state; or what a wallet will lack before the quote ends, where nothing reverts yet. */
const explainedRevert = (
  revert: RevertReason | null,
  obstacles: ReadonlyArray<string>,
  shortfall: string | null
): RevertReason | null => {
  if (revert === null) return shortfall === null ? null : { raw: NO_BYTES, decoded: shortfall, utf8: "" }
  return { ...revert, decoded: [...obstacles, revert.decoded].join(" ") }
}

/** What is missing to repay a whole debt when the quote ends; null where nothing is, and where no whole debt is repaid. */
const shortfallOf = (leg: LendingLeg | undefined, debt: bigint, balance: bigint): string | null => {
  if (leg?.amount !== "MAX" || balance >= debt) return null
  const text = (units: bigint) => `${decimalFromBaseUnits(units, leg.token.decimals)} ${leg.token.symbol}`
  return `${text(debt - balance)} are missing: the debt can be ${text(debt)} when the quote ends, and the wallet has ${text(balance)}.`
}

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
    /** The markets of one provider or all, on one chain or on all that are looked at. */
    readonly markets: (filter: {
      readonly chainId: EvmChainId | null
      readonly provider: LendingProviderId | null
    }) => Effect.Effect<ReadonlyArray<OnProvider<LendingMarketInfo>>, UpstreamUnavailable>
    /** What a wallet has supplied and owes, in tokens that the service lists. */
    readonly positions: (
      project: Project,
      walletAddress: WalletAddress
    ) => Effect.Effect<ReadonlyArray<OnProvider<LendingPosition>>, UpstreamUnavailable | WalletNotRegistered>
  }
>()("@countersign/core/lending/Lending") {
  static readonly layer = Layer.effect(
    Lending,
    Effect.gen(function* () {
      const wallets = yield* Wallets
      const catalog = yield* TokenCatalog
      const prices = yield* TokenPrices
      const preparations = yield* Preparations
      const store = yield* QuoteStore
      const loans = yield* LoanStore
      const { chainIds, providers } = yield* LendingMarkets
      const settings = yield* LendingSettings
      const { quoteSeconds } = yield* QuoteSettings

      const requireSmartWallet = Effect.fnUntraced(function* (project: Project, walletAddress: WalletAddress) {
        const wallet = yield* wallets.require(project.id, walletAddress)
        return wallet.type === "SMART" ? wallet : yield* new WalletNotRegistered({ walletAddress })
      })

      const refuse = ([first, ...others]: ReadonlyArray<BadRequest["problems"][number]>) =>
        first === undefined ? Effect.void : Effect.fail(new BadRequest({ problems: [first, ...others] }))

      const resolve = Effect.fnUntraced(function* (project: Project, input: LendingRequest) {
        const request = yield* requireLendingRequest(input)
        const wallet = yield* requireSmartWallet(project, request.walletAddress)
        yield* refuse(shapeProblems(request))
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
        yield* refuse([
          ...providerProblems(provider, providers, chainId),
          ...legProblems(request, legs, payGasFeeToken)
        ])
        const type = lendingTypeOf(request)!
        const order: ResolvedOrder = { project, wallet, request, type, chainId, provider, legs, payGasFeeToken }
        return order
      })

      /** Both round trips: the state of the account and of the market, then the run of the operation and of its legs. */
      const prepare = Effect.fnUntraced(function* (order: ResolvedOrder) {
        const { chainId, legs, payGasFeeToken, provider, request, wallet } = order
        const legTokens = lendingActions.flatMap((action) => legs[action]?.token ?? [])
        const account = {
          chainId,
          account: wallet.account,
          payGasFeeToken,
          tokens: legTokens.map(({ address }) => address)
        }
        const terms = yield* Effect.catchTag(
          preparations.gasTerms({ ...account, projectId: order.project.id }),
          "BAD_REQUEST",
          (refusal) => Effect.fail(refusal.withPaths(() => "gas.tokenAddress"))
        )
        const [context, offer, quoted] = yield* Effect.all(
          [
            preparations.open(account, terms),
            provider.offer({ chainId, account: wallet.account.address, legs }),
            quotedPrices(prices, chainId, [...legTokens, payGasFeeToken])
          ],
          { concurrency: 3 }
        )
        const paying = payingAction(request, legs, payGasFeeToken)
        // The last block that can have the operation, if it is signed as the quote ends.
        const latest = context.state.blockTimestamp + quoteSeconds + inclusionGraceSeconds(chainId)
        const debt = legs.repay === undefined ? 0n : offer.debtAtRoundingUp(latest)
        const preparing = preparations.prepare(context, {
          provisionalLimits,
          plan: planLending(offer, legs, paying, payGasFeeToken),
          spends: (plan) =>
            (["supply", "repay"] as const).flatMap((action) => {
              const leg = plan.legs[action]
              return leg === undefined ? [] : [{ token: leg.token, amount: leg.amount === "MAX" ? debt : leg.amount }]
            })
        })
        // Where gas does not change the calls, both are asked at once.
        const [prepared, early] = yield* Effect.all(
          [preparing, paying === null ? offer.outcome(offer.calls(legs)) : Effect.succeed(null)],
          { concurrency: 2 }
        )
        const { plan, simulation } = prepared.operation
        const outcome = early ?? (yield* offer.outcome(plan.calls))
        const balance = legs.repay === undefined ? 0n : (context.state.balances.get(tokenKey(legs.repay.token)) ?? 0n)
        const revert = explainedRevert(
          simulation.revert,
          offer.obstacles(plan.legs),
          shortfallOf(legs.repay, debt, balance)
        )
        const explained = {
          ...prepared,
          operation: { ...prepared.operation, simulation: { ...simulation, revert } }
        }
        return { prepared: explained, offer, outcome, quoted }
      })

      /** The listed tokens of what a provider has; none where one of them is not listed. */
      const listedOf = (chainId: EvmChainId, addresses: ReadonlyArray<Token["address"]>) =>
        Effect.map(
          Effect.forEach(addresses, (address) => catalog.find(chainId, address)),
          (found) => Option.all(found)
        )

      const withTokens = <A>(
        provider: LendingMarket,
        chainId: EvmChainId,
        items: ReadonlyArray<A>,
        addressesOf: (item: A) => ReadonlyArray<Token["address"]>
      ) =>
        Effect.map(
          Effect.forEach(items, (item) =>
            Effect.map(
              listedOf(chainId, addressesOf(item)),
              Option.map((tokens): OnProvider<A> => ({ provider, chainId, item, tokens }))
            )
          ),
          (found) => found.flatMap(Option.toArray)
        )

      /** Every provider on every chain where it is. */
      const everywhere = (chains: ReadonlyArray<EvmChainId>, provider: LendingProviderId | null) =>
        chains.flatMap((chainId) =>
          providers
            .filter((candidate) => (provider === null || candidate.id === provider) && candidate.serves(chainId))
            .map((candidate) => ({ chainId, candidate }))
        )

      return Lending.of({
        quote: Effect.fn("Lending.quote")(function* (project, input) {
          const order = yield* resolve(project, input)
          const { offer, outcome, prepared, quoted } = yield* prepare(order)
          const { acceptLowHealthFactor = false, metadata } = order.request
          const refusal = healthRefusal(outcome, settings, acceptLowHealthFactor)
          if (refusal !== null) return yield* refusal
          const warnings = [...quoted.warnings, ...healthWarnings(outcome, settings)]
          const content = contentOf(order, offer, outcome, prepared, { ...quoted, warnings })
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
          if (order.legs.borrow !== undefined || order.legs.repay !== undefined) {
            yield* loans.watch(project.id, order.wallet.account.address, order.chainId)
          }
          yield* store.insert([quote])
          return { quote, content }
        }),
        markets: Effect.fn("Lending.markets")(function* ({ chainId, provider }) {
          const places = everywhere(chainId === null ? chainIds() : [chainId], provider)
          const found = yield* Effect.forEach(
            places,
            ({ candidate, chainId: at }) =>
              Effect.flatMap(candidate.markets(at), (items) =>
                withTokens(candidate, at, items, ({ collateralToken, loanToken }) =>
                  collateralToken === null ? [loanToken] : [loanToken, collateralToken]
                )
              ),
            { concurrency: "unbounded" }
          )
          return found.flat()
        }),
        positions: Effect.fn("Lending.positions")(function* (project, walletAddress) {
          const { account } = yield* requireSmartWallet(project, walletAddress)
          const found = yield* Effect.forEach(
            everywhere(chainIds().filter(isEvmChainId), null),
            ({ candidate, chainId }) =>
              Effect.flatMap(candidate.positions(chainId, account.address), (items) =>
                withTokens(candidate, chainId, items, ({ token }) => [token])
              ),
            { concurrency: "unbounded" }
          )
          const positions = found.flat()
          const loanChains = new Set(
            positions.filter(({ item }) => item.type === "borrow").map(({ chainId }) => chainId)
          )
          yield* Effect.forEach(loanChains, (chainId) => loans.watch(project.id, account.address, chainId), {
            discard: true
          })
          return positions
        })
      })
    })
  )
}

const legOf = (leg: NonNullable<LendingRequest["supply"] | LendingRequest["withdraw"]>, token: Token): LendingLeg => ({
  token,
  amount: leg.amount === "MAX" ? "MAX" : Option.getOrElse(baseUnitsOrNone(leg.amount, token.decimals), () => 0n),
  marketId: leg.marketId ?? null,
  side: leg.side ?? null
})
