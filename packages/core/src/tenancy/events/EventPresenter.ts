import { Context, type Effect } from "effect"
import type { DomainEvent } from "./DomainEvent.ts"

/** Serializes the resource of an event to the JSON object that clients receive. */
export class EventPresenter extends Context.Service<
  EventPresenter,
  { readonly present: (event: DomainEvent) => Effect.Effect<Readonly<Record<string, unknown>>> }
>()("@countersign/core/events/EventPresenter") {}
