import { Schema } from "effect"

/** All that an integrator can be told of. */
export const EventType = Schema.Literals([
  "transaction.created",
  "transaction.updated",
  "transaction.completed",
  "transaction.partially_completed",
  "transaction.failed",
  "transaction.cancelled",
  "transaction.expired",
  "transaction.refunded",
  "transaction.reorged",
  "wallet.registered",
  "wallet.deployed",
  "ramp.deposit.created",
  "ramp.deposit.funds_received",
  "ramp.deposit.processing",
  "ramp.deposit.in_review",
  "ramp.deposit.completed",
  "ramp.deposit.expired",
  "ramp.deposit.cancelled",
  "ramp.deposit.failed",
  "ramp.deposit.returned",
  "ramp.deposit.refunded",
  "ramp.withdrawal.created",
  "ramp.withdrawal.funds_received",
  "ramp.withdrawal.processing",
  "ramp.withdrawal.in_review",
  "ramp.withdrawal.completed",
  "ramp.withdrawal.expired",
  "ramp.withdrawal.cancelled",
  "ramp.withdrawal.failed",
  "ramp.withdrawal.returned",
  "ramp.withdrawal.refunded",
  "kyc.session.created",
  "kyc.session.verifying",
  "kyc.session.in_review",
  "kyc.session.completed",
  "kyc.session.failed",
  "kyc.session.expired",
  "kyb.session.created",
  "kyb.session.verifying",
  "kyb.session.in_review",
  "kyb.session.completed",
  "kyb.session.failed",
  "kyb.session.expired",
  "tax_export.delivered",
  "tax_export.failed",
  "webhook.test"
])
export type EventType = typeof EventType.Type

/** Every type of a kind, also those that later versions add. */
export const EventGroup = Schema.Literals([
  "transaction.*",
  "wallet.*",
  "ramp.deposit.*",
  "ramp.withdrawal.*",
  "kyc.session.*",
  "kyb.session.*",
  "tax_export.*"
])
export type EventGroup = typeof EventGroup.Type

/** What one wants to be told of: a type, or all of a kind. */
export const EventFilter = Schema.Union([EventType, EventGroup])
export type EventFilter = typeof EventFilter.Type

/** Whether somebody with these filters is told. Null means all. */
export const isWanted = (filters: ReadonlyArray<EventFilter> | null, type: EventType): boolean =>
  filters === null ||
  filters.some((filter) => filter === type || (filter.endsWith(".*") && type.startsWith(filter.slice(0, -1))))
