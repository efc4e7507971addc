import { assert, layer } from "@effect/vitest"
import { DateTime, Effect, type Layer } from "effect"
import { at } from "../../foundation/primitives/ids.fixture.ts"
import { EventLog, type EventOutbox } from "../events/index.ts"
import { aProjectId } from "../projects/Project.fixture.ts"
import { anEvent } from "./WebhookEndpoint.fixture.ts"
import { append } from "./webhookStores.fixture.ts"

/** Contract tests that every `EventLog` must pass, on the database of an `EventOutbox`. */
export const eventLogContract = <E>(name: string, stores: Layer.Layer<EventLog | EventOutbox, E>): void => {
  layer(stores)(`EventLog on ${name}`, (it) => {
    it.effect("continues reading after a position, sorted by time and then by id", () =>
      Effect.gen(function* () {
        const log = yield* EventLog
        const projectId = aProjectId()
        const appendedEvents = yield* Effect.forEach([300, 100, 200, 200], (millis) =>
          append(anEvent({ projectId, at: at(millis) }))
        )
        const expected = [...appendedEvents].sort(
          (a, b) => DateTime.toEpochMillis(a.at) - DateTime.toEpochMillis(b.at) || (a.id < b.id ? -1 : 1)
        )
        const firstPage = yield* log.read({ projectId, after: { at: at(100), id: "" }, limit: 3 })
        assert.deepStrictEqual(firstPage, expected.slice(0, 3))
        assert.deepStrictEqual(yield* log.read({ projectId, after: firstPage[1]!, limit: 10 }), expected.slice(2))
        assert.deepStrictEqual(yield* log.read({ projectId, after: expected[3]!, limit: 10 }), [])
      })
    )

    it.effect("reads the events of one project, or of all projects", () =>
      Effect.gen(function* () {
        const log = yield* EventLog
        const appendedEvents = yield* Effect.forEach([aProjectId(), aProjectId()], (projectId) =>
          append(anEvent({ projectId, at: at(5_000_000) }))
        )
        const cursorAfter = { at: at(5_000_000), id: "" }
        const ownEvents = yield* log.read({ projectId: appendedEvents[0]!.projectId, after: cursorAfter, limit: 10 })
        assert.deepStrictEqual(ownEvents, appendedEvents.slice(0, 1))
        const allEvents = yield* log.read({ projectId: null, after: cursorAfter, limit: 10 })
        assert.sameMembers(
          allEvents.map(({ id }) => id),
          appendedEvents.map(({ id }) => id)
        )
      })
    )
  })
}
