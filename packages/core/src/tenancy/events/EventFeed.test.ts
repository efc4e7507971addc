import { assert, describe, it } from "@effect/vitest"
import { DateTime, Effect, Layer, type Scope } from "effect"
import { TestClock } from "effect/testing"
import type { ProjectId } from "../projects/index.ts"
import { aProjectId } from "../projects/Project.fixture.ts"
import { type DomainEvent, EventId } from "./DomainEvent.ts"
import { EventFeed, type EventSubscription } from "./EventFeed.ts"
import { EventLog, type EventPosition } from "./EventLog.ts"
import { isLaterEvent } from "./eventTail.ts"

const NOW_MS = 1_000_000_000

const positionAt = (millis: number): EventPosition => ({ at: DateTime.makeUnsafe(millis), id: "" })

/** Creates a log to which a test can add events in any order. */
const makeLog = () => {
  const storedEvents: Array<DomainEvent> = []
  let reads = 0
  let isBroken = false
  const addEvent = (projectId: ProjectId, millis: number): DomainEvent => {
    const event: DomainEvent = {
      id: EventId.make(`msg_${String(storedEvents.length).padStart(8, "0")}`),
      projectId,
      type: "transaction.created",
      resource: { kind: "transaction", id: String(storedEvents.length) },
      at: DateTime.makeUnsafe(millis),
      previousStatus: null,
      snapshot: "{}",
      sequence: 1
    }
    storedEvents.push(event)
    return event
  }
  const layer = Layer.succeed(
    EventLog,
    EventLog.of({
      read: ({ after, limit, projectId }) =>
        Effect.sync(() => {
          reads += 1
          if (isBroken) throw new Error("the database is gone")
          return storedEvents
            .filter((event) => (projectId === null || event.projectId === projectId) && isLaterEvent(event, after))
            .sort((a, b) => (isLaterEvent(a, b) ? 1 : -1))
            .slice(0, limit)
        })
    })
  )
  return {
    store: addEvent,
    reads: () => reads,
    break: (value: boolean) => {
      isBroken = value
    },
    layer: EventFeed.layer.pipe(Layer.provide(layer))
  }
}

const subscribe = (projectId: ProjectId, afterMs: number) =>
  EventFeed.use((feed) => feed.subscribe(projectId, positionAt(afterMs)))

/** Returns the events that arrive within ten seconds. */
const takeEvents = Effect.fnUntraced(function* (subscription: EventSubscription) {
  const events: Array<DomainEvent> = []
  for (let i = 0; i < 20; i++) {
    yield* TestClock.adjust("500 millis")
    events.push(...((yield* subscription.take) ?? assert.fail("too slow")))
  }
  return events.map(({ id }) => id)
})

const runWithLog = (test: (log: ReturnType<typeof makeLog>) => Effect.Effect<void, never, EventFeed | Scope.Scope>) =>
  Effect.suspend(() => {
    const log = makeLog()
    return TestClock.setTime(NOW_MS).pipe(Effect.andThen(Effect.scoped(test(log))), Effect.provide(log.layer))
  })

describe("EventFeed", () => {
  it.effect("sends each subscriber the events of its project once, first the stored events", () =>
    runWithLog((log) =>
      Effect.gen(function* () {
        const [projectId, otherProjectId] = [aProjectId(), aProjectId()]
        const earlyIds = Array.from({ length: 250 }, (_, i) => log.store(projectId, NOW_MS - 30_000 + i).id)
        log.store(otherProjectId, NOW_MS)
        const subscription = yield* subscribe(projectId, NOW_MS - 60_000)
        assert.deepStrictEqual(yield* takeEvents(subscription), earlyIds)
        assert.isTrue(subscription.isLive())
        const now = DateTime.toEpochMillis(yield* DateTime.now)
        const lateId = log.store(projectId, now - 40_000).id
        const laterId = log.store(projectId, now).id
        log.store(otherProjectId, now)
        assert.sameMembers(yield* takeEvents(subscription), [lateId, laterId])
      })
    )
  )

  it.effect("continues with new events after an event with a future time", () =>
    runWithLog((log) =>
      Effect.gen(function* () {
        const [projectId, otherProjectId] = [aProjectId(), aProjectId()]
        const subscription = yield* subscribe(projectId, NOW_MS)
        yield* takeEvents(subscription)
        for (let i = 0; i < 150; i++) log.store(otherProjectId, NOW_MS + 3_600_000)
        const futureId = log.store(projectId, NOW_MS + 3_600_000).id
        assert.deepStrictEqual(yield* takeEvents(subscription), [futureId])
        const serializeId = log.store(projectId, DateTime.toEpochMillis(yield* DateTime.now)).id
        assert.deepStrictEqual(yield* takeEvents(subscription), [serializeId])
      })
    )
  )

  it.effect("reads the log once for all subscribers, and does not read it without subscribers", () =>
    runWithLog((log) =>
      Effect.gen(function* () {
        const readsWith = (count: number) =>
          Effect.scoped(
            Effect.gen(function* () {
              for (let i = 0; i < count; i++) yield* (yield* subscribe(aProjectId(), NOW_MS)).take
              const readsBefore = log.reads()
              yield* TestClock.adjust("10 seconds")
              return log.reads() - readsBefore
            })
          )
        const readsOfOne = yield* readsWith(1)
        assert.isAbove(readsOfOne, 0)
        assert.closeTo(yield* readsWith(50), readsOfOne, 2)
        const readsBeforeWait = log.reads()
        yield* TestClock.adjust("10 seconds")
        assert.strictEqual(log.reads(), readsBeforeWait)
      })
    )
  )

  it.effect("ends a subscription with too many pending events", () =>
    runWithLog((log) =>
      Effect.gen(function* () {
        const project = aProjectId()
        const slowSubscription = yield* subscribe(project, NOW_MS)
        yield* slowSubscription.take
        const now = DateTime.toEpochMillis(yield* DateTime.now)
        for (let i = 0; i < 1_100; i++) log.store(project, now + 1 + i)
        for (let i = 0; i < 40; i++) yield* TestClock.adjust("500 millis")
        yield* slowSubscription.awaitArrival
        assert.isNull(yield* slowSubscription.take)
      })
    )
  )

  it.effect("continues after a failed read of the log", () =>
    runWithLog((log) =>
      Effect.gen(function* () {
        const project = aProjectId()
        const subscription = yield* subscribe(project, NOW_MS)
        yield* takeEvents(subscription)
        log.break(true)
        yield* TestClock.adjust("10 seconds")
        const missedId = log.store(project, NOW_MS + 1_000).id
        log.break(false)
        assert.deepStrictEqual(yield* takeEvents(subscription), [missedId])
      })
    )
  )
})
