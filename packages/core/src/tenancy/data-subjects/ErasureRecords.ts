import { Context, Effect } from "effect"
import type { UpstreamUnavailable } from "../../foundation/errors/index.ts"
import type { ProjectId } from "../projects/index.ts"

/** An erasure that a restored database has to repeat. */
export interface ErasureRecord {
  readonly projectId: ProjectId
  readonly identityId: string
}

/**
 * Records erasures outside of the database, because a backup from before an erasure has the data. By default nothing is recorded,
 * which fits a service without backups.
 */
export const ErasureRecords = Context.Reference<{
  /** Before the data are erased. Again: no change. */
  readonly record: (erasure: ErasureRecord) => Effect.Effect<void, UpstreamUnavailable>
}>("@countersign/core/data-subjects/ErasureRecords", { defaultValue: () => ({ record: () => Effect.void }) })
