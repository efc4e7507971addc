import type { DateTime } from "effect"
import { eventKind, type NewEvent } from "../../tenancy/events/index.ts"
import { TaxRun, type TaxRunStatus } from "./TaxSchedule.ts"

/** Events of tax exports. They contain the schedule's id, and never its email address. */
export const taxEvents = eventKind("tax_export", ["tax_export.delivered", "tax_export.failed"], TaxRun)

/** Returns the event of a run that ended. */
export const runEndedEvent = (run: TaxRun, previousStatus: TaxRunStatus, at: DateTime.Utc): NewEvent =>
  taxEvents.eventOf({
    projectId: run.projectId,
    type: run.status === "DELIVERED" ? "tax_export.delivered" : "tax_export.failed",
    id: run.id,
    at,
    previousStatus,
    resource: run
  })
