import { Context, Effect } from "effect"
import type { UpstreamUnavailable } from "../../foundation/errors/index.ts"
import type { ProjectId } from "../projects/index.ts"

/** An erasure that must be repeated after a restore. */
export interface ErasureRecord {
  readonly projectId: ProjectId
  readonly identityId: string
}

/**
 * Records erasures outside the database, because a backup that is older than an erasure still contains the data. The
 * default records nothing, which is sufficient for a service without backups.
 */
export const ErasureRecords = Context.Reference<{
  /** Records an erasure before the data are erased. A repeated call has no effect. */
  readonly record: (erasure: ErasureRecord) => Effect.Effect<void, UpstreamUnavailable>
}>("@countersign/core/data-subjects/ErasureRecords", { defaultValue: () => ({ record: () => Effect.void }) })
