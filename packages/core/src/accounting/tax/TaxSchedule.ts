import { Schema } from "effect"
import { WalletAddress } from "../../foundation/primitives/index.ts"
import { ProjectId } from "../../tenancy/projects/index.ts"
import { Month } from "./Period.ts"
import { EmailCustomization, RecurrencePreset, TaxIndividual } from "./TaxRequests.ts"

/** A wallet's exports, one for each month, mailed to one address. */
export const TaxSchedule = Schema.Struct({
  id: Schema.String,
  projectId: ProjectId,
  walletAddress: WalletAddress,
  recurrencePreset: RecurrencePreset,
  /** Personal data: it gets into no log, error or event. */
  email: Schema.Redacted(Schema.String),
  individual: TaxIndividual,
  emailCustomization: EmailCustomization,
  /** As its user names it. */
  timezone: Schema.String,
  createdAt: Schema.DateTimeUtc,
  /** The end of the first month that is not exported yet. */
  nextEndAt: Schema.DateTimeUtc
})
export type TaxSchedule = typeof TaxSchedule.Type

/** PENDING until the mail is taken over, it is refused for good, or no attempts are left. */
export const TaxRunStatus = Schema.Literals(["PENDING", "DELIVERED", "FAILED"])
export type TaxRunStatus = typeof TaxRunStatus.Type

/** The export of one month of a schedule. There is one at most. */
export const TaxRun = Schema.Struct({
  id: Schema.String,
  scheduleId: Schema.String,
  projectId: ProjectId,
  walletAddress: WalletAddress,
  month: Month,
  timezone: Schema.String,
  status: TaxRunStatus,
  attempts: Schema.Int,
  /** Null where there is no next attempt. */
  nextAttemptAt: Schema.NullOr(Schema.DateTimeUtc),
  /** Of the last attempt; null for nothing. */
  lastError: Schema.NullOr(Schema.String),
  createdAt: Schema.DateTimeUtc,
  endedAt: Schema.NullOr(Schema.DateTimeUtc)
})
export type TaxRun = typeof TaxRun.Type
