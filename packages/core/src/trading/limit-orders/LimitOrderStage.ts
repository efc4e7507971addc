import { DateTime, Effect, Schema } from "effect"
import { movementValue, type Transaction, type TransactionStatus } from "../../accounting/history/index.ts"
import { chainOf } from "../../foundation/chains/index.ts"
import { jsonText } from "../../foundation/primitives/index.ts"
import { signatureOf } from "../../foundation/signing/index.ts"
import { type Token, TokenPrices, tokenKey } from "../../foundation/tokens/index.ts"
import {
  canNoLongerExecute,
  FINALITY,
  reorgFinder,
  type Stage,
  type Step,
  type Work
} from "../../operations/executions/index.ts"
import type { LimitOrderIntent } from "../../operations/intents/index.ts"
import { swapKind } from "../swap/index.ts"
import {
  CANCELLED,
  type FillScope,
  isRecordedElsewhere,
  recordedFillHashes,
  withCancellation,
  withFills
} from "./fillChange.ts"
import { fillClaims } from "./fillClaims.ts"
import { OrderBook, type OrderFill, type OrderRefused, type OrderState } from "./OrderBook.ts"
import { orderAmounts } from "./orderAmounts.ts"

/** The stage that submits a limit order to its order book, and tracks it until it can no longer be filled. */
export const LIMIT_ORDER = "limit-order"

/** Minimum polling interval of an order. The interval grows with the order's age. */
const MIN_POLL_MS = 2_000
const MAX_POLL_MS = 60_000
/**
 * A submission that the order book temporarily rejects is retried for this number of milliseconds after the stage
 * began. An order book may see the block of the token approval later than this service.
 */
const PLACING_MS = 180_000
/**
 * Maximum number of blocks after a cancellation or expiry in which a settlement that is in flight may still be
 * included.
 */
const BLOCKS_IN_FLIGHT = 10
const PRICE_PATIENCE = "2 seconds"
/** Maximum age of a fill in seconds for which current prices give its value. */
const CURRENT_PRICE_SECONDS = 3_600
/**
 * Number of milliseconds for which an order that can no longer be filled waits for fills that the order book has not
 * reported. Then it ends with the reported ones.
 */
const MISSING_FILLS_MS = 86_400_000

const State = Schema.Struct({
  isPlaced: Schema.Boolean,
  /** Unix milliseconds of the first check in which the order had ended but fills were missing. */
  fillsMissingSinceMs: Schema.optionalKey(Schema.Int)
})
export const limitOrderState = jsonText(State)
const NOT_PLACED: typeof State.Type = { isPlaced: false }

const stateOf = ({ stage }: Work): typeof State.Type =>
  stage.state === "null" ? NOT_PLACED : limitOrderState.decode(stage.state)

const requireOrder = ({ intent }: Work): Effect.Effect<LimitOrderIntent> =>
  intent?.type === "LIMIT_ORDER"
    ? Effect.succeed(intent)
    : Effect.die(new Error("Only a limit order can be submitted to an order book"))

/**
 * Ends the order with this status and continues with the finality stage. `change` makes further changes to the
 * transaction, such as fills or the failure.
 */
const endStep = (
  status: TransactionStatus,
  substatus: string,
  executedAt: DateTime.Utc,
  change: (before: Transaction) => Transaction,
  isReported = true
): Step => ({
  _tag: "Next",
  to: FINALITY,
  change: (before) => ({ ...change(before), status, substatus, executedAt }),
  isReported
})

const refusedStep = ({ code, message }: OrderRefused, now: DateTime.Utc): Step =>
  endStep("FAILED", "REFUSED", now, (before) => ({ ...before, failure: { code, message } }))

/**
 * Whether the order can still be submitted. An order book accepts no expired order. After the expiry, the service only
 * watches the chain, because a submission whose response was lost may have led to fills.
 */
const canBePlaced = (work: Work, { validTo }: LimitOrderIntent, now: DateTime.Utc): boolean =>
  !stateOf(work).isPlaced && DateTime.isLessThanOrEqualTo(now, validTo)

/**
 * Returns whether the block whose state was read is later than a time by more than `inFlightMs`. Then no settlement
 * from before this time can still be in flight. This machine's clock does not suffice, because a node that is behind
 * does not have the last fills. Also true if this machine's clock is more than a day after the time.
 */
const isPastOnChain =
  ({ blockTimestamp }: OrderState, now: DateTime.Utc, inFlightMs: number) =>
  (time: DateTime.Utc): boolean =>
    canNoLongerExecute(time, { now, head: DateTime.makeUnsafe(blockTimestamp * 1_000), finalityMs: inFlightMs })

/** Whether the order book reports fills that the node does not have yet. */
const isFilledOnlyInBook = ({ book, isFilled, isInvalidated }: OrderState): boolean =>
  book === "FILLED" && !isFilled && !isInvalidated

interface OrderEnd {
  readonly isCancelled: boolean
  readonly isExpired: boolean
  readonly hasFills: boolean
}

/** Returns the final status and substatus of an order. Null while it can still be filled. */
const endStatusOf = (
  { isFilled, isInvalidated }: OrderState,
  { hasFills, isCancelled, isExpired }: OrderEnd
): readonly [TransactionStatus, string] | null => {
  if (isFilled) return ["COMPLETED", "FILLED"]
  const endSubstatus = isInvalidated || isCancelled ? CANCELLED : isExpired ? "EXPIRED" : null
  if (endSubstatus === null) return null
  return hasFills ? ["PARTIALLY_COMPLETED", endSubstatus] : [endSubstatus, endSubstatus]
}

/** Returns the step while fills are missing. Null if an order that has ended has waited for them long enough. */
const missingFillsStep = (
  { fillsMissingSinceMs }: typeof State.Type,
  hasEnded: boolean,
  nowMs: number,
  afterMs: number
): Step | null => {
  if (hasEnded && fillsMissingSinceMs === undefined) {
    const state = limitOrderState.encode({ isPlaced: true, fillsMissingSinceMs: nowMs })
    return { _tag: "Stay", state, change: (before) => before, afterMs, isReported: false }
  }
  const isOver = hasEnded && nowMs - fillsMissingSinceMs! >= MISSING_FILLS_MS
  return isOver ? null : { _tag: "Wait", afterMs }
}

/**
 * Submits orders and tracks them. The order book reports which transactions to verify. The fills are read from the
 * chain.
 */
export const limitOrderStage = Effect.gen(function* () {
  const book = yield* OrderBook
  const prices = yield* TokenPrices
  const findReorg = yield* reorgFinder
  const claimFill = yield* fillClaims

  const placeOrder = Effect.fnUntraced(function* (work: Work, intent: LimitOrderIntent, now: DateTime.Utc) {
    const [element] = intent.signData
    const signature = element === undefined ? null : signatureOf(work.execution.signatures, element)
    const placedStep: Step = {
      _tag: "Stay",
      state: limitOrderState.encode({ isPlaced: true }),
      change: (before) => ({ ...before, substatus: "OPEN" }),
      afterMs: MIN_POLL_MS
    }
    return yield* book.place(intent, signature).pipe(
      Effect.map((): Step => placedStep),
      Effect.catchTag("ORDER_REFUSED", (refused) =>
        Effect.succeed<Step>(
          refused.isForNow && !work.isOverdue ? { _tag: "Wait", afterMs: MIN_POLL_MS } : refusedStep(refused, now)
        )
      )
    )
  })

  const scopeOf = Effect.fnUntraced(function* ({ execution, quote }: Work, intent: LimitOrderIntent) {
    const { request, tokens } = swapKind.decode(quote.content!)
    const amounts = orderAmounts(intent)
    const currentPrices = yield* prices
      .findPrices([tokens.tokenIn, tokens.tokenOut])
      .pipe(Effect.timeoutOrElse({ duration: PRICE_PATIENCE, orElse: () => Effect.succeed(new Map()) }))
    const nowSeconds = DateTime.toEpochMillis(yield* DateTime.now) / 1_000
    const valueOf = (token: Token, amount: bigint, { timestamp }: OrderFill) =>
      // Reports take the value of an older fill from the prices of its time.
      movementValue(
        amount,
        token,
        nowSeconds - timestamp > CURRENT_PRICE_SECONDS ? undefined : currentPrices.get(tokenKey(token))
      )
    const scope: FillScope = {
      chainId: intent.chainId,
      stage: execution.at,
      wallet: quote.walletAddress,
      receiver: request.toAddress,
      sellToken: amounts.sellToken,
      buyToken: amounts.buyToken,
      settlement: amounts.settlement,
      valueOf: (side, fill) => valueOf(side === "sold" ? tokens.tokenIn : tokens.tokenOut, fill[side], fill)
    }
    return scope
  })

  const watch = Effect.fnUntraced(function* (work: Work, intent: LimitOrderIntent, now: DateTime.Utc) {
    const transaction = yield* work.transaction
    const order = yield* book.readOrderState(intent)
    const nowMs = DateTime.toEpochMillis(now)
    const inFlightMs = BLOCKS_IN_FLIGHT * chainOf(intent.chainId).blockTimeMs
    const cancelledAt = transaction.substatus === CANCELLED ? transaction.executedAt : null
    const isPast = isPastOnChain(order, now, inFlightMs)
    const isCancelled =
      cancelledAt !== null && nowMs - DateTime.toEpochMillis(cancelledAt) >= inFlightMs && isPast(cancelledAt)
    const isExpired = isPast(intent.validTo)
    const openMs = nowMs - DateTime.toEpochMillis(work.execution.acceptedAt)
    const afterMs =
      cancelledAt === null
        ? Math.min(MAX_POLL_MS, Math.max(MIN_POLL_MS, openMs / 64))
        : Math.min(MIN_POLL_MS, inFlightMs)
    const recordedHashes = recordedFillHashes(transaction, work.execution.at)
    const hashes = new Set(order.fills.map(({ hash }) => hash))
    // Without a reorg no fill disappears, so a node that does not have a recorded fill is behind.
    const isBehind = recordedHashes.some((hash) => !hashes.has(hash))
    const hasFills = recordedHashes.length > 0 || hashes.size > 0 || !order.areAllFills
    const endStatus = endStatusOf(order, { isCancelled, isExpired, hasFills })
    // The order book has not reported all on-chain fills yet, so some movements are unknown.
    if (isBehind || isFilledOnlyInBook(order) || !order.areAllFills) {
      const step = missingFillsStep(stateOf(work), endStatus !== null || order.book === "CANCELLED", nowMs, afterMs)
      if (step !== null) return step
    }
    const isSame = isBehind || hashes.size === recordedHashes.length
    const scope = isSame ? null : yield* scopeOf(work, intent)
    const fills = isSame ? [] : yield* Effect.forEach(order.fills, (fill) => claimFill(work, intent.chainId, fill))
    const change = (before: Transaction) => (scope === null ? before : withFills(before, fills, scope))
    const stayStep = (change: (before: Transaction) => Transaction, afterMs: number) =>
      ({ _tag: "Stay", state: work.stage.state, change, afterMs }) satisfies Step
    const withFillStatus = (before: Transaction) => ({
      ...change(before),
      substatus: order.fills.length > 0 ? "PARTIALLY_FILLED" : "OPEN"
    })
    // A settlement was in flight during the cancellation. Its fills are stored first; the next check ends the
    // transaction.
    if (cancelledAt !== null && !isSame) return stayStep(withFillStatus, 0)
    if (endStatus !== null) {
      const lastFill = order.fills.at(-1)
      const executedAt = cancelledAt ?? (lastFill === undefined ? now : DateTime.makeUnsafe(lastFill.timestamp * 1_000))
      const [status, outcome] = endStatus
      const substatus = isRecordedElsewhere(change(transaction), work.execution.at) ? "RECORDED_ELSEWHERE" : outcome
      const isReported = !isSame || transaction.status !== status || transaction.substatus !== substatus
      return endStep(status, substatus, executedAt, change, isReported)
    }
    if (order.book === "CANCELLED" && cancelledAt === null)
      return stayStep((before) => withCancellation(change(before), work.execution.at, now), MIN_POLL_MS)
    return isSame ? ({ _tag: "Wait", afterMs } satisfies Step) : stayStep(withFillStatus, afterMs)
  })

  const stage: Stage = {
    name: LIMIT_ORDER,
    waitsFor: "ORDER_BOOK",
    awaited: "the end of a limit order",
    normalMs: null,
    patienceMs: PLACING_MS,
    step: Effect.fn("LimitOrderStage.step")(function* (work) {
      const intent = yield* requireOrder(work)
      const reorgStep = yield* findReorg(yield* work.transaction)
      if (reorgStep !== null) return reorgStep
      const now = yield* DateTime.now
      return yield* canBePlaced(work, intent, now) ? placeOrder(work, intent, now) : watch(work, intent, now)
    })
  }
  return stage
})
