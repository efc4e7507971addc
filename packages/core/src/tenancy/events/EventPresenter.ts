import { Context, type Effect } from "effect"
import type { DomainEvent } from "./DomainEvent.ts"

/** Renders the resource of an event as clients see it: a JSON object. */
export class EventPresenter extends Context.Service<
  EventPresenter,
  { readonly present: (event: DomainEvent) => Effect.Effect<Readonly<Record<string, unknown>>> }
>()("@countersign/core/events/EventPresenter") {}
