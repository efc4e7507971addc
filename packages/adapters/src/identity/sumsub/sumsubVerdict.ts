import type { Verdict } from "@countersign/core/identity"
import type { Applicant } from "./sumsubBodies.ts"

const WAITING: Verdict = { _tag: "Waiting" }

/** Returns the comment of Sumsub's moderators for the applicant, otherwise the reject labels. */
const reasonOf = ({ review }: Applicant): string => {
  const { moderationComment = "", rejectLabels = [] } = review?.reviewResult ?? {}
  return (moderationComment.trim() || rejectLabels.join(", ") || "The verification was rejected").slice(0, 500)
}

/**
 * Whether the applicant is submitted. `init` means that it is not, because documents are missing or Sumsub requires
 * others.
 */
export const isSubmitted = ({ review }: Applicant): boolean => review !== undefined && review.reviewStatus !== "init"

const reviewAnswerOf = ({ review }: Applicant): string | undefined =>
  review?.reviewStatus === "completed" ? review.reviewResult?.reviewAnswer : undefined

/**
 * Combines the reviews of a session. One rejected applicant rejects the session. The session is approved once all
 * applicants are approved.
 */
export const verdictOf = (applicants: ReadonlyArray<Applicant>): Verdict => {
  const refusedApplicant = applicants.find((one) => reviewAnswerOf(one) === "RED")
  if (refusedApplicant !== undefined) return { _tag: "Rejected", reason: reasonOf(refusedApplicant) }
  return applicants.every((one) => reviewAnswerOf(one) === "GREEN") ? { _tag: "Approved" } : WAITING
}
