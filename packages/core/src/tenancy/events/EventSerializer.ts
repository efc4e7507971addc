import { Context, type Effect } from "effect"
import type { DomainEvent } from "./DomainEvent.ts"

/** Serializes the resource of an event to the JSON object that clients receive. */
export class EventSerializer extends Context.Service<
  EventSerializer,
  { readonly serialize: (event: DomainEvent) => Effect.Effect<Readonly<Record<string, unknown>>> }
>()("@countersign/core/events/EventPresenter") {}
