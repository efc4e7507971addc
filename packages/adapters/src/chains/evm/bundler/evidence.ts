import type { LogAnswer } from "../rpc/nodeAnswers.ts"

/** One node's report on an operation in a transaction. */
export interface Testimony {
  /** Host name and port. */
  readonly node: string
  /** The EntryPoint's event in its receipt; null where it has none. */
  readonly event: LogAnswer | null
  /** The node's own contradiction of that; null where there is none. */
  readonly objection: string | null
  /** Whether the EntryPoint has used the operation's nonce. */
  readonly isNonceUsed: boolean
}

/** The conclusion, and the contradictions of nodes that an operator should know of. */
export interface Judgement<A> {
  /** Null where nothing can be concluded yet. */
  readonly conclusion: A | null
  readonly warnings: ReadonlyArray<string>
}

/** Equal for nodes that say the same of how an operation ended, and where. */
const saidBy = ({ address, blockHash, data, logIndex, topics, transactionHash }: LogAnswer): string =>
  [transactionHash, blockHash, Number(logIndex), address, ...topics, data].join(" ").toLowerCase()

const namesOf = (testimonies: ReadonlyArray<Testimony>): string => testimonies.map(({ node }) => node).join(", ")

/**
 * Whether it is sure how an operation ended: as many nodes as required say the same, more than say anything else, and the
 * nonce is used. The word of one node is enough only where no other can be asked; then `found`, the event as a search
 * found it, has to be the receipt's too. Null where no search found it.
 */
export const judgeInclusion = (
  testimonies: ReadonlyArray<Testimony>,
  required: number,
  found: LogAnswer | null
): Judgement<ReadonlyArray<Testimony & { readonly event: LogAnswer }>> => {
  const objections = testimonies.flatMap(({ node, objection }) => (objection === null ? [] : [`${node}: ${objection}`]))
  const sound = testimonies.flatMap((testimony) =>
    testimony.event === null || testimony.objection !== null ? [] : [{ ...testimony, event: testimony.event }]
  )
  const [most, next] = [...Map.groupBy(sound, ({ event }) => saidBy(event)).values()].sort(
    (a, b) => b.length - a.length
  )
  if (most === undefined) return { conclusion: null, warnings: objections }
  const dissent =
    next === undefined ? objections : [...objections, `${namesOf(most)} and ${namesOf(next)} say different things`]
  const isSure = most.length >= required && most.length > (next?.length ?? 0)
  if (!isSure) return { conclusion: null, warnings: dissent }
  if (!most.some(({ isNonceUsed }) => isNonceUsed)) {
    return { conclusion: null, warnings: [...dissent, `${namesOf(most)}: its nonce is not used`] }
  }
  const [only] = most
  if (most.length === 1 && found !== null && saidBy(found) !== saidBy(only!.event)) {
    return { conclusion: null, warnings: [...dissent, `${only!.node}: its logs and its receipt differ`] }
  }
  return { conclusion: most, warnings: dissent }
}

/** One node's report on an operation that should be in no block any more. */
export interface AbsenceTestimony {
  readonly node: string
  /** Unix seconds of its latest block. */
  readonly timestamp: number
  /** The event of the operation itself. */
  readonly event: LogAnswer | null
  /** Whether a trace of a bundle has run it: a node that lacks its event hides it. */
  readonly isTraced: boolean
  /** Whether the EntryPoint has used its nonce, and by an event of which it was not this operation. */
  readonly nonce: "FREE" | "USED" | "USED_BY_ANOTHER"
}

/**
 * Until when it is sure that an operation was in no block, in Unix seconds: as many nodes as required have no event of
 * it, and its nonce is free or was used by another operation.
 */
export const judgeAbsence = (testimonies: ReadonlyArray<AbsenceTestimony>, required: number): Judgement<number> => {
  const present = testimonies.filter(({ event }) => event !== null)
  const lacking = testimonies.filter(({ event }) => event === null)
  const hidden = lacking.filter(({ isTraced }) => isTraced)
  const unclear = lacking.filter(({ isTraced, nonce }) => !isTraced && nonce === "USED")
  const absent = lacking.length - hidden.length - unclear.length
  const warnings = [
    ...hidden.map(({ node }) => `${node}: its trace runs it, and there is no event of it`),
    ...unclear.map(({ node }) => `${node}: its nonce is used, and there is no event of it`),
    ...(present.length > 0 && absent > 0 ? [`${present.map(({ node }) => node).join(", ")} alone has its event`] : [])
  ]
  return {
    conclusion:
      absent === testimonies.length && absent >= required
        ? Math.min(...testimonies.map(({ timestamp }) => timestamp))
        : null,
    warnings
  }
}
