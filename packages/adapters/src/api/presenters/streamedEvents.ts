import { BadRequest } from "@countersign/core/foundation/errors"
import { type DomainEvent, type EventPosition, EventPresenter } from "@countersign/core/tenancy/events"
import { webhookBody } from "@countersign/core/tenancy/webhooks"
import { DateTime, Effect } from "effect"

/** An event, with the body that a webhook would have. */
export interface CountersignEvent {
  /** The `webhook-id`: the same when an event comes again. */
  readonly id: string
  /** The position of the reader in the log. A reader that gives it as `after` later misses nothing. */
  readonly cursor: string
  readonly projectId: string
  readonly type: string
  /** ISO 8601. */
  readonly timestamp: string
  /** The resource as the API answers it, with `sequence`, `previousStatus`, `metadataKey` and `metadataValue`. */
  readonly data: Readonly<Record<string, unknown>>
}

/** Milliseconds and an event id. */
const CURSOR = /^(\d{1,15})\.(msg_[A-Za-z0-9]+)$/u

/** Sorts before the id of every event, so that the position is the moment alone. */
const FIRST_ID = "msg_0"

export const cursorOf = ({ at, id }: EventPosition): string => `${DateTime.toEpochMillis(at)}.${id || FIRST_ID}`

export const positionOf = (cursor: string): Effect.Effect<EventPosition, BadRequest> => {
  const [, millis, id] = CURSOR.exec(cursor) ?? []
  return id === undefined
    ? BadRequest.of("after", "invalid", "Expected the cursor of an event.")
    : Effect.succeed({ at: DateTime.makeUnsafe(Number(millis)), id })
}

const presentEvent = Effect.fnUntraced(function* (
  presenter: EventPresenter["Service"],
  event: DomainEvent,
  position: EventPosition
) {
  const body = webhookBody(event, yield* presenter.present(event))
  const { data, timestamp, type } = JSON.parse(body) as Pick<CountersignEvent, "data" | "timestamp" | "type">
  const presented: CountersignEvent = {
    id: event.id,
    cursor: cursorOf(position),
    projectId: event.projectId,
    type,
    timestamp,
    data
  }
  return presented
})

/** The event as a reader at this position sees it. Null for an event of a kind that only a later version knows: it is logged, and the others continue. */
export const presentEventOrNull = (event: DomainEvent, position: EventPosition) =>
  Effect.flatMap(EventPresenter, (presenter) => presentEvent(presenter, event, position)).pipe(
    Effect.catchDefect((defect) =>
      Effect.as(Effect.annotateLogs(Effect.logError("an event can't be shown", defect), { event: event.id }), null)
    )
  )
