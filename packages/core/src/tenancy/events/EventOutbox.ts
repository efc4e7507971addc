import { Context, type Effect } from "effect"
import type { DomainEvent, NewEvent } from "./DomainEvent.ts"

/**
 * Stores events in the same unit of work as the change that they describe, together with the deliveries that follow
 * from them: all of it is stored, or nothing.
 */
export class EventOutbox extends Context.Service<
  EventOutbox,
  {
    /**
     * Gives the event its id and the next sequence number of its resource, and creates a delivery for each enabled
     * endpoint of the project whose filters match. Units of work that append events of one resource run one by one.
     */
    readonly append: (event: NewEvent) => Effect.Effect<DomainEvent>
  }
>()("@countersign/core/events/EventOutbox") {}
