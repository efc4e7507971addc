import { Schema } from "effect"
import { EventFilter } from "../events/index.ts"

/** Maximum number of deliveries per page. */
export const MAX_DELIVERIES_PAGE = 100
/** 7 days. */
export const OVERLAP_SECONDS_MAX = 7 * 86_400

export const NewWebhook = Schema.Struct({
  url: Schema.String,
  /** Null selects all events. */
  eventTypes: Schema.NullOr(
    Schema.NonEmptyArray(
      EventFilter.annotate({
        message: "Expected an event type, such as transaction.completed, or a group such as transaction.*"
      })
    )
  ),
  description: Schema.String.check(Schema.isMaxLength(200))
})
export type NewWebhook = typeof NewWebhook.Type

export const DeliveriesRequest = Schema.Struct({
  /** The id of the last delivery of the previous page. Null for the first page. */
  lastId: Schema.NullOr(Schema.String),
  take: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: MAX_DELIVERIES_PAGE }))
})
export type DeliveriesRequest = typeof DeliveriesRequest.Type

export const SecretRotation = Schema.Struct({
  /** Seconds for which deliveries are also signed with the earlier secrets. */
  overlapSeconds: Schema.Int.check(
    Schema.isBetween(
      { minimum: 0, maximum: OVERLAP_SECONDS_MAX },
      { message: `Expected an overlap from 0 to ${OVERLAP_SECONDS_MAX} seconds.` }
    )
  )
})
export type SecretRotation = typeof SecretRotation.Type
