import { Context } from "effect"

export interface ReviewPolicy {
  /** Whether an approval needs two different reviewers. */
  readonly isFourEyes: boolean
}

/** The number of reviewers that an approval needs, as set by the operator. */
export const ReviewPolicy = Context.Reference<ReviewPolicy>("@countersign/core/identity/ReviewPolicy", {
  defaultValue: () => ({ isFourEyes: false })
})

/** Whether these reviewers are sufficient to approve a part of a session. A refusal needs only one reviewer. */
export const isApproved = (reviewers: ReadonlyArray<string>, { isFourEyes }: ReviewPolicy): boolean =>
  new Set(reviewers).size >= (isFourEyes ? 2 : 1)
