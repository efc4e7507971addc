import { Context, type Effect } from "effect"
import type { DomainEvent, NewEvent } from "./DomainEvent.ts"

/**
 * Where events are written in the unit of work of the change that they tell of: both are stored or neither is. What
 * has to be sent because of it is written with it.
 */
export class EventOutbox extends Context.Service<
  EventOutbox,
  {
    /**
     * Gives the event its id and the next sequence of its resource, and makes a delivery for every endpoint of the
     * project that is enabled and wants it. Units that tell of one resource at once take turns.
     */
    readonly append: (event: NewEvent) => Effect.Effect<DomainEvent>
  }
>()("@countersign/core/events/EventOutbox") {}
