import { Schema } from "effect"

/** What happened, its kind first: `transaction.completed`. Features say which there are (`EventKind`). */
export const EventType = Schema.String.check(Schema.isPattern(/^[a-z_]+(?:\.[a-z_]+)+$/u))
export type EventType = typeof EventType.Type

/** What one wants to be told of: a type, or a group such as `transaction.*`, also of types that later versions add. */
export const EventFilter = Schema.String.check(Schema.isPattern(/^[a-z_]+(?:\.[a-z_]+)*\.(?:[a-z_]+|\*)$/u))
export type EventFilter = typeof EventFilter.Type

/** Whether somebody with these filters is told. Null means all. */
export const isWanted = (filters: ReadonlyArray<EventFilter> | null, type: EventType): boolean =>
  filters === null ||
  filters.some((filter) => filter === type || (filter.endsWith(".*") && type.startsWith(filter.slice(0, -1))))
