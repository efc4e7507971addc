import { BadRequest } from "@countersign/core/foundation/errors"
import {
  type DomainEvent,
  EventLog,
  type EventPosition,
  EventPresenter,
  isWanted
} from "@countersign/core/tenancy/events"
import type { ProjectId } from "@countersign/core/tenancy/projects"
import { webhookBody } from "@countersign/core/tenancy/webhooks"
import { DateTime, Effect, Schema } from "effect"
import { decoderOf } from "../../api/endpoints/index.ts"
import { WireEventFilter } from "../../api/wire/index.ts"
import { CountersignError } from "./CountersignError.ts"
import { StoredChanges } from "./StoredChanges.ts"
import type { Run } from "./session.ts"

/** Longer than a transaction may take, and than clocks of processes differ. */
const LATE_MS = 60_000
/** How often is looked for events that were stored late. */
const LOOK_BACK_EVERY_MS = 1_000
const PAGE = 100

type EventTypeFilter = typeof WireEventFilter.Encoded

export interface EventsOptions {
  /** Types, or groups of them such as `transaction.*`; all when left out. */
  readonly types?: ReadonlyArray<EventTypeFilter>
  /** The `cursor` of the last event that was worked on. From now on when left out: what happened before is not seen. */
  readonly after?: string
  /** Ends the iteration, without an error. */
  readonly signal?: AbortSignal
}

/** An event, with the body that a webhook would have. */
export interface CountersignEvent {
  /** The `webhook-id`: the same when an event comes again. */
  readonly id: string
  /** Kept, and given as `after` later, nothing is missed. */
  readonly cursor: string
  readonly projectId: string
  readonly type: string
  /** ISO 8601. */
  readonly timestamp: string
  /** The resource as the API answers it, with `sequence`, `previousStatus`, `metadataKey` and `metadataValue`. */
  readonly data: Readonly<Record<string, unknown>>
}

const cursorOf = ({ at, id }: DomainEvent): string => `${DateTime.toEpochMillis(at)}.${id}`

const positionOf = (cursor: string): Effect.Effect<EventPosition, BadRequest> => {
  const [, millis, id] = /^(\d{1,15})\.(msg_[A-Za-z0-9]+)$/u.exec(cursor) ?? []
  return id === undefined
    ? BadRequest.of("after", "invalid", "Expected the cursor of an event.")
    : Effect.succeed({ at: DateTime.makeUnsafe(Number(millis)), id })
}

const typesOf = decoderOf(Schema.Struct({ types: Schema.NullOr(Schema.Array(WireEventFilter)) }))

const before = ({ at }: EventPosition): EventPosition => ({
  at: DateTime.subtract(at, { milliseconds: LATE_MS }),
  id: ""
})

const isLater = (a: EventPosition, b: EventPosition): boolean => {
  const difference = DateTime.toEpochMillis(a.at) - DateTime.toEpochMillis(b.at)
  return difference > 0 || (difference === 0 && a.id > b.id)
}

/**
 * Reads the log onwards, page by page, when it is asked for more. Events are stored a moment after they happened, and
 * not in the order in which they did: what is stored late is found by reading the last minute again.
 */
const tailOf = (project: ProjectId | null, start: EventPosition) => {
  let head = start
  let lookBackAt = Number.NEGATIVE_INFINITY
  const seen = new Map<string, number>()

  const isNew = (event: DomainEvent) => !seen.has(event.id)

  const note = (events: ReadonlyArray<DomainEvent>) => {
    for (const event of events) {
      seen.set(event.id, DateTime.toEpochMillis(event.at))
      if (isLater(event, head)) head = event
    }
    const oldest = DateTime.toEpochMillis(head.at) - LATE_MS
    for (const [id, at] of seen) if (at < oldest) seen.delete(id)
  }

  const read = Effect.fnUntraced(function* (after: EventPosition) {
    return yield* (yield* EventLog).read({ projectId: project, after, limit: PAGE })
  })

  /** Events of the last minute that were stored after later ones had been read. */
  const lateOnes = Effect.gen(function* () {
    let from = before(head)
    for (;;) {
      const page = yield* read(from)
      const late = page.filter((event) => isNew(event) && isLater(event, start))
      if (late.length > 0 || page.length < PAGE) return late
      from = page.at(-1)!
    }
  })

  /** The next events; waits until there are some. */
  const next = Effect.gen(function* () {
    const changes = yield* StoredChanges
    for (;;) {
      const count = changes.count()
      // Not by the host's clock, which may stand still.
      const now = performance.now()
      const isDue = now - lookBackAt >= LOOK_BACK_EVERY_MS
      const late = isDue ? yield* lateOnes : []
      if (isDue) lookBackAt = now
      const found = late.length > 0 ? late : (yield* read(head)).filter(isNew)
      if (found.length > 0) {
        note(found)
        return found
      }
      yield* changes.awaitAfter(count)
    }
  })
  return next
}

const shown = Effect.fnUntraced(function* (event: DomainEvent) {
  const body = webhookBody(event, yield* (yield* EventPresenter).present(event))
  const { data, timestamp, type } = JSON.parse(body) as Pick<CountersignEvent, "data" | "timestamp" | "type">
  const shownEvent: CountersignEvent = {
    id: event.id,
    cursor: cursorOf(event),
    projectId: event.projectId,
    type,
    timestamp,
    data
  }
  return shownEvent
})

/** An event of a kind that only a later version knows fails alone. */
const shownOrNull = (event: DomainEvent) =>
  shown(event).pipe(
    Effect.catchDefect((defect) =>
      Effect.as(Effect.annotateLogs(Effect.logError("an event can't be shown", defect), { event: event.id }), null)
    )
  )

/**
 * The events of a project, or of all of them.
 *
 * Events are read from the database, so those of other processes are seen, and a slow reader keeps none in memory: the
 * next are read when it asks for them. Without `after` it begins with what happens from now on. With the `cursor` of an
 * event, it begins after that one, and nothing of what happened meanwhile is missed, for as long as events are kept
 * (`retention.eventDays`). Then those of the last minute before the cursor come again: as with webhooks, work on each
 * `id` once. Within a resource `data.sequence` tells the order. `close` ends the iteration.
 */
export const eventsOf = (run: Run, project: ProjectId | null) =>
  async function* (options: EventsOptions = {}): AsyncGenerator<CountersignEvent, void, undefined> {
    const { after, signal, types = null } = options
    try {
      const wanted = (await run(typesOf({ types }), signal)).types
      const start =
        after === undefined ? Effect.map(DateTime.now, (at) => ({ at, id: "" })) : Effect.map(positionOf(after), before)
      const next = tailOf(project, await run(start, signal))
      for (;;) {
        for (const event of await run(next, signal)) {
          const body = isWanted(wanted, event.type) ? await run(shownOrNull(event), signal) : null
          if (body !== null) yield body
        }
      }
    } catch (error) {
      const isEnd = signal?.aborted === true || (error instanceof CountersignError && error.id === "CLOSED")
      if (!isEnd) throw error
    }
  }
