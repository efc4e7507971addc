import { Context, Effect } from "effect"
import type { VerificationSession } from "./sessions/VerificationSession.ts"

/** What an approval leads to in other features. */
export interface FollowUp {
  /** In the unit of work of the approval: nothing is lost if the process ends right after it. */
  readonly record: (session: VerificationSession) => Effect.Effect<void>
  /** Once the approval is stored. A worker completes what was interrupted. */
  readonly start: (session: VerificationSession) => Effect.Effect<void>
}

export const ApprovalFollowUp = Context.Reference<FollowUp>("@countersign/core/identity/ApprovalFollowUp", {
  defaultValue: () => ({ record: () => Effect.void, start: () => Effect.void })
})
