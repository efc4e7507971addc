import type { EventKind } from "@countersign/core/tenancy/events"
import { Effect } from "effect"

/** A resource in the API's format. */
export type ResourceBody = Readonly<Record<string, unknown>>

/** Serializes the resources of one event kind. */
export interface ResourceSerializer<R> {
  readonly kind: string
  readonly types: ReadonlyArray<string>
  /** Builds the function that serializes a snapshot of a resource. Runs only once. */
  readonly makeSnapshotSerializer: Effect.Effect<(snapshot: string) => Effect.Effect<ResourceBody>, never, R>
}

/**
 * Builds the serializer for an event kind. `serialize` gets its services once, and returns the function that serializes
 * a resource.
 */
export const resourceSerializer = <Type extends string, Resource, R>(
  { kind, resourceOf, types }: EventKind<Type, Resource>,
  serialize: Effect.Effect<(resource: Resource) => Effect.Effect<ResourceBody>, never, R>
): ResourceSerializer<R> => ({
  kind,
  types,
  makeSnapshotSerializer: Effect.map(
    serialize,
    (serializeResource) => (snapshot) => Effect.suspend(() => serializeResource(resourceOf(snapshot)))
  )
})
