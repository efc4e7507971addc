import { Context, DateTime, Effect, Layer } from "effect"
import type { ChainId, EvmChainId } from "../../../foundation/chains/index.ts"
import { BadRequest, type UpstreamUnavailable } from "../../../foundation/errors/index.ts"
import { isNativeToken, withAssumptions } from "../../../foundation/primitives/index.ts"
import {
  type QuotedPrices,
  quotedPrices,
  type Token,
  TokenPrices,
  type TokensNotAuthorized
} from "../../../foundation/tokens/index.ts"
import type { Project } from "../../../tenancy/projects/index.ts"
import type { SmartWallet, WalletNotRegistered } from "../../../wallets/registry/index.ts"
import { type GasFee, type Intent, mainOperation, type UserOperationIntent } from "../../intents/index.ts"
import { maxUnpaidGasOf, UnpaidGasLedger, type UnpaidGasLimit } from "../../unpaid-gas/index.ts"
import {
  type Call,
  inclusionGraceSeconds,
  type OperationContext,
  provisionalLimits,
  type RevertReason,
  type SignableOperation,
  type Simulation,
  UserOperationBuilder
} from "../../user-operations/index.ts"
import type { Quote, QuoteKind } from "../Quote.ts"
import { type QuoteExists, QuoteStore } from "../QuoteStore.ts"
import { assetChanges } from "./AssetChange.ts"
import { type MissingBalance, missingBalanceSentence, missingBalances, type SpentAmount } from "./missingBalances.ts"
import { prefundTransfers } from "./prefund.ts"
import { type DecodedQuote, type PreparedPlan, preparedQuoteOf, type QuoteResult } from "./preparedQuote.ts"
import { QuoteSettings } from "./QuoteSettings.ts"
import { remainingAllowances } from "./RemainingAllowance.ts"
import { withExplanation } from "./withExplanation.ts"

/** The wallet and chain of an operation, and the token that pays its gas. */
export interface OperationOrder {
  readonly project: Project
  readonly wallet: SmartWallet
  readonly chainId: EvmChainId
  readonly payGasFeeToken: Token
  /** The tokens that the operation may spend from the wallet. */
  readonly spent: ReadonlyArray<Token>
  /** The request field that contains the gas token. The default is `payGasFeeToken`. */
  readonly gasTokenField?: string
}

/** The parameters of a plan. */
export interface PlanParameters {
  /** The maximum gas fee, in base units of the gas token. */
  readonly maxGasFee: bigint
  /** Unix seconds. The contracts must revert the calls after this time. */
  readonly deadline: number
}

type WithCalls = { readonly calls: ReadonlyArray<Call> }

export interface PrepareRequest<P, E> {
  /** Upper bound for the gas of the calls, used for the first plan. */
  readonly callGas: bigint
  /** Gas cost of the calldata. Set if it is large. */
  readonly preVerificationGas?: bigint
  /** Additional gas that the calls may need in a block after the simulated one. */
  readonly laterCallGas?: bigint
  /** Calls of a separate operation that runs before this one. */
  readonly before?: ReadonlyArray<Call>
  /**
   * Returns the calls of the operation. It is usually called two or three times, each time with a more exact gas fee.
   */
  readonly plan: (planFor: PlanParameters) => Effect.Effect<P, E>
  /**
   * Returns the tokens that a plan spends from the wallet, without gas. If the plan reverts, they are compared with the
   * balances.
   */
  readonly listSpentAmounts: (plan: P) => ReadonlyArray<SpentAmount>
  /**
   * Adds an explanation why a plan reverts, now or later, in the feature's terms. If the feature has no explanation,
   * returns the input.
   */
  readonly explain?: (revert: RevertReason | null, plan: P) => RevertReason | null
}

/** A user operation that is ready to be signed. */
export interface PreparedOperation<P> extends PreparedPlan<P, GasFee> {
  readonly simulation: Simulation
}

/** The data from which a quote's response is built. */
export interface QuoteData<Data, Extra, Plan> {
  readonly featureData: Data
  readonly beside: Extra
  readonly context: OperationContext
  readonly prepared: PreparedOperation<Plan>
}

/** The functions that a feature provides to quote an operation. */
export interface QuotedOperation<Data, DataError, Plan, PlanError, Extra, ExtraError, Content, ResponseError> {
  readonly kind: QuoteKind<Content>
  /** Requests the data that the plan needs, concurrently with the account's state. */
  readonly readData: Effect.Effect<Data, DataError>
  readonly prepare: (featureData: Data, context: OperationContext) => PrepareRequest<Plan, PlanError>
  /** Requests further data for the response, concurrently with the simulation. */
  readonly readExtraData: (featureData: Data, context: OperationContext) => Effect.Effect<Extra, ExtraError>
  readonly respond: (data: QuoteData<Data, Extra, Plan>) => Effect.Effect<QuoteResult<Content>, ResponseError>
}

type GasRefusal = BadRequest | UnpaidGasLimit | UpstreamUnavailable

/** The common errors of quote requests. */
export type QuoteRefusal = WalletNotRegistered | TokensNotAuthorized | GasRefusal

const intentOf = (
  account: UserOperationIntent["account"],
  { gas, hash, operation, signData }: SignableOperation
): UserOperationIntent => ({
  type: "USER_OPERATION",
  account,
  operation,
  hash,
  gas,
  signData
})
/** Explains a revert that is caused by a low balance of the wallet. */
const explainRevert = (
  revert: RevertReason | null,
  missing: ReadonlyArray<MissingBalance>,
  fundingHint: QuoteSettings["fundingHint"]
): RevertReason | null => {
  if (revert === null || missing.length === 0) return revert
  const sentences = missing.flatMap((one) => [
    missingBalanceSentence(one),
    ...(fundingHint === undefined ? [] : [fundingHint(one)])
  ])
  return withExplanation(revert, sentences)
}

/** Prepares a plan that has its own intents and no user operation. */
const planWithoutOperation = <P extends { readonly intents: ReadonlyArray<Intent> }>(
  plan: P,
  quotedAt: DateTime.Utc,
  expiresAt: DateTime.Utc
): PreparedPlan<P> => ({
  plan,
  intents: plan.intents,
  gas: null,
  calls: [],
  assetChanges: [],
  allowances: [],
  notSeen: null,
  revertReason: null,
  quotedAt,
  expiresAt
})

/** Prepares the content that owners sign, and stores the quotes. */
export class Preparations extends Context.Service<
  Preparations,
  {
    /**
     * Prepares an operation and stores its quote: reads the gas terms, the account's state and the feature's data,
     * simulates the plan, and builds the response. Fails with a bad request if no paymaster accepts the gas token.
     * Fails without requests to upstreams if the wallet or its owner has too much unpaid gas.
     */
    readonly quote: <A, E1, P extends WithCalls, E2, B, E3, Content, E4>(
      order: OperationOrder,
      operation: QuotedOperation<A, E1, P, E2, B, E3, Content, E4>
    ) => Effect.Effect<DecodedQuote<Content>, E1 | E2 | E3 | E4 | GasRefusal>
    /**
     * Step 1: requests the terms of the gas payment. Returns an effect that reads the account's state in one round
     * trip.
     */
    readonly requestContext: (
      order: OperationOrder
    ) => Effect.Effect<Effect.Effect<OperationContext, UpstreamUnavailable>, GasRefusal>
    /** Step 2: plans the calls with the gas fee from their simulation, which needs at least one more round trip. */
    readonly prepare: <P extends WithCalls, E>(
      context: OperationContext,
      request: PrepareRequest<P, E>
    ) => Effect.Effect<PreparedOperation<P>, E | UpstreamUnavailable>
    /** Replaces steps 1 and 2 for a plan that has its own intents and no user operation. */
    readonly prepareIntents: <P extends { readonly intents: ReadonlyArray<Intent> }, E>(
      plan: (planFor: PlanParameters) => Effect.Effect<P, E>
    ) => Effect.Effect<PreparedPlan<P>, E>
    /** Step 3: stores the quotes. Fails if the gas that a quote may leave unpaid exceeds the remaining budgets. */
    readonly storeQuotes: (quotes: ReadonlyArray<Quote>) => Effect.Effect<void, UnpaidGasLimit | QuoteExists>
    /** Reads the prices that a quote uses: of these tokens, and of the native token. */
    readonly readPrices: (chainId: ChainId, tokens: ReadonlyArray<Token>) => Effect.Effect<QuotedPrices>
  }
>()("@countersign/core/quotes/Preparations") {
  static readonly layer = Layer.effect(
    Preparations,
    Effect.gen(function* () {
      const builder = yield* UserOperationBuilder
      const unpaidGasLedger = yield* UnpaidGasLedger
      const prices = yield* TokenPrices
      const store = yield* QuoteStore
      const { fundingHint, quoteSeconds } = yield* QuoteSettings

      const quoteTimes = Effect.map(DateTime.now, (quotedAt) => {
        const expiresAt = DateTime.add(quotedAt, { seconds: quoteSeconds })
        return { quotedAt, expiresAt, expiresAtSeconds: Math.floor(DateTime.toEpochMillis(expiresAt) / 1000) }
      })

      const open = Effect.fnUntraced(function* (order: OperationOrder) {
        const { chainId, gasTokenField = "payGasFeeToken", payGasFeeToken, project, spent, wallet } = order
        const { account } = wallet
        const usesPaymaster = !isNativeToken(payGasFeeToken.address)
        yield* unpaidGasLedger.admit({ projectId: project.id, account, usesPaymaster })
        const request = { chainId, account, payGasFeeToken, tokens: spent.map(({ address }) => address) }
        const terms = yield* Effect.catchTag(builder.gasTerms(request), "GAS_TOKEN_NOT_ACCEPTED", (refusal) =>
          Effect.fail(BadRequest.of(gasTokenField, "gas_token_not_accepted", refusal.message))
        )
        return builder.readContext(request, terms)
      })

      const prepare = Effect.fn("Preparations.prepare")(function* <P extends WithCalls, E>(
        context: OperationContext,
        request: PrepareRequest<P, E>
      ) {
        const { before = [], explain = (revert) => revert, laterCallGas = 0n, plan, listSpentAmounts: spends } = request
        const { expiresAt, expiresAtSeconds, quotedAt } = yield* quoteTimes
        // Contracts use the block time, which may be ahead of this machine's clock.
        const deadline =
          Math.max(expiresAtSeconds, context.state.blockTimestamp + quoteSeconds) +
          inclusionGraceSeconds(context.chainId)
        const operation = yield* builder.build(context, {
          expiresAtSeconds,
          provisionalLimits: provisionalLimits(request.callGas, request.preVerificationGas),
          laterCallGas,
          before,
          plan: (maxGasFee, waitSeconds) => plan({ maxGasFee, deadline: deadline + waitSeconds })
        })
        const { calls, first, simulation, totalGas } = operation
        const missingAmounts = missingBalances(context, totalGas, spends(operation.plan))
        const revert = explainRevert(simulation.revert, missingAmounts, fundingHint)
        const prefund =
          revert === null ? prefundTransfers(context, operation.operation.entryPoint, totalGas.maxWei) : []
        const { account, chainId } = context
        const preparedOperation: PreparedOperation<P> = {
          plan: operation.plan,
          intents:
            first === null ? [intentOf(account, operation)] : [intentOf(account, first), intentOf(account, operation)],
          gas: totalGas,
          calls,
          assetChanges: assetChanges(chainId, context.account.address, [...prefund, ...simulation.transfers]),
          allowances: remainingAllowances(chainId, simulation.allowanceChanges),
          notSeen: simulation.notSeen,
          revertReason: explain(revert, operation.plan),
          simulation,
          quotedAt,
          expiresAt
        }
        return preparedOperation
      })

      const prepareIntents = Effect.fnUntraced(function* <P extends { readonly intents: ReadonlyArray<Intent> }, E>(
        plan: (planFor: PlanParameters) => Effect.Effect<P, E>
      ) {
        const { expiresAt, expiresAtSeconds, quotedAt } = yield* quoteTimes
        const plannedIntents = yield* plan({ maxGasFee: 0n, deadline: expiresAtSeconds })
        return planWithoutOperation(plannedIntents, quotedAt, expiresAt)
      })

      const storeQuotes = Effect.fnUntraced(function* (quotes: ReadonlyArray<Quote>) {
        for (const newQuote of quotes) {
          const unpaidGas = maxUnpaidGasOf(newQuote)
          if (unpaidGas !== null) yield* unpaidGasLedger.admitUnpaid(newQuote.projectId, unpaidGas)
        }
        yield* store.insert(quotes)
      })

      const quote = Effect.fnUntraced(function* <A, E1, P extends WithCalls, E2, B, E3, Content, E4>(
        order: OperationOrder,
        operation: QuotedOperation<A, E1, P, E2, B, E3, Content, E4>
      ) {
        const { chainId, project, wallet } = order
        const prepareData = Effect.gen(function* () {
          const contextEffect = yield* open(order)
          const [context, featureData] = yield* Effect.all([contextEffect, operation.readData], { concurrency: 2 })
          const [prepared, beside] = yield* Effect.all(
            [prepare(context, operation.prepare(featureData, context)), operation.readExtraData(featureData, context)],
            { concurrency: 2 }
          )
          return { featureData, beside, context, prepared }
        })
        const preparedData = yield* withAssumptions(prepareData)
        const quotedOperation = preparedQuoteOf({
          id: mainOperation(preparedData.prepared.intents)!.hash,
          project,
          wallet,
          kind: operation.kind,
          prepared: preparedData.prepared,
          response: yield* operation.respond(preparedData),
          chainIdIn: chainId,
          chainIdOut: chainId,
          stages: []
        })
        // Each quote has operations with new nonces, so an equal id is a defect.
        yield* Effect.catchTag(storeQuotes([quotedOperation.quote]), "QUOTE_EXISTS", Effect.die)
        return quotedOperation
      })

      return Preparations.of({
        quote,
        storeQuotes: storeQuotes,
        requestContext: open,
        prepare,
        prepareIntents,
        readPrices: (chainId, tokens) => quotedPrices(prices, chainId, tokens)
      })
    })
  )
}
