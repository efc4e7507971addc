import { Schema } from "effect"
import { ProjectId } from "../projects/index.ts"
import { EventType } from "./EventFilter.ts"

/** Without dots, because what is signed is joined by dots. */
export const EventId = Schema.String.check(Schema.isPattern(/^msg_[A-Za-z0-9]+$/u)).pipe(Schema.brand("EventId"))
export type EventId = typeof EventId.Type

/** What an event is about. Its events are numbered from 1 and told in that order. */
export const EventResource = Schema.Struct({
  /** The `kind` of a feature's `EventKind`. Open, so that an event of a version with more features can still be read. */
  kind: Schema.String,
  id: Schema.String
})
export type EventResource = typeof EventResource.Type

const fields = {
  projectId: ProjectId,
  type: EventType,
  resource: EventResource,
  /** When it happened. */
  at: Schema.DateTimeUtc,
  /** The resource's status before; null where it had none. */
  previousStatus: Schema.NullOr(Schema.String),
  /** The resource right after the change: JSON text in the words of its own feature. */
  snapshot: Schema.String
}

/** Something that happened, as the feature where it happened tells of it. */
export const NewEvent = Schema.Struct(fields)
export type NewEvent = typeof NewEvent.Type

/** Something that happened, once it is written down. */
export const DomainEvent = Schema.Struct({
  ...fields,
  id: EventId,
  /** 1 for the resource's first event, then one more each time, without gaps. */
  sequence: Schema.Int
})
export type DomainEvent = typeof DomainEvent.Type
