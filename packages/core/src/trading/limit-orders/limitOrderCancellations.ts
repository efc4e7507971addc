import { DateTime, Effect, Option } from "effect"
import { finalStatuses, HistoryStore, type TransactionStatus, Transactions } from "../../accounting/history/index.ts"
import type { BadRequest, UpstreamUnavailable } from "../../foundation/errors/index.ts"
import { type HexBytes, UnitOfWork } from "../../foundation/primitives/index.ts"
import { InvalidSignature, type SignData } from "../../foundation/signing/index.ts"
import { ExecutionStore, ownerSignatureProblem, stageOf } from "../../operations/executions/index.ts"
import type { LimitOrderIntent } from "../../operations/intents/index.ts"
import { lookUps, Preparations, preparedContent, type Quote, QuoteStore } from "../../operations/quotes/index.ts"
import type { UnpaidGasLimit } from "../../operations/unpaid-gas/index.ts"
import { AccountOperations } from "../../operations/user-operations/index.ts"
import type { Project, ProjectId } from "../../tenancy/projects/index.ts"
import { swapKind } from "../swap/index.ts"
import { type CancelQuote, cancelKind } from "./CancelContent.ts"
import { CancellationNotAllowed, LimitOrderNotFound } from "./errors.ts"
import { withCancellation } from "./fillChange.ts"
import { LIMIT_ORDER } from "./LimitOrderStage.ts"
import { OrderBook } from "./OrderBook.ts"

/** Gas limit of `invalidateOrder`, which writes one storage slot. */
const CANCEL_CALL_GAS = 80_000n

/** The result of a cancellation request. */
export type Cancellation =
  /** The data that the owner must sign. The next call passes the signature. */
  | { readonly _tag: "Signature"; readonly element: SignData }
  /**
   * A user operation that cancels the order on-chain. `element` only identifies the order. The owner does not sign it.
   */
  | { readonly _tag: "Operation"; readonly element: SignData; readonly quoted: CancelQuote }
  /** The transaction's status after the order book has cancelled the order. */
  | {
      readonly _tag: "Cancelled"
      readonly status: TransactionStatus
      readonly substatus: string | null
    }

interface ActiveOrder {
  readonly quote: Quote
  readonly intent: LimitOrderIntent
  /** The index of the order's stage in the execution. */
  readonly stage: number
}

export type CancelError =
  | CancellationNotAllowed
  | LimitOrderNotFound
  | InvalidSignature
  | BadRequest
  | UnpaidGasLimit
  | UpstreamUnavailable

const cancellationNotAllowed = (reason: string) => new CancellationNotAllowed({ reason })

const requireSignature = Effect.fnUntraced(function* (
  accounts: AccountOperations["Service"],
  { signer }: LimitOrderIntent,
  element: SignData,
  signature: HexBytes
) {
  const problem = yield* ownerSignatureProblem(accounts, signer, element, signature)
  if (problem === null) return
  return yield* new InvalidSignature({
    field: "signature",
    expected: signer,
    element: element.hash,
    elementType: element.type,
    method: element.method,
    problem
  })
})

/** Cancels limit orders, in the order book or with an operation on-chain. */
export const limitOrderCancellations = Effect.gen(function* () {
  const accounts = yield* AccountOperations
  const book = yield* OrderBook
  const executions = yield* ExecutionStore
  const history = yield* HistoryStore
  const lookUp = yield* lookUps
  const preparations = yield* Preparations
  const quotes = yield* QuoteStore
  const transactions = yield* Transactions
  const unitOfWork = yield* UnitOfWork

  /**
   * Returns the order of a transaction. Fails if the order has ended, or if the operation that approves it is still
   * pending.
   */
  const requireActiveOrder = Effect.fnUntraced(function* (projectId: ProjectId, transactionId: string) {
    const transaction = Option.getOrNull(yield* history.find(projectId, transactionId))
    if (transaction === null) return yield* new LimitOrderNotFound({ transactionId })
    if (transaction.type !== "LIMIT_ORDER")
      return yield* cancellationNotAllowed(`transaction ${transactionId} is not a limit order.`)
    if (finalStatuses.has(transaction.status))
      return yield* cancellationNotAllowed(`its status is already ${transaction.status}.`)
    const execution = Option.getOrNull(yield* executions.find(projectId, transactionId))
    if (execution === null) return yield* new LimitOrderNotFound({ transactionId })
    if (stageOf(execution).name !== LIMIT_ORDER) {
      return yield* cancellationNotAllowed(
        "the operation that approves the order is still pending. Try again once a block includes it."
      )
    }
    const quote = yield* Effect.flatMap(quotes.find(projectId, execution.quoteId), Effect.fromOption).pipe(Effect.orDie)
    const intent = quote.intents.find(({ type }) => type === "LIMIT_ORDER")
    return intent?.type === "LIMIT_ORDER"
      ? ({ quote, intent, stage: execution.at } satisfies ActiveOrder)
      : yield* new LimitOrderNotFound({ transactionId })
  })

  /**
   * Prepares the operation that invalidates the order in the settlement contract. It pays gas with the same token as
   * the order's quote.
   */
  const prepareOnChain = Effect.fnUntraced(function* (
    project: Project,
    transactionId: string,
    { intent, quote }: ActiveOrder
  ) {
    const { tokens } = swapKind.decode(quote.content!)
    const { payGasFeeToken } = tokens
    const { chainId, uid } = intent
    const wallet = yield* Effect.catchTag(
      lookUp.smartWallet(project, quote.walletAddress),
      "ACCOUNT_ABSTRACTION_ADDRESS_NOT_REGISTERED_WITH_PROJECT",
      ({ message }) => Effect.fail(cancellationNotAllowed(message))
    )
    return yield* preparations.quote(
      { project, wallet, chainId, payGasFeeToken, spent: [] },
      {
        kind: cancelKind,
        readData: preparations.readPrices(chainId, [payGasFeeToken]),
        prepare: () => ({
          callGas: CANCEL_CALL_GAS,
          plan: () => Effect.succeed({ calls: [book.buildInvalidation(intent)] }),
          listSpentAmounts: () => []
        }),
        readExtraData: () => Effect.void,
        respond: ({ featureData: prices, prepared }) =>
          Effect.succeed({
            type: "LIMIT_ORDER_CANCEL",
            content: { ...preparedContent(prepared, prices, [], chainId), transactionId, uid, payGasFeeToken },
            expected: [],
            metadata: quote.metadata
          })
      }
    )
  })

  /** Records the cancellation in the history immediately. Later checks detect a settlement that was in flight. */
  const recordCancellation = (projectId: ProjectId, transactionId: string, { quote, stage }: ActiveOrder) =>
    unitOfWork.run(
      Effect.gen(function* () {
        const now = yield* DateTime.now
        yield* executions.lock(projectId, transactionId)
        const entry = yield* Effect.flatMap(history.find(projectId, transactionId), Effect.fromOption).pipe(
          Effect.orDie
        )
        const hasEnded = finalStatuses.has(entry.status)
        const transactionAfter = hasEnded ? entry : withCancellation(entry, stage, now)
        if (!hasEnded) yield* transactions.change(entry, transactionAfter)
        yield* executions.wakeQuote(projectId, quote.id, now)
        const { status, substatus } = transactionAfter
        return { _tag: "Cancelled", status, substatus } satisfies Cancellation
      })
    )

  const cancelOrder = Effect.fnUntraced(function* (
    project: Project,
    transactionId: string,
    order: ActiveOrder,
    signature: HexBytes | null
  ): Effect.fn.Return<Cancellation, CancelError> {
    const { element, isTaken } = book.buildCancellation(order.intent)
    if (signature === null) {
      return isTaken
        ? { _tag: "Signature", element }
        : { _tag: "Operation", element, quoted: yield* prepareOnChain(project, transactionId, order) }
    }
    if (!isTaken) {
      return yield* cancellationNotAllowed(
        "its wallet is a contract, so the order must be cancelled on-chain. Send the request without a signature, and execute the returned operation."
      )
    }
    yield* requireSignature(accounts, order.intent, element, signature)
    yield* Effect.catchTag(book.cancel(order.intent, signature), "CANCELLATION_REFUSED", ({ reason }) =>
      Effect.fail(cancellationNotAllowed(reason))
    )
    return yield* recordCancellation(project.id, transactionId, order)
  })

  return { activeOrder: requireActiveOrder, cancelOrder }
})
