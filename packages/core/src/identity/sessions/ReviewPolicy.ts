import { Context } from "effect"

export interface ReviewPolicy {
  /** Whether an approval needs two different reviewers. */
  readonly isFourEyes: boolean
}

/** How many reviewers an approval needs. The operator sets it. */
export const ReviewPolicy = Context.Reference<ReviewPolicy>("@countersign/core/identity/ReviewPolicy", {
  defaultValue: () => ({ isFourEyes: false })
})

/** Whether these reviewers are enough to approve a part of a session. A refusal needs one reviewer under either policy. */
export const isApproved = (reviewers: ReadonlyArray<string>, { isFourEyes }: ReviewPolicy): boolean =>
  new Set(reviewers).size >= (isFourEyes ? 2 : 1)
