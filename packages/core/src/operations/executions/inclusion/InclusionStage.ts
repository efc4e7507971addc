import { Clock, DateTime, Effect, Option, Schema } from "effect"
import type { Transaction } from "../../../accounting/history/index.ts"
import { chainOf, type EvmChainId } from "../../../foundation/chains/index.ts"
import { jsonText } from "../../../foundation/primitives/index.ts"
import { signatureOf } from "../../../foundation/signing/index.ts"
import { Wallets } from "../../../wallets/registry/index.ts"
import { type Intent, isUserOperation, type UserOperationIntent } from "../../intents/index.ts"
import { UnpaidGasLedger } from "../../unpaid-gas/index.ts"
import { AccountOperations, Bundler, ChainReader, type OperationOutcome } from "../../user-operations/index.ts"
import { Finality } from "../finality/Finality.ts"
import { FINALITY, reorgFinder } from "../finality/FinalityStage.ts"
import type { Stage, Step, Work } from "../Stage.ts"
import { currentMovements } from "./currentMovements.ts"
import { canNoLongerExecute, pollDelayMs, remainingValidityMs } from "./inclusionPolicy.ts"
import { failureChange, OutcomeReaders, settlementChange } from "./outcomeChange.ts"
import { signedTuple } from "./signedTuple.ts"

/**
 * The stage of a user operation. It submits the operation to the bundler, and searches for it on-chain until a block
 * includes it.
 */
export const INCLUSION = "inclusion"

export const inclusionState = jsonText(
  Schema.Struct({
    /**
     * The block of the balances that the acceptance read. The search begins as many blocks earlier as a reorg can
     * remove.
     */
    fromBlock: Schema.BigInt,
    /** The reason of the bundler's first rejection. Null or absent if the bundler has not rejected the operation. */
    rejection: Schema.optionalKey(Schema.NullOr(Schema.String))
  })
)

const rejectionChange = (transaction: Transaction): Transaction => ({ ...transaction, substatus: "REJECTED" })

/** Sets the final state of an operation that no block included in time. */
const notIncludedChange = (rejection: string | null) =>
  rejection === null
    ? failureChange("NOT_INCLUDED", "No block included the operation before its deadline")
    : failureChange("REJECTED", rejection)

const requireOperation = (intent: Intent | null): Effect.Effect<UserOperationIntent> =>
  isUserOperation(intent)
    ? Effect.succeed(intent)
    : Effect.die(new Error("The inclusion stage requires a user operation"))

/** Returns the accepted signatures of the operation and of its EIP-7702 tuple. */
const signaturesOf = ({ execution, quote }: Work, intent: UserOperationIntent) => {
  const signatureOfType = (type: "USER_OPERATION" | "AUTHORIZATION") => {
    const element = intent.signData.find((data) => data.type === type)
    return element === undefined ? null : signatureOf(execution.signatures, element)
  }
  const signature = signatureOfType("USER_OPERATION")
  return signature === null
    ? Effect.die(new Error(`Quote ${quote.id} was accepted without a signature of its operation`))
    : Effect.succeed({ signature, authorization: signatureOfType("AUTHORIZATION") })
}

/** Returns the delay until the next check, in milliseconds. */
const waitMs = ({ execution, isOverdue, stage }: Work, chainId: EvmChainId, finalityMs: number, isRejected: boolean) =>
  Effect.map(Clock.currentTimeMillis, (nowMs) => {
    const pendingMs = nowMs - DateTime.toEpochMillis(execution.acceptedAt)
    const delayMs = pollDelayMs(chainId, pendingMs, isRejected && !isOverdue)
    return Math.min(delayMs, remainingValidityMs(stage.deadline, finalityMs, nowMs) ?? delayMs)
  })

/**
 * Ends an operation that no block included in time. If an earlier operation of the quote was included, continues with
 * finality, which tracks its block. `also` is stored in the same unit of work.
 */
const giveUp = Effect.fnUntraced(function* (
  work: Work,
  afterMs: number,
  rejection: string | null,
  also: Effect.Effect<void>
) {
  const change = notIncludedChange(rejection)
  const { legs } = yield* work.transaction
  const step: Step = legs.some(({ block }) => block !== null)
    ? { _tag: "Next", to: FINALITY, change, afterMs, also }
    : { _tag: "End", change, also }
  return step
})

export const inclusionStage = Effect.gen(function* () {
  const accounts = yield* AccountOperations
  const bundler = yield* Bundler
  const reader = yield* ChainReader
  const wallets = yield* Wallets
  const unpaidGasLedger = yield* UnpaidGasLedger
  const finalityOf = yield* Finality
  const findReorg = yield* reorgFinder
  const readers = yield* OutcomeReaders
  const movementsIn = yield* currentMovements

  const finalityMsOf = (chainId: EvmChainId) => finalityOf(chainId).blocks * chainOf(chainId).blockTimeMs

  /**
   * Returns whether the operation is not included and can no longer be included, as defined by `canNoLongerExecute`.
   * First reads only the head, because that is cheap. If the head or this machine's clock is late enough, also requests
   * a proof from the nodes.
   */
  const isImpossible = Effect.fnUntraced(function* (
    { isOverdue, stage: { deadline } }: Work,
    { hash, operation }: UserOperationIntent,
    fromBlock: bigint
  ) {
    if (!isOverdue || deadline === null) return false
    const { chainId } = operation
    const now = yield* DateTime.now
    const isPast = (head: number) =>
      canNoLongerExecute(deadline, {
        now,
        head: DateTime.makeUnsafe(head * 1000),
        finalityMs: finalityMsOf(chainId)
      })
    const { timestamp } = yield* reader.readHead(chainId)
    if (!isPast(timestamp)) return false
    const absentUntil = yield* bundler.proveAbsentUntil(operation, hash, fromBlock)
    return absentUntil !== null && isPast(absentUntil)
  })

  const settle = Effect.fnUntraced(function* (work: Work, intent: UserOperationIntent, outcome: OperationOutcome) {
    const { chainId } = intent.operation
    const recordGasEntries = unpaidGasLedger.settle({ quote: work.quote, intent, outcome })
    const { at, stages } = work.execution
    // The next operation, which has waited for this one, can continue.
    const isAwaited = outcome.success && stages[at + 1]?.name === INCLUSION
    const step: Step = {
      _tag: "Next",
      // After a revert, the later stages are skipped, and only the block is tracked.
      ...(outcome.success ? {} : { to: FINALITY }),
      change: settlementChange(
        work.execution.at,
        outcome,
        yield* movementsIn(work, intent, outcome),
        isAwaited,
        readers
      ),
      afterMs: isAwaited ? 0 : finalityOf(chainId).pollEveryMs,
      also: outcome.success
        ? Effect.andThen(recordGasEntries, wallets.recordDeployment(intent.account.address, chainId))
        : recordGasEntries
    }
    return step
  })

  const stage: Stage = {
    name: INCLUSION,
    waitsFor: "CHAIN",
    awaited: "a block with the user operation",
    normalMs: 120_000,
    patienceMs: null,
    /**
     * Searches for the operation on-chain, and submits it if no block includes it. Ends when no block can include it
     * any longer.
     */
    step: Effect.fn("InclusionStage.step")(function* (work) {
      const intent = yield* requireOperation(work.intent)
      const { hash, operation } = intent
      const { authorization, signature } = yield* signaturesOf(work, intent)
      const state = inclusionState.decode(work.stage.state)
      // After a reorg, a block with a lower number than the head at the submission may include the operation.
      const depth = BigInt(finalityOf(operation.chainId).blocks)
      const fromBlock = state.fromBlock > depth ? state.fromBlock - depth : 0n
      const lookUp = bundler.findOutcome(operation, hash, fromBlock)
      // Read before the search, so that the search covers every block up to this head.
      const isOver = yield* isImpossible(work, intent, fromBlock)
      const resultBefore = yield* lookUp
      if (Option.isSome(resultBefore)) return yield* settle(work, intent, resultBefore.value)
      if (isOver) {
        const settleAbsent = unpaidGasLedger.settleAbsent({ quote: work.quote, intent })
        const { pollEveryMs } = finalityOf(operation.chainId)
        return yield* giveUp(work, pollEveryMs, state.rejection ?? null, settleAbsent)
      }
      // A reorg may have removed an earlier operation that this one depends on.
      const reorgStep = work.execution.at === 0 ? null : yield* findReorg(yield* work.transaction)
      if (reorgStep !== null) return reorgStep
      const tuple = authorization === null ? null : yield* signedTuple(accounts, intent, authorization)
      const rejection = yield* bundler
        .submit(
          { ...operation, authorization: tuple ?? operation.authorization },
          accounts.wrapSignature(intent.account, operation, signature),
          authorization,
          intent.account.eip7702
        )
        .pipe(
          Effect.as(null),
          Effect.catchTag("OPERATION_REJECTED", (rejectionError) => Effect.succeed(rejectionError.message))
        )
      // A bundler may reject an operation because a block has included it in the meantime, so the on-chain state
      // decides.
      const resultAfter = yield* lookUp
      if (Option.isSome(resultAfter)) return yield* settle(work, intent, resultAfter.value)
      const afterMs = yield* waitMs(work, operation.chainId, finalityMsOf(operation.chainId), rejection !== null)
      // A rejected operation may still be included before its deadline, by this service or by another bundler.
      return rejection === null || state.rejection != null
        ? { _tag: "Wait", afterMs }
        : { _tag: "Stay", state: inclusionState.encode({ ...state, rejection }), change: rejectionChange, afterMs }
    })
  }
  return stage
})
