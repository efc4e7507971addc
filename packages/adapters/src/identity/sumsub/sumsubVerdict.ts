import type { Verdict } from "@countersign/core/identity"
import type { Applicant } from "./sumsubBodies.ts"

const waiting: Verdict = { _tag: "Waiting" }

/** What Sumsub's reviewers wrote for the person, or else the labels of the refusal. */
const reasonOf = ({ review }: Applicant): string => {
  const { moderationComment = "", rejectLabels = [] } = review?.reviewResult ?? {}
  return (moderationComment.trim() || rejectLabels.join(", ") || "The verification was refused").slice(0, 500)
}

/** `init`: documents are missing, so that it is not handed in, or Sumsub asks for others. */
export const isHandedIn = ({ review }: Applicant): boolean => review !== undefined && review.reviewStatus !== "init"

const answerOf = ({ review }: Applicant): string | undefined =>
  review?.reviewStatus === "completed" ? review.reviewResult?.reviewAnswer : undefined

/** One refused refuses the session. A business is approved with the last of its owners. */
export const verdictOf = (applicants: ReadonlyArray<Applicant>): Verdict => {
  const refused = applicants.find((one) => answerOf(one) === "RED")
  if (refused !== undefined) return { _tag: "Rejected", reason: reasonOf(refused) }
  return applicants.every((one) => answerOf(one) === "GREEN") ? { _tag: "Approved" } : waiting
}
