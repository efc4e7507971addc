import { Context, DateTime, Effect, Fiber, Latch, Layer, type Scope } from "effect"
import type { ProjectId } from "../projects/index.ts"
import type { DomainEvent } from "./DomainEvent.ts"
import { EventLog, type EventPosition } from "./EventLog.ts"
import { beforeLateEvents, createEventTracker, EVENT_PAGE, eventTail, isLaterEvent } from "./eventTail.ts"

/** Pause in milliseconds after a read without new events. */
const IDLE_MS = 200
/** Pause after a failed read. */
const FAILED_MS = 1_000
/** Maximum number of buffered events per subscriber. A slower subscriber is dropped. */
const MAX_BUFFERED_EVENTS = 1_000

/** The events of one project, in the order of the log. */
export interface EventSubscription {
  /** Waits until `take` may have a result. */
  readonly awaitArrival: Effect.Effect<void>
  /**
   * Returns the next events without waiting, possibly none. Null if the reader is too slow: it misses all further
   * events.
   */
  readonly take: Effect.Effect<ReadonlyArray<DomainEvent> | null>
  /** Returns whether all earlier events were taken, so that `take` returns new events as they are stored. */
  readonly isLive: () => boolean
}

interface Subscriber {
  readonly projectId: ProjectId
  readonly latch: Latch.Latch
  /** Null after too many events were buffered. */
  waiting: Array<DomainEvent> | null
}

const offer = (subscriber: Subscriber, events: ReadonlyArray<DomainEvent>): void => {
  const ownEvents = events.filter(({ projectId }) => projectId === subscriber.projectId)
  if (ownEvents.length === 0) return
  const hasCapacity = subscriber.waiting !== null && subscriber.waiting.length + ownEvents.length <= MAX_BUFFERED_EVENTS
  if (hasCapacity) subscriber.waiting!.push(...ownEvents)
  else subscriber.waiting = null
  subscriber.latch.openUnsafe()
}

/**
 * Distributes stored events to any number of subscribers. A single reader of the log serves new events to all of them.
 * It runs only while there are subscribers.
 */
export class EventFeed extends Context.Service<
  EventFeed,
  {
    /**
     * Subscribes to the events of a project after a position: first the stored events, then new events as they are
     * stored. Each event is delivered once. The subscription ends with the scope.
     */
    readonly subscribe: (
      projectId: ProjectId,
      after: EventPosition
    ) => Effect.Effect<EventSubscription, never, Scope.Scope>
  }
>()("@countersign/core/events/EventFeed") {
  static readonly layer = Layer.effect(
    EventFeed,
    Effect.gen(function* () {
      const log = yield* EventLog
      const layerScope = yield* Effect.scope
      const subscribers = new Set<Subscriber>()
      let reader: Fiber.Fiber<unknown> | null = null

      const readEvents = Effect.gen(function* () {
        const start = beforeLateEvents({ at: yield* DateTime.now, id: "" })
        const pause = { count: () => 0, awaitAfter: () => Effect.sleep(IDLE_MS) }
        const readNext = eventTail(log, null, start, pause)
        const distribute = Effect.map(readNext, (events) => {
          for (const subscriber of subscribers) offer(subscriber, events)
        })
        yield* distribute.pipe(
          Effect.catchDefect((defect) =>
            Effect.andThen(Effect.logWarning("the event log can't be read", defect), Effect.sleep(FAILED_MS))
          ),
          Effect.forever
        )
      })

      const join = Effect.fnUntraced(function* (subscriber: Subscriber) {
        subscribers.add(subscriber)
        if (reader === null) reader = yield* Effect.forkIn(readEvents, layerScope)
      })

      const unsubscribe = (subscriber: Subscriber) =>
        Effect.suspend(() => {
          subscribers.delete(subscriber)
          if (subscribers.size > 0 || reader === null) return Effect.void
          const idleReader = reader
          reader = null
          return Fiber.interrupt(idleReader)
        })

      return EventFeed.of({
        subscribe: Effect.fnUntraced(function* (projectId, after) {
          const subscriber: Subscriber = { projectId, latch: Latch.makeUnsafe(), waiting: [] }
          yield* Effect.acquireRelease(join(subscriber), () => unsubscribe(subscriber))
          const eventTracker = createEventTracker()
          let position = after
          let isLive = false

          const storedEvents = Effect.gen(function* () {
            const page = yield* log.read({ projectId, after: position, limit: EVENT_PAGE })
            isLive = page.length < EVENT_PAGE
            position = page.at(-1) ?? position
            return eventTracker.fresh(page, yield* DateTime.now)
          })
          const liveEvents = Effect.map(DateTime.now, (now) => {
            subscriber.latch.closeUnsafe()
            const events = subscriber.waiting?.splice(0).filter((event) => isLaterEvent(event, after)) ?? null
            return events === null ? null : eventTracker.fresh(events, now)
          })
          return {
            awaitArrival: Effect.suspend(() => (isLive ? subscriber.latch.await : Effect.void)),
            take: Effect.suspend(() => (isLive ? liveEvents : storedEvents)),
            isLive: () => isLive
          }
        })
      })
    })
  )
}
