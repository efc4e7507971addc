import { BadRequest } from "@countersign/core/foundation/errors"
import {
  beforeLateEvents,
  EventFeed,
  type EventPosition,
  EventSerializer,
  type EventSubscription,
  matchesFilters,
  positionAfter
} from "@countersign/core/tenancy/events"
import { RetentionPolicy } from "@countersign/core/tenancy/retention"
import { DateTime, Effect, Predicate, Schema } from "effect"
import { type CountersignEvent, cursorOf, positionOf, serializeEventOrNull } from "../serializers/index.ts"
import { EventsQuery } from "../wire/index.ts"
import { endpoint } from "./Endpoint.ts"
import type { EventSource, OpenEvents } from "./EventSource.ts"

/**
 * Milliseconds by which the cursor of a live subscription is behind the current time, so that the reader misses no
 * event that is stored late.
 */
const LIVE_LAG_MS = 5_000

/** Returns the position from which the reader continues. Fails if events after the cursor may have been deleted. */
const requirePosition = Effect.fnUntraced(function* (cursor: string) {
  const position = yield* positionOf(cursor)
  const { deliveryDays } = yield* RetentionPolicy
  const oldestKeptAt = DateTime.subtract(yield* DateTime.now, { milliseconds: deliveryDays * 86_400_000 })
  if (DateTime.isGreaterThanOrEqualTo(position.at, oldestKeptAt)) return position
  return yield* BadRequest.of(
    "after",
    "expired",
    `Events after this cursor may have been deleted, because events are kept for ${deliveryDays} days. Read the history, and ` +
      "open the stream without `after`."
  )
})

/** Serializes the events of a subscription that the client may read, and keeps the client's cursor. */
const openEvents = (
  subscription: EventSubscription,
  start: EventPosition,
  types: ReadonlyArray<string> | null,
  serializer: EventSerializer["Service"]
): OpenEvents => {
  let position = start
  return {
    awaitEvents: subscription.awaitArrival,
    take: Effect.fnUntraced(
      function* (mayRead) {
        const events = yield* subscription.take
        if (events === null) return null
        const now = yield* DateTime.now
        const serializedEvents: Array<CountersignEvent> = []
        for (const event of events) {
          position = positionAfter(position, event, now)
          if (!matchesFilters(types, event.type) || !mayRead(event.type)) continue
          const streamedEvent = yield* serializeEventOrNull(event, position)
          if (streamedEvent !== null) serializedEvents.push(streamedEvent)
        }
        return serializedEvents
      },
      Effect.provideService(EventSerializer, serializer)
    ),
    cursor: Effect.map(DateTime.now, (now) => {
      const livePosition = { at: DateTime.subtract(now, { milliseconds: LIVE_LAG_MS }), id: "" }
      if (subscription.isLive()) position = positionAfter(position, livePosition, now)
      return cursorOf(position)
    })
  }
}

const stream = endpoint({
  id: "events",
  method: "GET",
  path: "/api/v1/events",
  summary: "Stream the events of the project as server-sent events",
  description:
    "Streams the events that webhooks also receive, as `text/event-stream` (WHATWG HTML, server-sent events). `data` of a message is the JSON " +
    "of an event: `id`, `cursor`, `projectId` and the fields of the webhook body. `id` of a message is the `cursor`. A client that " +
    "reconnects with the `Last-Event-ID` header, or with `after`, misses no event: the stream continues after that event. It first " +
    "repeats the events of the minute before that event, so process each event `id` only once. Within a resource `data.sequence` " +
    "defines the order. A cursor is valid for as long as the service keeps events, which is 30 days by default.\n\n" +
    "The stream contains the events that the key may read: `ramp.*` requires the scope `fiat`, `kyc.*` and `kyb.*` require `kyc`. " +
    "The service sends a message without data at least every 15 seconds. It ends the stream when the key is revoked, when the " +
    "client reads too slowly, and at shutdown. `retry` is the number of milliseconds to wait before the next connection. A key " +
    "may have 20 open streams.",
  query: EventsQuery,
  success: Schema.declare((value): value is EventSource => Predicate.hasProperty(value, "open")),
  isEventStream: true,
  errors: [],
  scope: "read",
  cost: "read",
  example: {},
  run: Effect.fnUntraced(function* ({ project, query }) {
    const { after, types = null } = query
    const position = after === undefined ? { at: yield* DateTime.now, id: "" } : yield* requirePosition(after)
    const start = after === undefined ? position : beforeLateEvents(position)
    const feed = yield* EventFeed
    const serializer = yield* EventSerializer
    const source: EventSource = {
      cursor: cursorOf(position),
      open: Effect.map(feed.subscribe(project.id, start), (subscription) =>
        openEvents(subscription, position, types, serializer)
      )
    }
    return source
  })
})

export const events = { events: stream }
