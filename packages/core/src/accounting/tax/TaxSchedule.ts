import { Schema } from "effect"
import { WalletAddress } from "../../foundation/primitives/index.ts"
import { ProjectId } from "../../tenancy/projects/index.ts"
import { Month } from "./Period.ts"
import { EmailCustomization, RecurrencePreset, TaxIndividual } from "./TaxRequests.ts"

/** A wallet's monthly exports, sent to one email address. */
export const TaxSchedule = Schema.Struct({
  id: Schema.String,
  projectId: ProjectId,
  walletAddress: WalletAddress,
  recurrencePreset: RecurrencePreset,
  /** Personal data. It must not appear in logs, errors or events. */
  email: Schema.Redacted(Schema.String),
  individual: TaxIndividual,
  emailCustomization: EmailCustomization,
  /** The IANA name, spelled as in the request. */
  timezone: Schema.String,
  createdAt: Schema.DateTimeUtc,
  /** The end of the first month that is not exported yet. */
  nextEndAt: Schema.DateTimeUtc
})
export type TaxSchedule = typeof TaxSchedule.Type

/**
 * PENDING: attempts are left. DELIVERED: the mail server has accepted the email. FAILED: the email was rejected, or no
 * attempts are left.
 */
export const TaxRunStatus = Schema.Literals(["PENDING", "DELIVERED", "FAILED"])
export type TaxRunStatus = typeof TaxRunStatus.Type

/** The export of one month of a schedule. A month has at most one run. */
export const TaxRun = Schema.Struct({
  id: Schema.String,
  scheduleId: Schema.String,
  projectId: ProjectId,
  walletAddress: WalletAddress,
  month: Month,
  timezone: Schema.String,
  status: TaxRunStatus,
  attempts: Schema.Int,
  /** Null if no attempt will follow. */
  nextAttemptAt: Schema.NullOr(Schema.DateTimeUtc),
  /** The error of the last attempt. Null if it did not fail. */
  lastError: Schema.NullOr(Schema.String),
  createdAt: Schema.DateTimeUtc,
  endedAt: Schema.NullOr(Schema.DateTimeUtc)
})
export type TaxRun = typeof TaxRun.Type
