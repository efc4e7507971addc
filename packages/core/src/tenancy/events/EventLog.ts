import { Context, type DateTime, type Effect } from "effect"
import type { ProjectId } from "../projects/index.ts"
import type { DomainEvent } from "./DomainEvent.ts"

/** A position in the log: after the event with this time and id. The id may be any text. */
export interface EventPosition {
  readonly at: DateTime.Utc
  readonly id: string
}

/** Reads the events that an `EventOutbox` has stored, until the retention deletes them. */
export class EventLog extends Context.Service<
  EventLog,
  {
    /**
     * Returns the first events after a position, sorted by event time, then by id. If the project is null, returns the
     * events of all projects. An event is stored slightly after its time, so a late event may be sorted before a
     * position that was already read.
     */
    readonly read: (request: {
      readonly projectId: ProjectId | null
      readonly after: EventPosition
      readonly limit: number
    }) => Effect.Effect<ReadonlyArray<DomainEvent>>
  }
>()("@countersign/core/events/EventLog") {}
