import { Clock, DateTime, Effect } from "effect"
import type { ProjectId } from "../projects/index.ts"
import type { DomainEvent } from "./DomainEvent.ts"
import type { EventLog, EventPosition } from "./EventLog.ts"

/** An upper bound of the time until an event is stored, plus the clock difference of two processes. */
const LATE_MS = 60_000
/** How often the tail searches for events that were stored late. */
const REREAD_EVERY_NANOS = 1_000_000_000n
export const EVENT_PAGE = 100

/** A position before every event that is stored after `position` was read. */
export const beforeLateEvents = ({ at }: EventPosition): EventPosition => ({
  at: DateTime.subtract(at, { milliseconds: LATE_MS }),
  id: ""
})

export const isLaterEvent = (a: EventPosition, b: EventPosition): boolean => {
  const difference = DateTime.toEpochMillis(a.at) - DateTime.toEpochMillis(b.at)
  return difference > 0 || (difference === 0 && a.id > b.id)
}

/**
 * The position from which a reader continues after an event. It does not move back, although a late event is sorted
 * before events that were read. It also does not move into the future, although an event may have a future time.
 */
export const positionAfter = (position: EventPosition, { at, id }: EventPosition, now: DateTime.Utc): EventPosition => {
  const reachedPosition = DateTime.isGreaterThan(at, now) ? { at: now, id: "" } : { at, id }
  return isLaterEvent(reachedPosition, position) ? reachedPosition : position
}

/** Tracks the events that a reader has returned, for as long as the reader may read them again. */
export const seenEvents = () => {
  const timeById = new Map<string, number>()
  let latest = 0
  return {
    /** Returns the events that are new to the reader, and marks them as returned. */
    fresh: (events: ReadonlyArray<DomainEvent>, now: DateTime.Utc): ReadonlyArray<DomainEvent> => {
      const newEvents = events.filter(({ id }) => !timeById.has(id))
      for (const { at, id } of newEvents) {
        timeById.set(id, DateTime.toEpochMillis(at))
        latest = Math.max(latest, DateTime.toEpochMillis(at))
      }
      // Twice the time, because another reader of the same log may be ahead or behind.
      const oldest = Math.min(latest, DateTime.toEpochMillis(now)) - 2 * LATE_MS
      for (const [id, at] of timeById) if (at < oldest) timeById.delete(id)
      return newEvents
    }
  }
}

/** Signals that the log may have new events. */
export interface EventSignal {
  /** The number of changes so far. */
  readonly count: () => number
  /** Waits for a change after this count, or until a timeout. */
  readonly awaitAfter: (count: number) => Effect.Effect<void>
}

/**
 * The next events after `start`, of one project or of all projects. Each run waits until there are events. An event is
 * stored slightly after its time, so events are not stored in the order of their times. To find late events, the tail
 * reads the last minute again.
 */
export const eventTail = (
  log: EventLog["Service"],
  projectId: ProjectId | null,
  start: EventPosition,
  changes: EventSignal
): Effect.Effect<ReadonlyArray<DomainEvent>> => {
  let head = start
  let rereadAt: bigint | null = null
  const eventTracker = seenEvents()

  /** The first events after a position that are new to the reader. */
  const newAfter = Effect.fnUntraced(function* (position: EventPosition, now: DateTime.Utc) {
    let from = position
    for (;;) {
      const page = yield* log.read({ projectId, after: from, limit: EVENT_PAGE })
      const newEvents = eventTracker.fresh(
        page.filter((event) => isLaterEvent(event, start)),
        now
      )
      if (newEvents.length > 0 || page.length < EVENT_PAGE) return newEvents
      from = page.at(-1)!
    }
  })

  return Effect.gen(function* () {
    for (;;) {
      const count = changes.count()
      const now = yield* DateTime.now
      // The monotonic clock, because the wall clock may not advance.
      const nanos = yield* Clock.monotonicTimeNanos
      const isDue = rereadAt === null || nanos - rereadAt >= REREAD_EVERY_NANOS
      if (isDue) rereadAt = nanos
      const newEvents = yield* newAfter(isDue ? beforeLateEvents(head) : head, now)
      // An event with a future time must not hide earlier ones.
      for (const event of newEvents)
        if (isLaterEvent(event, head) && DateTime.isLessThanOrEqualTo(event.at, now)) head = event
      if (newEvents.length > 0) return newEvents
      yield* changes.awaitAfter(count)
    }
  })
}
