import { Context, DateTime, Effect, Layer } from "effect"
import type { ChainId, EvmChainId } from "../../../foundation/chains/index.ts"
import { BadRequest, type UpstreamUnavailable } from "../../../foundation/errors/index.ts"
import { isNativeCoin, withAssumptions } from "../../../foundation/primitives/index.ts"
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
import { Losses, type UnpaidGasLimit, unpaidGasOf } from "../../losses/index.ts"
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
import { explainedBy } from "./explainedBy.ts"
import { type MissingBalance, missingBalanceSentence, missingBalances, type Spend } from "./missingBalances.ts"
import { prefundTransfers } from "./prefund.ts"
import { type Answer, type Prepared, type Quoted, quoteOfPrepared } from "./preparedQuote.ts"
import { QuoteSettings } from "./QuoteSettings.ts"
import { remainingAllowances } from "./RemainingAllowance.ts"

/** The wallet and chain of an operation, and the token that pays its gas. */
export interface OperationOrder {
  readonly project: Project
  readonly wallet: SmartWallet
  readonly chainId: EvmChainId
  readonly payGasFeeToken: Token
  /** Tokens that the operation can take of the wallet. */
  readonly spent: ReadonlyArray<Token>
  /** The field of the request that names the gas token; `payGasFeeToken` when left out. */
  readonly gasTokenField?: string
}

/** The parameters of a plan. */
export interface PlanFor {
  /** The most that gas can take, in base units of the token that pays. */
  readonly maxGasFee: bigint
  /** Unix seconds. Contracts must refuse the calls after this time. */
  readonly deadline: number
}

type WithCalls = { readonly calls: ReadonlyArray<Call> }

export interface PrepareRequest<P, E> {
  /** A generous gas limit for the calls of such an operation: for the first plan. */
  readonly callGas: bigint
  /** The cost of their bytes, where they are more than a few. */
  readonly preVerificationGas?: bigint
  /** Gas that the calls take in a later block, and may not have taken in the one that they were run on. */
  readonly laterCallGas?: bigint
  /** Calls that are made by an operation of their own, which goes before. */
  readonly before?: ReadonlyArray<Call>
  /** The calls of the operation. Called two or three times, each time with a more exact gas fee. */
  readonly plan: (planFor: PlanFor) => Effect.Effect<P, E>
  /** The tokens that a plan takes from the wallet, without gas. Where it would revert, a missing balance is told. */
  readonly spends: (plan: P) => ReadonlyArray<Spend>
  /** Says in the feature's own words why a plan reverts, or that it will; what it is given where it knows nothing more. */
  readonly explain?: (revert: RevertReason | null, plan: P) => RevertReason | null
}

/** A user operation that is ready to be signed. */
export interface PreparedOperation<P> extends Prepared<P, GasFee> {
  readonly simulation: Simulation
}

/** All that is known of an operation once it was run. */
export interface Found<Asked, Beside, Plan> {
  readonly asked: Asked
  readonly beside: Beside
  readonly context: OperationContext
  readonly prepared: PreparedOperation<Plan>
}

/** The part of a quote that its feature provides. */
export interface QuotedOperation<Asked, AskError, Plan, PlanError, Beside, BesideError, Content, AnswerError> {
  readonly kind: QuoteKind<Content>
  /** Data that the plan needs: requested at the same time as the account's state. */
  readonly ask: Effect.Effect<Asked, AskError>
  readonly prepare: (asked: Asked, context: OperationContext) => PrepareRequest<Plan, PlanError>
  /** Further data for the answer: requested while the operation is run. */
  readonly beside: (asked: Asked, context: OperationContext) => Effect.Effect<Beside, BesideError>
  readonly answer: (found: Found<Asked, Beside, Plan>) => Effect.Effect<Answer<Content>, AnswerError>
}

type GasRefusal = BadRequest | UnpaidGasLimit | UpstreamUnavailable

/** The errors that every request for a quote can have. */
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
/** Why an operation reverts, in words of what the wallet has, where that is why. */
const explained = (
  revert: RevertReason | null,
  missing: ReadonlyArray<MissingBalance>,
  fundingHint: QuoteSettings["fundingHint"]
): RevertReason | null => {
  if (revert === null || missing.length === 0) return revert
  const sentences = missing.flatMap((one) => [
    missingBalanceSentence(one),
    ...(fundingHint === undefined ? [] : [fundingHint(one)])
  ])
  return explainedBy(revert, sentences)
}

/** What is signed brings its own intents, and no user operation. */
const withoutOperation = <P extends { readonly intents: ReadonlyArray<Intent> }>(
  plan: P,
  quotedAt: DateTime.Utc,
  expiresAt: DateTime.Utc
): Prepared<P> => ({
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

/** Prepares everything that is signed, and stores the quotes of single operations. */
export class Preparations extends Context.Service<
  Preparations,
  {
    /**
     * An operation from its order to its stored quote: the gas terms, the account's state and all that the feature asks for,
     * the run of its plan, the answer. A gas token that no paymaster takes is the caller's mistake. It ends before any
     * request where the wallet or its owner has left too much gas unpaid.
     */
    readonly quote: <A, E1, P extends WithCalls, E2, B, E3, Content, E4>(
      order: OperationOrder,
      operation: QuotedOperation<A, E1, P, E2, B, E3, Content, E4>
    ) => Effect.Effect<Quoted<Content>, E1 | E2 | E3 | E4 | GasRefusal>
    /** The first step of it: on which terms gas is paid. What it answers reads the account's state, in one round trip. */
    readonly open: (
      order: OperationOrder
    ) => Effect.Effect<Effect.Effect<OperationContext, UpstreamUnavailable>, GasRefusal>
    /** The second step, and round trip: plans the calls for the gas that a run of them takes. */
    readonly prepare: <P extends WithCalls, E>(
      context: OperationContext,
      request: PrepareRequest<P, E>
    ) => Effect.Effect<PreparedOperation<P>, E | UpstreamUnavailable>
    /** In place of both, where a plan brings by itself what is to be signed, and no user operation. */
    readonly prepareIntents: <P extends { readonly intents: ReadonlyArray<Intent> }, E>(
      plan: (planFor: PlanFor) => Effect.Effect<P, E>
    ) => Effect.Effect<Prepared<P>, E>
    /** The last step: stores the quotes, unless the gas that one may leave unpaid is more than the budgets have left. */
    readonly keep: (quotes: ReadonlyArray<Quote>) => Effect.Effect<void, UnpaidGasLimit | QuoteExists>
    /** The prices that a quote is computed with: of these tokens, and of the chain's coin. */
    readonly prices: (chainId: ChainId, tokens: ReadonlyArray<Token>) => Effect.Effect<QuotedPrices>
  }
>()("@countersign/core/quotes/Preparations") {
  static readonly layer = Layer.effect(
    Preparations,
    Effect.gen(function* () {
      const builder = yield* UserOperationBuilder
      const losses = yield* Losses
      const prices = yield* TokenPrices
      const store = yield* QuoteStore
      const { fundingHint, quoteSeconds } = yield* QuoteSettings

      const times = Effect.map(DateTime.now, (quotedAt) => {
        const expiresAt = DateTime.add(quotedAt, { seconds: quoteSeconds })
        return { quotedAt, expiresAt, expiresAtSeconds: Math.floor(DateTime.toEpochMillis(expiresAt) / 1000) }
      })

      const open = Effect.fnUntraced(function* (order: OperationOrder) {
        const { chainId, gasTokenField = "payGasFeeToken", payGasFeeToken, project, spent, wallet } = order
        const { account } = wallet
        yield* losses.admit({ projectId: project.id, account, usesPaymaster: !isNativeCoin(payGasFeeToken.address) })
        const request = { chainId, account, payGasFeeToken, tokens: spent.map(({ address }) => address) }
        const terms = yield* Effect.catchTag(builder.gasTerms(request), "GAS_TOKEN_NOT_ACCEPTED", (refusal) =>
          Effect.fail(BadRequest.of(gasTokenField, "gas_token_not_accepted", refusal.message))
        )
        return builder.open(request, terms)
      })

      const prepare = Effect.fn("Preparations.prepare")(function* <P extends WithCalls, E>(
        context: OperationContext,
        request: PrepareRequest<P, E>
      ) {
        const { before = [], explain = (revert) => revert, laterCallGas = 0n, plan, spends } = request
        const { expiresAt, expiresAtSeconds, quotedAt } = yield* times
        // Contracts use the chain's clock, which may be ahead of ours.
        const deadline =
          Math.max(expiresAtSeconds, context.state.blockTimestamp + quoteSeconds) +
          inclusionGraceSeconds(context.chainId)
        const built = yield* builder.build(context, {
          expiresAtSeconds,
          provisionalLimits: provisionalLimits(request.callGas, request.preVerificationGas),
          laterCallGas,
          before,
          plan: (maxGasFee, waitSeconds) => plan({ maxGasFee, deadline: deadline + waitSeconds })
        })
        const { calls, first, simulation, totalGas } = built
        const revert = explained(simulation.revert, missingBalances(context, totalGas, spends(built.plan)), fundingHint)
        const prefund = revert === null ? prefundTransfers(context, built.operation.entryPoint, totalGas.maxWei) : []
        const { account, chainId } = context
        const prepared: PreparedOperation<P> = {
          plan: built.plan,
          intents: first === null ? [intentOf(account, built)] : [intentOf(account, first), intentOf(account, built)],
          gas: totalGas,
          calls,
          assetChanges: assetChanges(chainId, context.account.address, [...prefund, ...simulation.transfers]),
          allowances: remainingAllowances(chainId, simulation.allowanceChanges),
          notSeen: simulation.notSeen,
          revertReason: explain(revert, built.plan),
          simulation,
          quotedAt,
          expiresAt
        }
        return prepared
      })

      const prepareIntents = Effect.fnUntraced(function* <P extends { readonly intents: ReadonlyArray<Intent> }, E>(
        plan: (planFor: PlanFor) => Effect.Effect<P, E>
      ) {
        const { expiresAt, expiresAtSeconds, quotedAt } = yield* times
        const planned = yield* plan({ maxGasFee: 0n, deadline: expiresAtSeconds })
        return withoutOperation(planned, quotedAt, expiresAt)
      })

      const keep = Effect.fnUntraced(function* (quotes: ReadonlyArray<Quote>) {
        for (const one of quotes) {
          const unpaid = unpaidGasOf(one)
          if (unpaid !== null) yield* losses.admitUnpaid(one.projectId, unpaid)
        }
        yield* store.insert(quotes)
      })

      const quote = Effect.fnUntraced(function* <A, E1, P extends WithCalls, E2, B, E3, Content, E4>(
        order: OperationOrder,
        operation: QuotedOperation<A, E1, P, E2, B, E3, Content, E4>
      ) {
        const { chainId, project, wallet } = order
        const find = Effect.gen(function* () {
          const contextEffect = yield* open(order)
          const [context, asked] = yield* Effect.all([contextEffect, operation.ask], { concurrency: 2 })
          const [prepared, beside] = yield* Effect.all(
            [prepare(context, operation.prepare(asked, context)), operation.beside(asked, context)],
            { concurrency: 2 }
          )
          return { asked, beside, context, prepared }
        })
        const found = yield* withAssumptions(find)
        const quoted = quoteOfPrepared({
          id: mainOperation(found.prepared.intents)!.hash,
          project,
          wallet,
          kind: operation.kind,
          prepared: found.prepared,
          answer: yield* operation.answer(found),
          chainIdIn: chainId,
          chainIdOut: chainId,
          stages: []
        })
        // Its operations have nonces and gas of their own.
        yield* Effect.catchTag(keep([quoted.quote]), "QUOTE_EXISTS", Effect.die)
        return quoted
      })

      return Preparations.of({
        quote,
        keep,
        open,
        prepare,
        prepareIntents,
        prices: (chainId, tokens) => quotedPrices(prices, chainId, tokens)
      })
    })
  )
}
