import { Schema } from "effect"

/** The type of an event, such as `transaction.completed`. Each feature defines its own types (`EventKind`). */
export const EventType = Schema.String.check(Schema.isPattern(/^[a-z_]+(?:\.[a-z_]+)+$/u))
export type EventType = typeof EventType.Type

/** An event type, or a group such as `transaction.*`. A group includes types that later versions add. */
export const EventFilter = Schema.String.check(Schema.isPattern(/^[a-z_]+(?:\.[a-z_]+)*\.(?:[a-z_]+|\*)$/u))
export type EventFilter = typeof EventFilter.Type

/** Returns whether one of the filters matches. Null matches all types. */
export const matchesFilters = (filters: ReadonlyArray<EventFilter> | null, type: EventType): boolean =>
  filters === null ||
  filters.some((filter) => filter === type || (filter.endsWith(".*") && type.startsWith(filter.slice(0, -1))))
