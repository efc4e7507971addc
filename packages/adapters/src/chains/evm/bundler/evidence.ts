import type { LogAnswer } from "../rpc/nodeAnswers.ts"

/** One node's report on an operation in a transaction. */
export interface Testimony {
  /** Host name and port. */
  readonly node: string
  /** The EntryPoint's event in the node's receipt; null if the receipt has no event. */
  readonly event: LogAnswer | null
  /** A contradiction in the node's report; null if there is none. */
  readonly objection: string | null
  /** Whether the EntryPoint shows the operation's nonce as used. */
  readonly isNonceUsed: boolean
}

/** A conclusion, and contradictions in the reports of nodes that operators should check. */
export interface Judgement<A> {
  /** Null if there is no conclusion yet. */
  readonly conclusion: A | null
  readonly warnings: ReadonlyArray<string>
}

/** Equal for nodes that agree on the outcome of an operation and its block. */
const saidBy = ({ address, blockHash, data, logIndex, topics, transactionHash }: LogAnswer): string =>
  [transactionHash, blockHash, Number(logIndex), address, ...topics, data].join(" ").toLowerCase()

const namesOf = (testimonies: ReadonlyArray<Testimony>): string => testimonies.map(({ node }) => node).join(", ")

/**
 * The outcome of an operation once it is certain. Then the required number of nodes agree, more than on any other
 * outcome, and the nonce is used. A single node is only sufficient if no other can be queried, and if `found`, the
 * event from a search, equals the receipt's event. Null if no search found the event.
 */
export const judgeInclusion = (
  testimonies: ReadonlyArray<Testimony>,
  required: number,
  searchedEvent: LogAnswer | null
): Judgement<ReadonlyArray<Testimony & { readonly event: LogAnswer }>> => {
  const objections = testimonies.flatMap(({ node, objection }) => (objection === null ? [] : [`${node}: ${objection}`]))
  const sound = testimonies.flatMap((testimony) =>
    testimony.event === null || testimony.objection !== null ? [] : [{ ...testimony, event: testimony.event }]
  )
  const [largestGroup, next] = [...Map.groupBy(sound, ({ event }) => saidBy(event)).values()].sort(
    (a, b) => b.length - a.length
  )
  if (largestGroup === undefined) return { conclusion: null, warnings: objections }
  const dissent =
    next === undefined
      ? objections
      : [...objections, `${namesOf(largestGroup)} and ${namesOf(next)} report different data`]
  const isSure = largestGroup.length >= required && largestGroup.length > (next?.length ?? 0)
  if (!isSure) return { conclusion: null, warnings: dissent }
  if (!largestGroup.some(({ isNonceUsed }) => isNonceUsed)) {
    return {
      conclusion: null,
      warnings: [...dissent, `${namesOf(largestGroup)}: the nonce of the operation is not used`]
    }
  }
  const [only] = largestGroup
  if (largestGroup.length === 1 && searchedEvent !== null && saidBy(searchedEvent) !== saidBy(only!.event)) {
    return { conclusion: null, warnings: [...dissent, `${only!.node}: its logs and its receipt disagree`] }
  }
  return { conclusion: largestGroup, warnings: dissent }
}

/** One node's report on an operation that should no longer be in any block. */
export interface AbsenceTestimony {
  readonly node: string
  /** Unix seconds of its latest block. */
  readonly timestamp: number
  /** The event of the searched operation. */
  readonly event: LogAnswer | null
  /** Whether a trace of a bundle contains the operation. A node without its event then hides the event. */
  readonly isTraced: boolean
  /** Whether the EntryPoint has used the operation's nonce, and whether another operation has it. */
  readonly nonce: "FREE" | "USED" | "USED_BY_ANOTHER"
}

/**
 * Until when an operation was certainly in no block, in Unix seconds. The required number of nodes must have no event
 * of it, and its nonce must be unused or used by another operation.
 */
export const judgeAbsence = (testimonies: ReadonlyArray<AbsenceTestimony>, required: number): Judgement<number> => {
  const withEvent = testimonies.filter(({ event }) => event !== null)
  const lacking = testimonies.filter(({ event }) => event === null)
  const hiding = lacking.filter(({ isTraced }) => isTraced)
  const unclear = lacking.filter(({ isTraced, nonce }) => !isTraced && nonce === "USED")
  const absent = lacking.length - hiding.length - unclear.length
  const warnings = [
    ...hiding.map(({ node }) => `${node}: its trace executes the operation, but it has no event of the operation`),
    ...unclear.map(({ node }) => `${node}: the nonce is used, but it has no event of the operation`),
    ...(withEvent.length > 0 && absent > 0
      ? [`${withEvent.map(({ node }) => node).join(", ")} is the only node with the event`]
      : [])
  ]
  return {
    conclusion:
      absent === testimonies.length && absent >= required
        ? Math.min(...testimonies.map(({ timestamp }) => timestamp))
        : null,
    warnings
  }
}
