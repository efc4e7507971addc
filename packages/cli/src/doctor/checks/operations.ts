import { HistoryStore } from "@countersign/core/accounting/history"
import type { EvmChainId } from "@countersign/core/foundation/chains"
import {
  adviceOnLate,
  ExecutionStore,
  FINALITY,
  hasNoWorker,
  INCLUSION,
  NO_WORKER,
  type PendingExecution,
  type PendingStage,
  stageOf,
  type WaitsFor
} from "@countersign/core/operations/executions"
import { isUserOperation } from "@countersign/core/operations/intents"
import { DateTime, Effect, Option } from "effect"
import { type Finding, failing, ok, waiting } from "../Finding.ts"
import type { CheckResult } from "../Observed.ts"
import { countText, isoText, nameOf } from "../words.ts"

export interface OperationsState {
  /** All operations that have not ended, by stage. */
  readonly pending: ReadonlyArray<PendingStage>
  /** Operations that are late, or will soon be late. */
  readonly late: ReadonlyArray<PendingExecution>
  /** Times at which a reorg reset an execution to an earlier stage, by execution id. */
  readonly reorgedAt: ReadonlyMap<string, DateTime.Utc>
}

/** Maximum number of operations that are listed individually. */
export const OPERATIONS_MAX = 25

/** Operations that become late within this time are also listed individually. */
const LATE_WITHIN = { minutes: 15 }

export const observeOperations = Effect.gen(function* () {
  const store = yield* ExecutionStore
  const now = yield* DateTime.now
  const pendingStages = yield* store.countPending(null, now)
  const lateExecutions = yield* store.listLate(null, DateTime.add(now, LATE_WITHIN), OPERATIONS_MAX + 1)
  const history = yield* HistoryStore
  const reorgs = yield* Effect.forEach(lateExecutions.slice(0, OPERATIONS_MAX), ({ execution: { id, projectId } }) =>
    Effect.map(
      history.find(projectId, id),
      Option.match({
        onNone: () => [],
        onSome: ({ substatus, updatedAt }) => (substatus === "REORGED" ? [[id, updatedAt] as const] : [])
      })
    )
  )
  const state: OperationsState = {
    pending: pendingStages,
    late: lateExecutions,
    reorgedAt: new Map<string, DateTime.Utc>(reorgs.flat())
  }
  return state
})

/**
 * Returns the user operation of an execution that waits for inclusion. Null if the execution waits for something else.
 */
const inclusionOf = ({ execution, quote }: PendingExecution) => {
  const { deadline, intent: intentIndex, name } = stageOf(execution)
  const intent = intentIndex === null ? null : quote.intents[intentIndex]
  return name === INCLUSION && deadline !== null && isUserOperation(intent)
    ? { chainId: intent.operation.chainId, hash: intent.hash, deadline }
    : null
}

/** Returns the acceptance time of the oldest listed operation that is not included yet, by chain. */
export const waitingSince = (operations: CheckResult<OperationsState>): ReadonlyMap<EvmChainId, DateTime.Utc> => {
  const waitingSinceByChain = new Map<EvmChainId, DateTime.Utc>()
  if (operations._tag === "Unseen") return waitingSinceByChain
  for (const lateExecution of operations.value.late) {
    const inclusion = inclusionOf(lateExecution)
    if (inclusion === null || waitingSinceByChain.has(inclusion.chainId)) continue
    waitingSinceByChain.set(inclusion.chainId, lateExecution.execution.acceptedAt)
  }
  return waitingSinceByChain
}

/** Conditions that prevent the execution of operations, by chain. */
export interface ChainConditions {
  readonly chainsWithoutNode: ReadonlySet<EvmChainId>
  readonly chainsWithoutNativeToken: ReadonlySet<EvmChainId>
  readonly hasBundler: boolean
}

const claimText = ({ claim }: PendingExecution, now: DateTime.Utc): string => {
  if (claim === null) return "no worker has claimed it"
  return DateTime.isGreaterThan(claim.until, now)
    ? `worker ${claim.worker} has claimed it`
    : `the claim of worker ${claim.worker} expired at ${isoText(claim.until)}`
}

interface Reason {
  readonly waitsFor: string
  readonly whatToDo: string
  /** Whether the operation resumes by itself when the condition ends. */
  readonly passes: boolean
}

const reasonOf = (
  trackedExecution: PendingExecution,
  chainId: EvmChainId,
  now: DateTime.Utc,
  conditions: ChainConditions
): Reason => {
  const chain = nameOf(chainId)
  if (hasNoWorker(trackedExecution, now)) {
    return { ...NO_WORKER, passes: false }
  }
  if (conditions.chainsWithoutNode.has(chainId)) {
    return { waitsFor: `a node of ${chain}`, whatToDo: `Repair a node of ${chain}: see above.`, passes: true }
  }
  if (!conditions.hasBundler) {
    return { waitsFor: "a bundler", whatToDo: "Configure one: see the configuration above.", passes: false }
  }
  return conditions.chainsWithoutNativeToken.has(chainId)
    ? {
        waitsFor: `native tokens on ${chain} for the operator, who pays the gas`,
        whatToDo: `Send native tokens to the operator on ${chain}: see the bundler above.`,
        passes: true
      }
    : {
        waitsFor: `inclusion in a block of ${chain}`,
        whatToDo: "Nothing. If this takes several minutes, check the bundler.",
        passes: true
      }
}

/** Reports an execution that waits for something other than inclusion, such as a bridge. */
const otherStageFinding = (trackedExecution: PendingExecution, now: DateTime.Utc): Finding => {
  const { acceptedAt, id } = trackedExecution.execution
  const { name, status, wait } = stageOf(trackedExecution.execution)
  const detail = `${status} in the stage "${name}"; ${claimText(trackedExecution, now)}`
  const acceptedAtText = isoText(acceptedAt)
  if (hasNoWorker(trackedExecution, now))
    return failing(`transaction ${id}`, detail, {
      ...NO_WORKER,
      since: acceptedAtText,
      byItself: "Nothing, until a process works on this transaction."
    })
  const isLate = wait?.lateAt != null && DateTime.isGreaterThan(now, wait.lateAt)
  return (isLate ? failing : waiting)(
    `transaction ${id}`,
    isLate ? `${detail}; this takes longer than normal` : detail,
    {
      waitsFor: wait?.awaited ?? `the end of the stage "${name}"`,
      since: acceptedAtText,
      byItself: "The operation continues as soon as this happens.",
      whatToDo: isLate ? adviceOnLate[wait.waitsFor] : "Nothing."
    }
  )
}

const operationFinding = (
  trackedExecution: PendingExecution,
  reorgedAt: DateTime.Utc | undefined,
  now: DateTime.Utc,
  conditions: ChainConditions
): Finding => {
  const inclusion = inclusionOf(trackedExecution)
  if (inclusion === null) return otherStageFinding(trackedExecution, now)
  const { chainId, deadline, hash } = inclusion
  const { acceptedAt, id } = trackedExecution.execution
  const reason = reasonOf(trackedExecution, chainId, now, conditions)
  const end = isoText(DateTime.add(deadline, { hours: 1 }))
  const operationText = `on ${nameOf(chainId)}, transaction ${id}, ${claimText(trackedExecution, now)}`
  if (DateTime.isGreaterThan(now, deadline)) {
    return failing(
      `operation ${hash}`,
      `not in a block, and past the deadline of ${isoText(deadline)}; ${operationText}`,
      {
        waitsFor: reason.waitsFor,
        since: isoText(acceptedAt),
        byItself: reason.passes
          ? `The operation fails as NOT_INCLUDED once the chain's block time is past the deadline, or at ${end}.`
          : "Nothing, until this is available. Then the operation fails as NOT_INCLUDED, or completes if it is in a block.",
        whatToDo: `${reason.whatToDo} The owner needs a new quote.`
      }
    )
  }
  const details = {
    waitsFor: reason.waitsFor,
    byItself: reason.passes
      ? `The operation continues as soon as this is available. If it is not in a block by ${isoText(deadline)}, it fails as NOT_INCLUDED.`
      : `Nothing, until this is available. The operation can execute until ${isoText(deadline)}.`,
    whatToDo: reason.whatToDo
  }
  if (reorgedAt !== undefined) {
    const detail = `a reorg removed the block of the operation, which is pending again; ${operationText}`
    const reorgDetails = { ...details, since: isoText(reorgedAt) }
    return (reason.passes ? waiting : failing)(`operation ${hash}`, detail, reorgDetails)
  }
  const submittedDetails = { ...details, since: isoText(acceptedAt) }
  return (reason.passes ? waiting : failing)(
    `operation ${hash}`,
    `submitted, but not in a block; ${operationText}`,
    submittedDetails
  )
}

const finalityFindings = ({ pending }: OperationsState, now: DateTime.Utc): ReadonlyArray<Finding> => {
  const finalityStage = pending.find(({ stage }) => stage === FINALITY)
  if (finalityStage === undefined) return []
  const detail = `${countText(finalityStage.count, "operation")} in blocks that are not final`
  return [
    hasNoWorker({ claim: null, dueAt: DateTime.add(finalityStage.dueAt, { seconds: 30 }) }, now)
      ? failing("operations in blocks", `${detail}, but no process watches them`, {
          waitsFor: "an execution worker, because no process works on these operations",
          since: isoText(finalityStage.dueAt),
          byItself: "Nothing: no reorg is detected until an execution worker runs.",
          whatToDo: "Make sure that `countersign serve` runs on this database."
        })
      : waiting("operations in blocks", `${detail}, watched`, {
          waitsFor: "more confirmations of their blocks",
          byItself:
            "The operations become final with their blocks. If a reorg removes a block, its operations become pending again.",
          whatToDo: "Nothing."
        })
  ]
}

const waitsOn: Record<WaitsFor, string> = {
  CHAIN: "a chain",
  BRIDGE: "a bridge",
  ORDER_BOOK: "an order book",
  BANK: "a bank or a fiat provider",
  PAYER: "the payer of a bank transfer"
}

/**
 * Reports each stage except inclusion and finality: the number of its operations, and the acceptance time of the oldest
 * one.
 */
const longWaitFindings = ({ pending }: OperationsState, now: DateTime.Utc): ReadonlyArray<Finding> =>
  pending
    .filter(({ stage }) => stage !== INCLUSION && stage !== FINALITY)
    .map(({ count: total, dueAt, lateCount, oldestAcceptedAt, stage, waitsFor }) => {
      const detail = `${countText(total, "operation")}, ${lateCount === 0 ? "none" : lateCount} late`
      const oldestAcceptedTime = isoText(oldestAcceptedAt)
      return hasNoWorker({ claim: null, dueAt: DateTime.add(dueAt, { seconds: 30 }) }, now)
        ? failing(`operations in stage "${stage}"`, detail, {
            ...NO_WORKER,
            since: oldestAcceptedTime,
            byItself: "Nothing, until a process works on these operations."
          })
        : ok(
            `operations in stage "${stage}"`,
            `${detail}; they wait for ${waitsOn[waitsFor]}, the oldest since ${oldestAcceptedTime}`
          )
    })

export const diagnoseOperations = (
  operations: CheckResult<OperationsState>,
  now: DateTime.Utc,
  conditions: ChainConditions
): ReadonlyArray<Finding> => {
  if (operations._tag === "Unseen") {
    return [waiting("operations", `unknown: ${operations.reason}`, { waitsFor: "the database" })]
  }
  const { late, reorgedAt } = operations.value
  const findings = late
    .slice(0, OPERATIONS_MAX)
    .map((trackedExecution) =>
      operationFinding(trackedExecution, reorgedAt.get(trackedExecution.execution.id), now, conditions)
    )
  const omittedFindings =
    late.length > OPERATIONS_MAX
      ? [
          waiting(
            "operations",
            `more than ${OPERATIONS_MAX} operations are late or will soon be late; only the first ${OPERATIONS_MAX} are listed`,
            {
              waitsFor: "probably the same"
            }
          )
        ]
      : []
  const idleFindings = late.length === 0 ? [ok("operations", "no operation waits for a block")] : []
  return [
    ...idleFindings,
    ...findings,
    ...omittedFindings,
    ...finalityFindings(operations.value, now),
    ...longWaitFindings(operations.value, now)
  ]
}
