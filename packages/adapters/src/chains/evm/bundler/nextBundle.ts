import type { UserOperation } from "@countersign/core/operations/user-operations"
import { bundleGas } from "./bundleGas.ts"
import type { Submission } from "./Submission.ts"

/**
 * Maximum number of operations in a bundle. Each further operation saves less gas, and makes it harder to identify a
 * failing one.
 */
const OPERATIONS_MAX = 8
/**
 * Maximum gas of a bundle, below EIP-7825's transaction limit of 2^24. An operation with a higher limit is bundled on
 * its own.
 */
const GAS_MAX = 15_000_000n

type BundleCandidate = Pick<Submission, "operation" | "canChange" | "isSuspect">

const changesAccount = ({ authorization, factory }: UserOperation): boolean =>
  factory !== null || authorization !== null

/**
 * Whether two operations must not be in one bundle. Operations of one account conflict if one of them deploys or
 * delegates the account. An operation that can change is bundled only with operations of its own account, because it
 * could make the bundle fail at the operator's expense.
 */
const conflictInBundle = (first: BundleCandidate, second: BundleCandidate): boolean =>
  first.operation.sender === second.operation.sender
    ? changesAccount(first.operation) || changesAccount(second.operation)
    : first.canChange || second.canChange

/** Sorts by arrival, but an account's second operation comes after the first operations of all other accounts. */
const sortRoundRobin = <A extends BundleCandidate>(waiting: ReadonlyArray<A>): ReadonlyArray<A> => {
  const counts = new Map<string, number>()
  const roundOf = ({ operation: { sender } }: A): number => {
    const round = counts.get(sender) ?? 0
    counts.set(sender, round + 1)
    return round
  }
  return waiting
    .map((each) => ({ each, round: roundOf(each) }))
    .sort((a, b) => a.round - b.round)
    .map(({ each }) => each)
}

/**
 * Selects the operations of the next bundle: the first one, and others that are compatible with it and with each other.
 * Accounts take turns. Suspect operations come last, each on its own, so that valid operations do not wait for
 * thousands of failing ones.
 */
export const nextBundle = <A extends BundleCandidate>(waiting: ReadonlyArray<A>): ReadonlyArray<A> => {
  const [first, ...others] = sortRoundRobin(waiting.filter(({ isSuspect }) => !isSuspect))
  if (first === undefined) return waiting.slice(0, 1)
  const bundle = [first]
  for (const candidate of others) {
    if (bundle.length === OPERATIONS_MAX) break
    const isWithinGasLimit = bundleGas([...bundle, candidate].map((each) => each.operation)) <= GAS_MAX
    if (isWithinGasLimit && !bundle.some((each) => conflictInBundle(each, candidate))) bundle.push(candidate)
  }
  return bundle
}
