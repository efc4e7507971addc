import { Clock, DateTime, Effect } from "effect"
import type { ProjectId } from "../projects/index.ts"
import type { DomainEvent } from "./DomainEvent.ts"
import type { EventLog, EventPosition } from "./EventLog.ts"

/**
 * Upper bound in milliseconds for the time until an event is stored, plus the clock difference between two processes.
 */
const LATE_MS = 60_000
/** Interval in which the tail searches for events that were stored late. */
const REREAD_EVERY_NANOS = 1_000_000_000n
export const EVENT_PAGE = 100

/** Returns a position before every event that may be stored after `position` was read. */
export const beforeLateEvents = ({ at }: EventPosition): EventPosition => ({
  at: DateTime.subtract(at, { milliseconds: LATE_MS }),
  id: ""
})

export const isLaterEvent = (a: EventPosition, b: EventPosition): boolean => {
  const difference = DateTime.toEpochMillis(a.at) - DateTime.toEpochMillis(b.at)
  return difference > 0 || (difference === 0 && a.id > b.id)
}

/**
 * Returns the position from which a reader continues after an event. It never moves back, because a late event is
 * sorted before events that were already read. It never moves into the future either, because an event may have a
 * future time.
 */
export const positionAfter = (position: EventPosition, { at, id }: EventPosition, now: DateTime.Utc): EventPosition => {
  const reachedPosition = DateTime.isGreaterThan(at, now) ? { at: now, id: "" } : { at, id }
  return isLaterEvent(reachedPosition, position) ? reachedPosition : position
}

/** Tracks the events that a reader has returned, for as long as the reader may read them again. */
export const createEventTracker = () => {
  const timeById = new Map<string, number>()
  let latestMs = 0
  return {
    /** Returns the events that are new to the reader, and marks them as returned. */
    fresh: (events: ReadonlyArray<DomainEvent>, now: DateTime.Utc): ReadonlyArray<DomainEvent> => {
      const newEvents = events.filter(({ id }) => !timeById.has(id))
      for (const { at, id } of newEvents) {
        timeById.set(id, DateTime.toEpochMillis(at))
        latestMs = Math.max(latestMs, DateTime.toEpochMillis(at))
      }
      // Twice the time, because another reader of the same log may be ahead or behind.
      const oldestMs = Math.min(latestMs, DateTime.toEpochMillis(now)) - 2 * LATE_MS
      for (const [id, at] of timeById) if (at < oldestMs) timeById.delete(id)
      return newEvents
    }
  }
}

/** Signals that the log may contain new events. */
export interface EventSignal {
  /** Returns the number of changes so far. */
  readonly count: () => number
  /** Waits until the number of changes exceeds `count`, or until a timeout. */
  readonly awaitAfter: (count: number) => Effect.Effect<void>
}

/**
 * Returns the next events after `start`, of one project or of all projects. Each run waits until there are events. An
 * event is stored slightly after its time, so events are not stored in the order of their times. To find late events,
 * the tail reads the last minute again.
 */
export const eventTail = (
  log: EventLog["Service"],
  projectId: ProjectId | null,
  start: EventPosition,
  changes: EventSignal
): Effect.Effect<ReadonlyArray<DomainEvent>> => {
  let head = start
  let rereadAt: bigint | null = null
  const eventTracker = createEventTracker()

  /** Returns the first events after a position that are new to the reader. */
  const readNewEvents = Effect.fnUntraced(function* (position: EventPosition, now: DateTime.Utc) {
    let readPosition = position
    for (;;) {
      const page = yield* log.read({ projectId, after: readPosition, limit: EVENT_PAGE })
      const newEvents = eventTracker.fresh(
        page.filter((event) => isLaterEvent(event, start)),
        now
      )
      if (newEvents.length > 0 || page.length < EVENT_PAGE) return newEvents
      readPosition = page.at(-1)!
    }
  })

  return Effect.gen(function* () {
    for (;;) {
      const count = changes.count()
      const now = yield* DateTime.now
      // Uses the monotonic clock, because the wall clock may be set back.
      const nanos = yield* Clock.monotonicTimeNanos
      const isDue = rereadAt === null || nanos - rereadAt >= REREAD_EVERY_NANOS
      if (isDue) rereadAt = nanos
      const newEvents = yield* readNewEvents(isDue ? beforeLateEvents(head) : head, now)
      // An event with a future time must not hide events that are stored later with an earlier time.
      for (const event of newEvents)
        if (isLaterEvent(event, head) && DateTime.isLessThanOrEqualTo(event.at, now)) head = event
      if (newEvents.length > 0) return newEvents
      yield* changes.awaitAfter(count)
    }
  })
}
