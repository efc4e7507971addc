import { Schema } from "effect"
import { ProjectId } from "../projects/index.ts"
import { EventType } from "./EventFilter.ts"

/** An event id. It contains no dots, because dots separate the parts of the text that a webhook signs. */
export const EventId = Schema.String.check(Schema.isPattern(/^msg_[A-Za-z0-9]+$/u)).pipe(Schema.brand("EventId"))
export type EventId = typeof EventId.Type

/** The subject of an event. The events of a resource are numbered from 1, and delivered in this order. */
export const EventResource = Schema.Struct({
  /**
   * The `kind` of an `EventKind`. Any text is valid, so that this version can read events that a newer version stored.
   */
  kind: Schema.String,
  id: Schema.String
})
export type EventResource = typeof EventResource.Type

const fields = {
  projectId: ProjectId,
  type: EventType,
  resource: EventResource,
  /** The time of the change that the event describes. */
  at: Schema.DateTimeUtc,
  /** The resource's previous status. Null for a new resource, and for a resource without a status. */
  previousStatus: Schema.NullOr(Schema.String),
  /** The resource right after the change, as JSON text that its `EventKind` encodes and decodes. */
  snapshot: Schema.String
}

/** An event before it is stored. */
export const NewEvent = Schema.Struct(fields)
export type NewEvent = typeof NewEvent.Type

/** A stored event. */
export const DomainEvent = Schema.Struct({
  ...fields,
  id: EventId,
  /** The number of the event in the sequence of its resource, starting at 1 and without gaps. */
  sequence: Schema.Int
})
export type DomainEvent = typeof DomainEvent.Type
