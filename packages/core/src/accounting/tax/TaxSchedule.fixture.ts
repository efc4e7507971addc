import { DateTime, Redacted } from "effect"
import { anAddress, at, aUuid } from "../../foundation/primitives/ids.fixture.ts"
import { aProjectId } from "../../tenancy/projects/Project.fixture.ts"
import type { TaxRun, TaxSchedule } from "./TaxSchedule.ts"

export const aTaxSchedule = (fields: Partial<TaxSchedule> = {}): TaxSchedule => ({
  id: `tsc_${aUuid()}`,
  projectId: aProjectId(),
  walletAddress: anAddress(),
  recurrencePreset: "MONTHLY_START",
  email: Redacted.make("somebody@example.com"),
  individual: { type: "individual", individualId: "ind_1" },
  emailCustomization: {},
  timezone: "America/Sao_Paulo",
  createdAt: at(0),
  nextEndAt: at(1_000),
  ...fields
})

/** Creates a run of the schedule for May 2026, which is due one millisecond after `nextEndAt`. */
export const aTaxRun = (schedule: TaxSchedule, fields: Partial<TaxRun> = {}): TaxRun => ({
  id: `tax_${aUuid()}`,
  scheduleId: schedule.id,
  projectId: schedule.projectId,
  walletAddress: schedule.walletAddress,
  month: "2026-05",
  timezone: schedule.timezone,
  status: "PENDING",
  attempts: 0,
  nextAttemptAt: DateTime.add(schedule.nextEndAt, { milliseconds: 1 }),
  lastError: null,
  createdAt: at(0),
  endedAt: null,
  ...fields
})
