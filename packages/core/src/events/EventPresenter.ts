import { Context, type Effect } from "effect"
import type { DomainEvent } from "./DomainEvent.ts"

/** How the outside sees what an event is about: the resource as a shell shows it, ready to be made JSON. */
export class EventPresenter extends Context.Service<
  EventPresenter,
  { readonly present: (event: DomainEvent) => Effect.Effect<Readonly<Record<string, unknown>>> }
>()("@countersign/core/events/EventPresenter") {}
