import { Context, Effect } from "effect"
import type { UpstreamUnavailable } from "../../foundation/errors/index.ts"
import type { ProjectId } from "../projects/index.ts"

/** An erasure to repeat after a restore. */
export interface ErasureRecord {
  readonly projectId: ProjectId
  readonly identityId: string
}

/**
 * Records erasures outside of the database, because a backup from before an erasure contains the data. The default records nothing, for a
 * service without backups.
 */
export const ErasureRecords = Context.Reference<{
  /** Called before the data are erased. A repeated call changes nothing. */
  readonly record: (erasure: ErasureRecord) => Effect.Effect<void, UpstreamUnavailable>
}>("@countersign/core/data-subjects/ErasureRecords", { defaultValue: () => ({ record: () => Effect.void }) })
