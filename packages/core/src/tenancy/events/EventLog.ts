import { Context, type DateTime, type Effect } from "effect"
import type { ProjectId } from "../projects/index.ts"
import type { DomainEvent } from "./DomainEvent.ts"

/** A place in the log: after the event of this id that happened at this time. Any text will do for an id. */
export interface EventPosition {
  readonly at: DateTime.Utc
  readonly id: string
}

/** Reads the events that an `EventOutbox` has stored, for as long as they are kept. */
export class EventLog extends Context.Service<
  EventLog,
  {
    /**
     * The first events after a position: by the time at which they happened, then by id. Null for the events of all
     * projects. An event is stored a moment after it happened: one that is stored late can come before a position that
     * was reached already.
     */
    readonly read: (request: {
      readonly projectId: ProjectId | null
      readonly after: EventPosition
      readonly limit: number
    }) => Effect.Effect<ReadonlyArray<DomainEvent>>
  }
>()("@countersign/core/events/EventLog") {}
