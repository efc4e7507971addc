import { beforeLateEvents, EventLog, eventTail, matchesFilters, positionAfter } from "@countersign/core/tenancy/events"
import type { ProjectId } from "@countersign/core/tenancy/projects"
import { DateTime, Effect, Schema } from "effect"
import { decoderOf } from "../../api/endpoints/index.ts"
import { type CountersignEvent, positionOf, serializeEventOrNull } from "../../api/serializers/index.ts"
import { WireEventFilter } from "../../api/wire/index.ts"
import { CountersignError } from "./CountersignError.ts"
import { StoredChanges } from "./StoredChanges.ts"
import type { Run } from "./session.ts"

export type { CountersignEvent } from "../../api/serializers/index.ts"

type EventTypeFilter = typeof WireEventFilter.Encoded

export interface EventsOptions {
  /** Event types, or groups such as `transaction.*`. Default: all. */
  readonly types?: ReadonlyArray<EventTypeFilter>
  /** The `cursor` of the last processed event. Default: only new events. */
  readonly after?: string
  /** Ends the iteration without an error. */
  readonly signal?: AbortSignal
}

const decodeTypes = decoderOf(Schema.Struct({ types: Schema.NullOr(Schema.Array(WireEventFilter)) }))

/**
 * Streams the events of a project, or of all projects.
 *
 * Events are read from the database, so events of other processes are included. A slow reader needs no memory, because
 * the next events are read when it asks for them. Without `after` the iteration starts with new events. With the
 * `cursor` of an event it starts after that event, and misses no event that is still stored (`retention.eventDays`). It
 * first repeats the events of the minute before the cursor, so process each `id` only once, as with webhooks.
 * `data.sequence` is the order of the events of a resource. `close` ends the iteration.
 */
export const eventsOf = (run: Run, project: ProjectId | null) =>
  async function* (options: EventsOptions = {}): AsyncGenerator<CountersignEvent, void, undefined> {
    const { after, signal, types = null } = options
    try {
      const eventTypes = (await run(decodeTypes({ types }), signal)).types
      const now = await run(DateTime.now, signal)
      let position = after === undefined ? { at: now, id: "" } : await run(positionOf(after), signal)
      const start = after === undefined ? position : beforeLateEvents(position)
      const [log, changes] = await run(Effect.all([EventLog, StoredChanges]), signal)
      const readTail = Effect.all([eventTail(log, project, start, changes), DateTime.now])
      for (;;) {
        const [events, readAt] = await run(readTail, signal)
        for (const event of events) {
          position = positionAfter(position, event, readAt)
          if (!matchesFilters(eventTypes, event.type)) continue
          const serializedEvent = await run(serializeEventOrNull(event, position), signal)
          if (serializedEvent !== null) yield serializedEvent
        }
      }
    } catch (error) {
      const isEnd = signal?.aborted === true || (error instanceof CountersignError && error.id === "CLOSED")
      if (!isEnd) throw error
    }
  }
