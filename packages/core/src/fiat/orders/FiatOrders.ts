import { Context, DateTime, Effect, Layer, Option } from "effect"
import { HistoryStore } from "../../accounting/history/index.ts"
import { BadRequest, requireValid } from "../../foundation/errors/index.ts"
import { Entropy, UnitOfWork } from "../../foundation/primitives/index.ts"
import type { TokensNotAuthorized } from "../../foundation/tokens/index.ts"
import { ExecutionStore, Executions, stageOf } from "../../operations/executions/index.ts"
import { mainOperation } from "../../operations/intents/index.ts"
import {
  contentOfPrepared,
  lookUps,
  Preparations,
  type Quote,
  type QuoteRefusal,
  QuoteStore,
  quoteOfPrepared
} from "../../operations/quotes/index.ts"
import { ChainReader } from "../../operations/user-operations/index.ts"
import { EventOutbox } from "../../tenancy/events/index.ts"
import type { Project, ProjectId } from "../../tenancy/projects/index.ts"
import type { WalletNotRegistered } from "../../wallets/registry/index.ts"
import {
  FailedToCreateFiatDeposit,
  FailedToCreateFiatWithdraw,
  FiatOrderNotFound,
  FiatQuoteAlreadyUsed,
  FiatQuoteExpired,
  FiatQuoteNotFound,
  type FinancialLimitExceeded,
  type IdentityNotFound,
  type IdentityNotVerified
} from "../errors.ts"
import { FiatLimits } from "../limits/FiatLimits.ts"
import { BankDestination } from "../methods/PaymentMethod.ts"
import { type BoundWithdrawal, type FiatAsk, FiatProviders } from "../provider/FiatProvider.ts"
import { FIAT_PAYOUT, FIAT_SUBMISSION, quoteOfDeposit } from "./depositQuote.ts"
import type { FiatOrder, FiatQuote } from "./FiatOrder.ts"
import { type FiatOrderFilter, FiatOrderStore } from "./FiatOrderStore.ts"
import { detailsOfOrder } from "./fiatDetails.ts"
import { fiatEvent } from "./fiatEvents.ts"
import { orderChanges } from "./OrderChanges.ts"
import { openedOrders } from "./openedOrders.ts"
import { movedOrder, resolvedOrder, withAllowanceLeft } from "./orderMove.ts"
import { type FiatDirection, type FiatOrderState, resolutionsOf } from "./orderStates.ts"
import {
  allowanceUses,
  expectedOfWithdrawal,
  netOfWithdrawal,
  planWithdrawal,
  withdrawalKind
} from "./withdrawalPlan.ts"

/** Of a withdrawal's operation: the approval, and the payment of a fee. */
const CALL_GAS = 250_000n
/** How long after its expiry an unsigned withdrawal is given up: an acceptance may be under way until then. */
const UNSIGNED_MINUTES = 5
const UNSIGNED_AT_ONCE = 100

type QuoteProblem = FiatQuoteNotFound | FiatQuoteExpired | FiatQuoteAlreadyUsed
type OrderRefusal = QuoteProblem | IdentityNotFound | IdentityNotVerified | FinancialLimitExceeded

/** An order, and what is executed for it: that asks for its owner's signature, where there is one. */
export interface MadeOrder {
  readonly order: FiatOrder
  readonly executed: Quote
}

/** An order and its transaction, once there is one. */
export interface ShownOrder {
  readonly order: FiatOrder
  readonly transactionId: string | null
}

const requireDestination = requireValid(BankDestination)

/** Orders of deposits and withdrawals. */
export class FiatOrders extends Context.Service<
  FiatOrders,
  {
    /** One order of a quote, whoever else asks for it. Its limits are held with it. */
    readonly deposit: (
      project: Project,
      quoteId: string
    ) => Effect.Effect<FiatOrder, OrderRefusal | FailedToCreateFiatDeposit>
    /** The same, and the operation that its owner signs and executes. */
    readonly withdraw: (
      project: Project,
      quoteId: string,
      destination: BankDestination
    ) => Effect.Effect<
      MadeOrder,
      OrderRefusal | Exclude<QuoteRefusal, WalletNotRegistered | TokensNotAuthorized> | FailedToCreateFiatWithdraw
    >
    readonly get: (projectId: ProjectId, id: string) => Effect.Effect<ShownOrder, FiatOrderNotFound>
    readonly list: (filter: FiatOrderFilter) => Effect.Effect<ReadonlyArray<FiatOrder>>
    /** Ends an order that is in review by an operator's decision. The same decision again: no change. */
    readonly resolve: (
      projectId: ProjectId,
      id: string,
      decision: { readonly status: FiatOrderState; readonly reason: string }
    ) => Effect.Effect<FiatOrder, FiatOrderNotFound | BadRequest>
    /** Ends withdrawals that their owners have not signed, and those whose operation failed. Answers how many. */
    readonly endUnsigned: Effect.Effect<number>
  }
>()("@countersign/core/fiat/FiatOrders") {
  static readonly layer = Layer.effect(
    FiatOrders,
    Effect.gen(function* () {
      const store = yield* FiatOrderStore
      const providers = yield* FiatProviders
      const limits = yield* FiatLimits
      const quotes = yield* QuoteStore
      const executions = yield* Executions
      const executionStore = yield* ExecutionStore
      const history = yield* HistoryStore
      const preparations = yield* Preparations
      const chain = yield* ChainReader
      const outbox = yield* EventOutbox
      const entropy = yield* Entropy
      const unitOfWork = yield* UnitOfWork
      const lookUp = yield* lookUps
      const change = yield* orderChanges
      const opened = yield* openedOrders

      /** The quote, unless it can't become an order. */
      const requireQuote = Effect.fnUntraced(function* (project: Project, quoteId: string, direction: FiatDirection) {
        const quote = Option.getOrNull(yield* store.findQuote(project.id, quoteId))
        if (quote === null || quote.direction !== direction) return yield* new FiatQuoteNotFound({ quoteId })
        const made = Option.getOrNull(yield* store.findByQuote(project.id, quoteId))
        if (made !== null) return yield* new FiatQuoteAlreadyUsed({ quoteId, orderId: made.order.id })
        const { expiresAt } = quote
        if (DateTime.isGreaterThan(yield* DateTime.now, expiresAt))
          return yield* new FiatQuoteExpired({ quoteId, expiresAt })
        yield* limits.requireIdentity(project.id, quote.individualId, "quoteId")
        return quote
      })

      const newOrder = (
        quote: FiatQuote,
        now: DateTime.Utc,
        fields: Pick<FiatOrder, "id" | "executedQuote" | "fiatAmount" | "providerQuote" | "allowance" | "expiresAt">
      ): FiatOrder => ({
        ...fields,
        quote,
        state: "AWAITING_FUNDS",
        steps: [{ state: "AWAITING_FUNDS", at: now }],
        receivedAmount: null,
        resolution: null,
        providerOrder: null,
        instructions: null,
        reason: null,
        createdAt: now,
        updatedAt: now
      })

      /** Stores a new order with its event, if the limits have room for it and the quote has no other. In a unit of work. */
      const insert = Effect.fnUntraced(function* (order: FiatOrder) {
        const { quote } = order
        // The subject is held before the order is inserted: where both wait for one another, one order of the quote is refused.
        yield* limits.require(quote, quote.fiatAmount)
        if (!(yield* store.insert(order))) {
          const made = yield* store.findByQuote(quote.projectId, quote.id)
          const orderId = Option.match(made, { onNone: () => "of another request", onSome: (found) => found.order.id })
          return yield* new FiatQuoteAlreadyUsed({ quoteId: quote.id, orderId })
        }
        yield* outbox.append(fiatEvent(order, null))
      })

      const startDeposit = Effect.fnUntraced(function* (order: FiatOrder) {
        yield* insert(order)
        const executed = quoteOfDeposit(order)
        yield* Effect.orDie(quotes.insert([executed]))
        const acceptance = {
          signatures: {},
          stages: [],
          acceptedAt: order.createdAt,
          estimatedExecutionTime: DateTime.add(order.createdAt, { milliseconds: executed.executionMs }),
          funds: null
        }
        // Nothing of it can be short of, in conflict with or unpaid: it has no operation.
        yield* Effect.catchTag(
          executions.accept(executed, acceptance),
          ["Shortage", "Conflict", "UNPAID_GAS_LIMIT"],
          (failure) => Effect.die(failure)
        )
      })

      const asked = (quote: FiatQuote, amount: bigint): FiatAsk => ({
        projectId: quote.projectId,
        direction: quote.direction,
        method: quote.method,
        currency: quote.currency,
        token: quote.token,
        chainId: quote.chainId,
        walletAddress: quote.walletAddress,
        individualId: quote.individualId,
        amount
      })

      const bind = Effect.fnUntraced(function* (quote: FiatQuote, net: bigint, destination: BankDestination) {
        const provider = providers.find(({ name }) => name === quote.provider)
        if (provider === undefined) {
          return yield* new FailedToCreateFiatWithdraw({ reason: `${quote.provider} is not served any more` })
        }
        const bound = yield* provider
          .bindWithdrawal(asked(quote, net), destination, quote.id)
          .pipe(
            Effect.mapError((error) =>
              error._tag === "FIAT_REFUSAL" && error.field !== undefined
                ? BadRequest.of(error.field, "refused", error.message)
                : new FailedToCreateFiatWithdraw({ reason: error.message })
            )
          )
        if (bound.fiatAmount < quote.fiatAmount) {
          return yield* new FailedToCreateFiatWithdraw({
            reason: "the provider now pays less than was quoted; ask for a new quote"
          })
        }
        return bound
      })

      /** Whether the provider may take some of the token already, of a withdrawal that failed. */
      const hasAllowance = Effect.fnUntraced(function* (
        { chainId, token, walletAddress }: FiatQuote,
        { recipient, way }: BoundWithdrawal
      ) {
        if (way !== "ALLOW") return false
        const allowances = [{ token: token.address, spender: recipient }]
        const state = yield* chain.accountState(chainId, { address: walletAddress, tokens: [], allowances })
        return (state.allowances[0] ?? 0n) > 0n
      })

      /** The operation that gives the provider the token, and what is executed after it. */
      const prepareWithdrawal = Effect.fnUntraced(function* (
        project: Project,
        orderId: string,
        quote: FiatQuote,
        bound: BoundWithdrawal
      ) {
        const { chainId, token } = quote
        const wallet = yield* lookUp.smartWallet(project, quote.walletAddress)
        const { collectors } = yield* lookUp.order(project, wallet, quote, {
          token: { chainId, address: token.address }
        })
        const open = yield* preparations.open({ project, wallet, chainId, payGasFeeToken: token, spent: [token] })
        const [context, prices] = yield* Effect.all([open, preparations.prices(chainId, [token])], { concurrency: 2 })
        const prepared = yield* preparations.prepare(context, {
          callGas: CALL_GAS,
          plan: planWithdrawal(quote, bound, yield* hasAllowance(quote, bound), collectors),
          spends: () => [{ token, amount: quote.tokenAmount }]
        })
        const { fees, ...division } = prepared.plan
        const content = { ...contentOfPrepared(prepared, prices, [...fees, ...quote.fees], chainId), orderId }
        return quoteOfPrepared({
          id: mainOperation(prepared.intents)!.hash,
          project,
          wallet,
          kind: withdrawalKind,
          prepared,
          answer: {
            type: "FIAT_WITHDRAWAL",
            content,
            expected: expectedOfWithdrawal(quote, bound, bound.fiatAmount, division, prices),
            metadata: {},
            uses: allowanceUses(quote, bound),
            details: detailsOfOrder({ id: orderId, quote, fiatAmount: bound.fiatAmount, receivedAmount: null })
          },
          chainIdIn: chainId,
          chainIdOut: chainId,
          stages: [
            { name: FIAT_SUBMISSION, intent: null, status: "PROCESSING" },
            { name: FIAT_PAYOUT, intent: null, status: "PROCESSING" }
          ]
        }).quote
      })

      /** The state that a withdrawal in the hands of its owner has come to; null where it goes on. */
      const endOfUnsigned = Effect.fnUntraced(function* ({ executedQuote, quote: { projectId } }: FiatOrder) {
        const execution = Option.getOrNull(yield* executionStore.findByQuote(projectId, executedQuote))
        if (execution === null) return "EXPIRED" as const
        const transaction = Option.getOrNull(yield* history.find(projectId, execution.id))
        return transaction?.status === "FAILED" ? ("FAILED" as const) : null
      })

      return FiatOrders.of({
        deposit: Effect.fn("FiatOrders.deposit")(function* (project, quoteId) {
          const quote = yield* requireQuote(project, quoteId, "DEPOSIT")
          const now = yield* DateTime.now
          const id = yield* entropy.uuid
          const { expiresAt, fiatAmount, providerQuote } = quote
          const order = newOrder(quote, now, {
            id,
            executedQuote: id,
            fiatAmount,
            providerQuote,
            allowance: null,
            expiresAt
          })
          yield* unitOfWork.run(startDeposit(order))
          const stored = yield* opened(order.quote.projectId, id).pipe(
            Effect.mapError((error) => new FailedToCreateFiatDeposit({ reason: error.message }))
          )
          if (stored.state === "FAILED")
            return yield* new FailedToCreateFiatDeposit({ reason: stored.reason ?? "refused" })
          return stored
        }),
        withdraw: Effect.fn("FiatOrders.withdraw")(function* (project, quoteId, input) {
          const destination = yield* requireDestination(input)
          const quote = yield* requireQuote(project, quoteId, "WITHDRAWAL")
          if (destination.type !== quote.method) {
            return yield* BadRequest.of("paymentMethod.type", "not_as_quoted", `The quote is of ${quote.method}.`)
          }
          const { tokenAmount, transactionFeePercent } = quote
          const net = Option.getOrThrow(netOfWithdrawal(tokenAmount, transactionFeePercent, project.treasury))
          const bound = yield* bind(quote, net, destination)
          const id = yield* entropy.uuid
          // Both were there when it was quoted.
          const executed = yield* Effect.catchTag(
            prepareWithdrawal(project, id, quote, bound),
            ["ACCOUNT_ABSTRACTION_ADDRESS_NOT_REGISTERED_WITH_PROJECT", "NOT_AUTHORIZED_TOKENS"],
            (gone) => Effect.fail(new FailedToCreateFiatWithdraw({ reason: gone.message }))
          )
          const order = newOrder(quote, yield* DateTime.now, {
            id,
            executedQuote: executed.id,
            fiatAmount: bound.fiatAmount,
            providerQuote: bound.providerQuote,
            allowance: bound.way === "ALLOW" ? { spender: bound.recipient, amount: bound.tokenAmount } : null,
            expiresAt: executed.expiresAt
          })
          yield* unitOfWork.run(
            Effect.andThen(insert(order), Effect.catchTag(preparations.keep([executed]), "QUOTE_EXISTS", Effect.die))
          )
          return { order, executed }
        }),
        get: Effect.fn("FiatOrders.get")(function* (projectId, orderId) {
          const found = Option.getOrNull(yield* store.find(projectId, orderId))
          if (found === null) return yield* new FiatOrderNotFound({ orderId })
          const execution = yield* executionStore.findByQuote(projectId, found.order.executedQuote)
          return { order: found.order, transactionId: Option.getOrNull(execution)?.id ?? null }
        }),
        list: store.list,
        resolve: Effect.fn("FiatOrders.resolve")(function* (projectId, id, { reason, status }) {
          // A provider's report may change the order between both.
          for (;;) {
            const stored = Option.getOrNull(yield* store.find(projectId, id))
            if (stored === null) return yield* new FiatOrderNotFound({ orderId: id })
            const { order } = stored
            if (order.resolution?.state === status) return order
            const now = yield* DateTime.now
            const resolved = resolvedOrder(order, status, reason, now)
            if (resolved === order) {
              const allowed = resolutionsOf(order.quote.direction, order.state)
              const problem =
                allowed.length === 0
                  ? `The order is ${order.state}. Only an order that is IN_REVIEW can be resolved.`
                  : `A ${order.quote.direction.toLowerCase()} in review ends as ${allowed.join(", ")}.`
              return yield* BadRequest.of("status", "not_allowed", problem)
            }
            const execution = Option.getOrNull(yield* executionStore.findByQuote(projectId, order.executedQuote))
            const wasTaken = execution !== null && stageOf(execution).name === FIAT_PAYOUT
            const after = wasTaken ? resolved : withAllowanceLeft(resolved)
            if (!(yield* unitOfWork.run(change(stored, after)))) continue
            yield* executionStore.wakeQuote(projectId, order.executedQuote, now)
            return after
          }
        }),
        endUnsigned: Effect.gen(function* () {
          const now = yield* DateTime.now
          const late = yield* store.unsigned(DateTime.subtract(now, { minutes: UNSIGNED_MINUTES }), UNSIGNED_AT_ONCE)
          const ended = yield* Effect.forEach(late, (stored) =>
            Effect.gen(function* () {
              const state = yield* endOfUnsigned(stored.order)
              if (state === null) return false
              return yield* unitOfWork.run(change(stored, movedOrder(stored.order, state, now)))
            })
          )
          return ended.filter(Boolean).length
        })
      })
    })
  )
}
