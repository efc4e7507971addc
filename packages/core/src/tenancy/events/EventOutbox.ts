import { Context, type Effect } from "effect"
import type { DomainEvent, NewEvent } from "./DomainEvent.ts"

/** Stores events and their deliveries in the same unit of work as the change that they describe. */
export class EventOutbox extends Context.Service<
  EventOutbox,
  {
    /**
     * Stores an event with an id and the resource's next sequence number. Creates a delivery for each of the project's
     * enabled endpoints whose filters match. Units of work that append events of the same resource run one after
     * another.
     */
    readonly append: (event: NewEvent) => Effect.Effect<DomainEvent>
  }
>()("@countersign/core/events/EventOutbox") {}
