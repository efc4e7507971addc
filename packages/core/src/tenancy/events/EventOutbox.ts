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
     * Assigns the event its id and the resource's next sequence number, and creates a delivery for each enabled
     * endpoint of the project whose filters match. Units of work that append events of one resource run one after
     * another.
     */
    readonly append: (event: NewEvent) => Effect.Effect<DomainEvent>
  }
>()("@countersign/core/events/EventOutbox") {}
