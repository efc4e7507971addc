import { type WorkKind, WorkSignals, workKinds } from "@countersign/core/foundation/work"
import { Clock, Effect, Layer, Queue } from "effect"
import { sql } from "kysely"
import { upcomingWork } from "./claims.ts"
import { type Announcement, Db, LOOK_AHEAD_MS, type UnattendedWork } from "./Db.ts"

/** Postgres channel on which processes announce work to each other. */
const CHANNEL = "countersign_work"
/**
 * Maximum time between two reads of the upcoming work, in milliseconds. These reads find work whose announcement was
 * lost.
 */
const LISTENING_READ_MS = LOOK_AHEAD_MS
const POLLING_READ_MS = 1_000
/** Pause after a failure of the database, in milliseconds. */
const RETRY_MS = 1_000
/** Announcements within this time are sent in one notification, in milliseconds. */
const SEND_MS = 20

/**
 * Whether work of this kind is announced. Chains are not, because every process itself detects when it can claim a
 * chain that another process has released.
 */
const isAnnounced = (kind: WorkKind): boolean => kind !== "CHAINS"

const isKind = (text: string): text is WorkKind => (workKinds as ReadonlyArray<string>).includes(text)

/** Precedes a quote or operation in a payload. */
const WAKE = "WAKE"
/**
 * Maximum number of wakes in a payload, because Postgres rejects a payload of 8,000 bytes. Further wakes are dropped;
 * their executions are checked within two seconds anyway.
 */
const WAKES_MAX = 90

/**
 * Builds a payload from the sender, each kind of work with the time when it is due, and at most `WAKES_MAX` subjects to
 * wake: `<sender> EXECUTIONS:1764190800000 WAKE:0x12…`. Null if there is nothing to send.
 */
const payloadOf = (sender: string, announcements: ReadonlyArray<Announcement>): string | null => {
  const work = earliestOf(announcements.filter((announcement) => typeof announcement !== "string"))
  const wakes = new Set(announcements.filter((announcement) => typeof announcement === "string"))
  const items = [
    ...Array.from(work, ([kind, dueAtMs]) => `${kind}:${dueAtMs}`),
    ...Array.from(wakes, (subject) => `${WAKE}:${subject}`).slice(0, WAKES_MAX)
  ]
  return items.length === 0 ? null : [sender, ...items].join(" ")
}

/** Parses the announcements of other processes. Ignores kinds that only a later version supports. */
const announcementsOf = (payload: string, receiver: string): ReadonlyArray<Announcement> => {
  const [sender, ...items] = payload.split(" ")
  if (sender === receiver) return []
  return items.flatMap((item): ReadonlyArray<Announcement> => {
    const [kind = "", subject = ""] = item.split(":")
    if (kind === WAKE) return [subject]
    return isKind(kind) ? [[kind, Number(subject)]] : []
  })
}

const earliestOf = (all: Iterable<UnattendedWork>): ReadonlyMap<WorkKind, number> => {
  const earliest = new Map<WorkKind, number>()
  for (const [kind, dueAtMs] of all) {
    if (isAnnounced(kind)) earliest.set(kind, Math.min(dueAtMs, earliest.get(kind) ?? dueAtMs))
  }
  return earliest
}

/**
 * Wakes the workers of this process for work that it stores itself, that other processes announce, or that a regular
 * read of the tables finds. The read compensates for lost announcements. It runs every five seconds while announcements
 * are received, otherwise every second.
 */
export const layer = Layer.effect(
  WorkSignals,
  Effect.gen(function* () {
    const db = yield* Db
    const { announceRemote: hear, signals } = db.work
    const scope = yield* Effect.scope
    const id = crypto.randomUUID()
    const readNow = yield* Queue.sliding<void>(1)
    let isListening = false

    const logFailureAndPause = (effect: Effect.Effect<void>) =>
      Effect.catchCause(effect, (cause) =>
        Effect.andThen(Effect.logWarning("work could not be read or announced", cause), Effect.sleep(RETRY_MS))
      )

    const handleAnnouncements = Effect.fnUntraced(function* (announcements: ReadonlyArray<Announcement>) {
      const subjects: Array<string> = []
      for (const announcement of announcements) {
        if (typeof announcement === "string") subjects.push(announcement)
        else yield* hear(...announcement)
      }
      if (subjects.length > 0) for (const listener of db.wakeListeners) listener(subjects)
    })

    const readUpcomingWork = Effect.gen(function* () {
      const nowMs = yield* Clock.currentTimeMillis
      const upcomingRows = yield* db.all(upcomingWork(nowMs, nowMs + LOOK_AHEAD_MS))
      yield* handleAnnouncements(upcomingRows.map(({ at, kind }) => [kind, at]))
      const readMs = isListening ? LISTENING_READ_MS : POLLING_READ_MS
      yield* Effect.timeoutOption(Queue.take(readNow), readMs)
    })

    const send = Effect.gen(function* () {
      const payload = payloadOf(id, yield* Queue.takeAll(db.outgoingAnnouncements))
      if (payload === null) return
      yield* db.run(sql`select pg_notify(${CHANNEL}, ${payload})`)
      yield* Effect.sleep(SEND_MS)
    })

    const onListening = Effect.andThen(
      Effect.sync(() => {
        isListening = true
      }),
      // Announcements before this point in time were not received, so the tables are read now.
      Queue.offer(readNow, undefined)
    )

    const listen =
      db.listen === null
        ? Effect.never
        : Effect.scoped(
            db.listen(CHANNEL, Effect.asVoid(onListening), (payload) =>
              handleAnnouncements(announcementsOf(payload, id))
            )
          ).pipe(
            Effect.ensuring(
              Effect.sync(() => {
                isListening = false
              })
            ),
            Effect.orDie
          )

    if (db.dialect === "postgres") yield* Effect.forkIn(Effect.forever(logFailureAndPause(send)), scope)

    // Only workers wait for signals. A process without workers does not read, and needs no connection for
    // announcements.
    let isStarted = false
    const start = Effect.suspend(() => {
      if (isStarted) return Effect.void
      isStarted = true
      return Effect.forEach(
        [readUpcomingWork, listen],
        (each) => Effect.forkIn(Effect.forever(logFailureAndPause(each)), scope),
        {
          discard: true
        }
      )
    })

    return WorkSignals.of({
      ...signals,
      await: (kind) => Effect.andThen(start, signals.await(kind)),
      take: (kind) => Effect.andThen(start, signals.take(kind))
    })
  })
)
