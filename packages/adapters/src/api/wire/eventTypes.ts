import { Schema } from "effect"

/**
 * The event types of the API. The list may include types of planned features, so that clients can already filter by
 * them. A test compares it with the registered event kinds.
 */
export const WireEventType = Schema.Literals([
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
  "kyc.provider.pending",
  "kyc.provider.active",
  "kyc.provider.action_required",
  "kyc.provider.rejected",
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

/** Each group includes all of its types, also types that later versions add. */
export const WireEventGroup = Schema.Literals([
  "transaction.*",
  "wallet.*",
  "ramp.deposit.*",
  "ramp.withdrawal.*",
  "kyc.session.*",
  "kyc.provider.*",
  "kyb.session.*",
  "tax_export.*"
])

export const WireEventFilter = Schema.Union([WireEventType, WireEventGroup])
