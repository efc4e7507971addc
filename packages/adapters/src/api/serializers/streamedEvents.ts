import { BadRequest } from "@countersign/core/foundation/errors"
import { type DomainEvent, type EventPosition, EventSerializer } from "@countersign/core/tenancy/events"
import { webhookBody } from "@countersign/core/tenancy/webhooks"
import { DateTime, Effect } from "effect"

/** An event, with the fields of the webhook body. */
export interface CountersignEvent {
  /** Value of the `webhook-id` header, which is the same in every delivery of the event. */
  readonly id: string
  /** The reader's position in the event log. A reader that later passes it as `after` misses no events. */
  readonly cursor: string
  readonly projectId: string
  readonly type: string
  /** ISO 8601. */
  readonly timestamp: string
  /** The resource in the API's format, with `sequence`, `previousStatus`, `metadataKey` and `metadataValue`. */
  readonly data: Readonly<Record<string, unknown>>
}

/** Unix time in milliseconds, a dot and an event id. */
const CURSOR = /^(\d{1,15})\.(msg_[A-Za-z0-9]+)$/u

/** Sorts before all event ids, so that a cursor with this id starts at the first event of its millisecond. */
const FIRST_ID = "msg_0"

export const cursorOf = ({ at, id }: EventPosition): string => `${DateTime.toEpochMillis(at)}.${id || FIRST_ID}`

export const positionOf = (cursor: string): Effect.Effect<EventPosition, BadRequest> => {
  const [, millis, id] = CURSOR.exec(cursor) ?? []
  return id === undefined
    ? BadRequest.of("after", "invalid", "Expected the cursor of an event.")
    : Effect.succeed({ at: DateTime.makeUnsafe(Number(millis)), id })
}

const serializeEvent = Effect.fnUntraced(function* (
  serializer: EventSerializer["Service"],
  event: DomainEvent,
  position: EventPosition
) {
  const body = webhookBody(event, yield* serializer.serialize(event))
  const { data, timestamp, type } = JSON.parse(body) as Pick<CountersignEvent, "data" | "timestamp" | "type">
  const serializedEvent: CountersignEvent = {
    id: event.id,
    cursor: cursorOf(position),
    projectId: event.projectId,
    type,
    timestamp,
    data
  }
  return serializedEvent
})

/**
 * Serializes an event for a reader at this position. If the event can't be serialized, logs the failure and returns
 * null, so that the stream continues.
 */
export const serializeEventOrNull = (event: DomainEvent, position: EventPosition) =>
  Effect.flatMap(EventSerializer, (serializer) => serializeEvent(serializer, event, position)).pipe(
    Effect.catchDefect((defect) =>
      Effect.as(Effect.annotateLogs(Effect.logError("an event can't be serialized", defect), { event: event.id }), null)
    )
  )
