import { EventOutbox, type NewEvent } from "@countersign/core/tenancy/events"
import { ProjectId } from "@countersign/core/tenancy/projects"
import { webhookEvents } from "@countersign/core/tenancy/webhooks"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { DateTime, Effect } from "effect"
import type { CountersignEvent, EventsOptions } from "../../src/index.ts"
import { eventsOf } from "../../src/service/countersign/events.ts"
import { layerCountersign } from "../../src/service/countersign/layerCountersign.ts"
import { openSession, type Session } from "../../src/service/countersign/session.ts"

let session: Session
beforeAll(async () => {
  session = await openSession(
    layerCountersign({ database: ":memory:", chains: { 1: { rpcUrl: "http://127.0.0.1:1" } }, workers: false })
  )
})
afterAll(() => session.close())

let projectCount = 0
const newProjectId = () => ProjectId.make(`00000000-0000-4000-8000-${String(++projectCount).padStart(12, "0")}`)

/** Stores an event of the project that occurs `delayMs` milliseconds from now. */
const append = (projectId: ProjectId, delayMs: number, changes: Partial<NewEvent> = {}) =>
  session.run(
    Effect.gen(function* () {
      const eventAt = DateTime.add(yield* DateTime.now, { milliseconds: delayMs })
      const resource = { webhookId: crypto.randomUUID() }
      const change = {
        projectId,
        id: resource.webhookId,
        at: eventAt,
        previousStatus: null,
        resource,
        type: "webhook.test" as const
      }
      return (yield* (yield* EventOutbox).append({ ...webhookEvents.eventOf(change), ...changes })).id
    })
  )

const iterate = (projectId: ProjectId, options: EventsOptions = {}) =>
  eventsOf(session.run, projectId)({ signal: AbortSignal.timeout(120_000), ...options })

const takeEvents = async (iterator: AsyncGenerator<CountersignEvent>, count: number) => {
  const events: Array<CountersignEvent> = []
  while (events.length < count) {
    const { done, value } = await iterator.next()
    if (done === true) break
    events.push(value)
  }
  return events
}
const ids = (events: ReadonlyArray<CountersignEvent>) => events.map(({ id }) => id)

describe("Events", () => {
  it("start from the time of the call, and wait for the next one", async () => {
    const project = newProjectId()
    await append(project, -10)
    const nextEventPromise = iterate(project).next()
    await session.run(Effect.yieldNow)
    const id = await append(project, 600_000)
    const { value } = await nextEventPromise
    assert.strictEqual((value as CountersignEvent).id, id)
  })

  it("are returned page by page, each once, for any number of events", async () => {
    const project = newProjectId()
    const firstId = await append(project, 0)
    const appendedIds = [firstId]
    for (let i = 1; i < 250; i++) appendedIds.push(await append(project, i))
    const [firstEvent] = await takeEvents(iterate(project, { after: `0.${firstId}` }), 1)
    assert.strictEqual(firstEvent!.id, firstId)
    const allEvents = await takeEvents(iterate(project, { after: `0.${firstId}` }), 250)
    assert.deepStrictEqual(ids(allEvents), appendedIds)
  })

  it("are not missed if they are stored late", async () => {
    const project = newProjectId()
    const iterator = iterate(project)
    const earlyEventPromise = iterator.next()
    await session.run(Effect.yieldNow)
    const laterEventId = await append(project, 50_000)
    assert.strictEqual(((await earlyEventPromise).value as CountersignEvent).id, laterEventId)
    const lateEventId = await append(project, 20_000)
    assert.deepStrictEqual(ids(await takeEvents(iterator, 1)), [lateEventId])
  })

  it("continue after a cursor, and repeat the events of the last minute", async () => {
    const project = newProjectId()
    const oldEventId = await append(project, -120_000)
    const previousId = await append(project, -30_000)
    const lastId = await append(project, -20_000)
    const [, , { cursor } = assert.fail()] = await takeEvents(iterate(project, { after: `0.${oldEventId}` }), 3)
    const missedId = await append(project, -10_000)
    const resumedEvents = await takeEvents(iterate(project, { after: cursor }), 3)
    assert.deepStrictEqual(ids(resumedEvents), [previousId, lastId, missedId])
    // Repeated events do not decrease the cursor, even after several resumed reads.
    assert.deepStrictEqual([resumedEvents[0]!.cursor, resumedEvents[1]!.cursor], [cursor, cursor])
    assert.notStrictEqual(resumedEvents[2]!.cursor, cursor)
  })

  it("are filtered by project and type, and an event without a valid form fails alone", async () => {
    const [project, otherProject] = [newProjectId(), newProjectId()]
    const afterCursor = `0.${await append(project, 0)}`
    await append(otherProject, 1)
    await append(project, 2, { resource: { kind: "of_tomorrow", id: "1" } })
    await append(project, 3, { type: "wallet.registered" })
    const lastId = await append(project, 4)
    const events = await takeEvents(iterate(project, { after: afterCursor, types: ["webhook.test"] }), 2)
    assert.strictEqual(events[1]!.id, lastId)
    const { data, projectId, timestamp, type } = events[1]!
    assert.deepStrictEqual([projectId, type], [project, "webhook.test"])
    assert.strictEqual(data.sequence, 1)
    assert.match(timestamp, /^\d{4}-.*Z$/u)
  })

  it("end without an error when their signal is aborted", async () => {
    const project = newProjectId()
    const abortController = new AbortController()
    const nextEventPromise = iterate(project, { signal: abortController.signal }).next()
    abortController.abort()
    assert.deepStrictEqual(await nextEventPromise, { done: true, value: undefined })
  })
})
