export { DomainEvent, EventId, EventResource, NewEvent } from "./DomainEvent.ts"
export { EventOutbox } from "./EventOutbox.ts"
export { EventPresenter } from "./EventPresenter.ts"
export { EventFilter, EventGroup, EventType, isWanted } from "./EventType.ts"
