import { Context, Effect } from "effect"
import type { VerificationSession } from "./sessions/VerificationSession.ts"

/** The effects of an approval in other features. */
export interface FollowUp {
  /** Runs in the unit of work of the approval, so that nothing is lost if the process ends right after it. */
  readonly record: (session: VerificationSession) => Effect.Effect<void>
  /** Runs once the approval is stored. A worker completes it after an interruption. */
  readonly start: (session: VerificationSession) => Effect.Effect<void>
}

export const ApprovalFollowUp = Context.Reference<FollowUp>("@countersign/core/identity/ApprovalFollowUp", {
  defaultValue: () => ({ record: () => Effect.void, start: () => Effect.void })
})
