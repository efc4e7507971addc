import { Context, Effect } from "effect"
import type { VerificationSession } from "./sessions/VerificationSession.ts"

/** The effects of an approval in other features. */
export interface FollowUp {
  /** Runs in the unit of work of the approval, so that a crash right after the approval loses nothing. */
  readonly record: (session: VerificationSession) => Effect.Effect<void>
  /** Runs after the approval is stored. If it is interrupted, a worker completes it. */
  readonly start: (session: VerificationSession) => Effect.Effect<void>
}

export const ApprovalFollowUp = Context.Reference<FollowUp>("@countersign/core/identity/ApprovalFollowUp", {
  defaultValue: () => ({ record: () => Effect.void, start: () => Effect.void })
})
