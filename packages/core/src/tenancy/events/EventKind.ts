import { type DateTime, Schema } from "effect"
import type { ProjectId } from "../projects/index.ts"
import type { NewEvent } from "./DomainEvent.ts"

/** A change of a resource that becomes an event. */
export interface ResourceChange<Type extends string, Resource> {
  readonly projectId: ProjectId
  readonly type: Type
  readonly id: string
  readonly at: DateTime.Utc
  /** Null for a new resource, and for a resource without a status. */
  readonly previousStatus: string | null
  /** The resource right after the change. */
  readonly resource: Resource
}

/** The events of one type of resource: the event types, and the snapshot of the resource in each event. */
export interface EventKind<Type extends string, Resource> {
  readonly kind: string
  readonly types: ReadonlyArray<Type>
  readonly eventOf: (change: ResourceChange<Type, Resource>) => NewEvent
  /** Decodes the resource from an event's snapshot. Throws if the text is not a snapshot of this type. */
  readonly resourceOf: (snapshot: string) => Resource
}

/**
 * Defines the events of a resource. Each type starts with `kind`, or with another group that only this resource uses.
 */
export const eventKind = <const Type extends string, Resource>(
  kind: string,
  types: ReadonlyArray<Type>,
  schema: Schema.Codec<Resource, unknown>
): EventKind<Type, Resource> => {
  const snapshot = Schema.fromJsonString(Schema.toCodecJson(schema))
  const encode = Schema.encodeSync(snapshot)
  return {
    kind,
    types,
    eventOf: ({ id, resource, ...change }) => ({ ...change, resource: { kind, id }, snapshot: encode(resource) }),
    resourceOf: Schema.decodeSync(snapshot)
  }
}
