import type { EventKind } from "@countersign/core/tenancy/events"
import { Effect } from "effect"

/** A resource as the API shows it. */
export type ResourceBody = Readonly<Record<string, unknown>>

/** Shows the resources of one kind of events. */
export interface ResourcePresenter<R> {
  readonly kind: string
  readonly types: ReadonlyArray<string>
  /** Made once; then it shows the resource of each snapshot. */
  readonly ofSnapshot: Effect.Effect<(snapshot: string) => Effect.Effect<ResourceBody>, never, R>
}

/** A presenter for an event kind. `present` takes its services once and answers how to show one resource. */
export const resourcePresenter = <Type extends string, Resource, R>(
  { kind, resourceOf, types }: EventKind<Type, Resource>,
  present: Effect.Effect<(resource: Resource) => Effect.Effect<ResourceBody>, never, R>
): ResourcePresenter<R> => ({
  kind,
  types,
  ofSnapshot: Effect.map(present, (show) => (snapshot) => Effect.suspend(() => show(resourceOf(snapshot))))
})
