import type { UserOperation } from "@countersign/core/operations/user-operations"
import { bundleGas } from "./bundleGas.ts"
import type { Submission } from "./Submission.ts"

/** Each further operation saves less, and makes it harder to find a failing one. */
const OPERATIONS_MAX = 8
/** Below EIP-7825's limit of a transaction, 2^24. An operation that needs more is bundled alone. */
const GAS_MAX = 15_000_000n

type Bundled = Pick<Submission, "operation" | "canChange" | "isSuspect">

const changesAccount = ({ authorization, factory }: UserOperation): boolean =>
  factory !== null || authorization !== null

/**
 * Of two operations that deploy one account, or delegate it, the second fails. An operation that can change is only
 * bundled with its own account's: it could make the bundle fail at the operator's cost.
 */
const exclude = (one: Bundled, other: Bundled): boolean =>
  one.operation.sender === other.operation.sender
    ? changesAccount(one.operation) || changesAccount(other.operation)
    : one.canChange || other.canChange

/** In order of arrival, with the second operation of an account after the first ones of all others. */
const inTurns = <A extends Bundled>(waiting: ReadonlyArray<A>): ReadonlyArray<A> => {
  const counts = new Map<string, number>()
  const turnOf = ({ operation: { sender } }: A): number => {
    const turn = counts.get(sender) ?? 0
    counts.set(sender, turn + 1)
    return turn
  }
  return waiting
    .map((each) => ({ each, turn: turnOf(each) }))
    .sort((a, b) => a.turn - b.turn)
    .map(({ each }) => each)
}

/**
 * Selects the operations of the next bundle: the first one, and others that are compatible with it and with each other.
 * Accounts take turns, and suspects come last, each alone: an honest operation does not wait for thousands that fail.
 */
export const nextBundle = <A extends Bundled>(waiting: ReadonlyArray<A>): ReadonlyArray<A> => {
  const [first, ...others] = inTurns(waiting.filter(({ isSuspect }) => !isSuspect))
  if (first === undefined) return waiting.slice(0, 1)
  const bundle = [first]
  for (const other of others) {
    if (bundle.length === OPERATIONS_MAX) break
    const fits = bundleGas([...bundle, other].map((each) => each.operation)) <= GAS_MAX
    if (fits && !bundle.some((each) => exclude(each, other))) bundle.push(other)
  }
  return bundle
}
