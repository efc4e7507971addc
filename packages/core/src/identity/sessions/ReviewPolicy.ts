import { Context } from "effect"

export interface ReviewPolicy {
  /** Whether an approval needs two different reviewers. */
  readonly isFourEyes: boolean
}

/** The operator's setting for the number of reviewers that an approval needs. */
export const ReviewPolicy = Context.Reference<ReviewPolicy>("@countersign/core/identity/ReviewPolicy", {
  defaultValue: () => ({ isFourEyes: false })
})

/**
 * Returns whether these reviewers are sufficient to approve a part of a session. A rejection needs only one reviewer.
 */
export const isApproved = (reviewers: ReadonlyArray<string>, { isFourEyes }: ReviewPolicy): boolean =>
  new Set(reviewers).size >= (isFourEyes ? 2 : 1)
