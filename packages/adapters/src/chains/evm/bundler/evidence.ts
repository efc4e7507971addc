import type { LogResponse } from "../rpc/nodeResponses.ts"

/** The report of one node about an operation in a transaction. */
export interface OperationReport {
  /** Host name and port. */
  readonly node: string
  /** The EntryPoint's event in the node's receipt; null if the receipt contains none. */
  readonly event: LogResponse | null
  /** A contradiction in the node's report; null if there is none. */
  readonly objection: string | null
  /** Whether the EntryPoint reports the operation's nonce as used. */
  readonly isNonceUsed: boolean
}

/** A conclusion, and contradictions between the nodes' reports that the operator should check. */
export interface Judgement<A> {
  /** Null if there is no conclusion yet. */
  readonly conclusion: A | null
  readonly warnings: ReadonlyArray<string>
}

/** Returns a text that is equal for nodes that agree on the outcome of an operation and on its block. */
const logKey = ({ address, blockHash, data, logIndex, topics, transactionHash }: LogResponse): string =>
  [transactionHash, blockHash, Number(logIndex), address, ...topics, data].join(" ").toLowerCase()

const namesOf = (reports: ReadonlyArray<OperationReport>): string => reports.map(({ node }) => node).join(", ")

/**
 * Determines the outcome of an operation once it is certain: the required number of nodes agree, more nodes than for
 * any other outcome, and the nonce is used. If only one node supports the outcome, its receipt must also agree with
 * `searchedEvent`, the event that a search found. `searchedEvent` is null if no search found the event.
 */
export const judgeInclusion = <R extends OperationReport>(
  reports: ReadonlyArray<R>,
  required: number,
  searchedEvent: LogResponse | null
): Judgement<ReadonlyArray<R & { readonly event: LogResponse }>> => {
  const objections = reports.flatMap(({ node, objection }) => (objection === null ? [] : [`${node}: ${objection}`]))
  const consistentReports = reports.flatMap((report) =>
    report.event === null || report.objection !== null ? [] : [{ ...report, event: report.event }]
  )
  const [largestGroup, next] = [...Map.groupBy(consistentReports, ({ event }) => logKey(event)).values()].sort(
    (a, b) => b.length - a.length
  )
  if (largestGroup === undefined) return { conclusion: null, warnings: objections }
  const disagreements =
    next === undefined
      ? objections
      : [...objections, `${namesOf(largestGroup)} and ${namesOf(next)} report different data`]
  const isDecided = largestGroup.length >= required && largestGroup.length > (next?.length ?? 0)
  if (!isDecided) return { conclusion: null, warnings: disagreements }
  if (!largestGroup.some(({ isNonceUsed }) => isNonceUsed)) {
    return {
      conclusion: null,
      warnings: [...disagreements, `${namesOf(largestGroup)}: the nonce of the operation is not used`]
    }
  }
  const [only] = largestGroup
  if (largestGroup.length === 1 && searchedEvent !== null && logKey(searchedEvent) !== logKey(only!.event)) {
    return { conclusion: null, warnings: [...disagreements, `${only!.node}: its logs and its receipt disagree`] }
  }
  return { conclusion: largestGroup, warnings: disagreements }
}

/** The report of one node about an operation that should no longer be included. */
export interface AbsenceReport {
  readonly node: string
  /** Timestamp of the node's latest block, in Unix seconds. */
  readonly timestamp: number
  /** The operation's event; null if the node does not have it. */
  readonly event: LogResponse | null
  /**
   * Whether the trace of one of its transactions contains the operation. If so, a node without the event has incomplete
   * logs.
   */
  readonly isTraced: boolean
  /** Whether the operation's nonce is free, used, or used by another operation. */
  readonly nonce: "FREE" | "USED" | "USED_BY_ANOTHER"
}

/**
 * Determines the latest time, in Unix seconds, at which an operation was not included. Every node must report this, and
 * at least `required` nodes: no event, no trace of the operation, and a nonce that is unused or used by another
 * operation.
 */
export const judgeAbsence = (reports: ReadonlyArray<AbsenceReport>, required: number): Judgement<number> => {
  const withEvent = reports.filter(({ event }) => event !== null)
  const withoutEvent = reports.filter(({ event }) => event === null)
  const tracedWithoutEvent = withoutEvent.filter(({ isTraced }) => isTraced)
  const unclearReports = withoutEvent.filter(({ isTraced, nonce }) => !isTraced && nonce === "USED")
  const absentCount = withoutEvent.length - tracedWithoutEvent.length - unclearReports.length
  const warnings = [
    ...tracedWithoutEvent.map(({ node }) => `${node}: its trace contains the operation, but its logs do not`),
    ...unclearReports.map(
      ({ node }) => `${node}: the nonce of the operation is used, but its logs do not contain the operation`
    ),
    ...(withEvent.length > 0 && absentCount > 0
      ? [`the event is only in the logs of ${withEvent.map(({ node }) => node).join(", ")}`]
      : [])
  ]
  return {
    conclusion:
      absentCount === reports.length && absentCount >= required
        ? Math.min(...reports.map(({ timestamp }) => timestamp))
        : null,
    warnings
  }
}
