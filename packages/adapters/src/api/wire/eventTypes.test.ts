import { isWanted } from "@countersign/core/tenancy/events"
import { assert, describe, it } from "@effect/vitest"
import { eventPresenters } from "../presenters/index.ts"
import { WireEventGroup, WireEventType } from "./eventTypes.ts"

/** Groups of features that do not exist yet. A feature that registers its event kind removes its groups here. */
const planned: ReadonlyArray<string> = []

describe("the event types of the API", () => {
  it("are those of the registered event kinds and those of planned features", () => {
    const registered = eventPresenters.flatMap(({ types }) => types)
    const unplanned = WireEventType.literals.filter((type) => !isWanted(planned, type))
    assert.deepStrictEqual([...registered].sort(), [...unplanned].sort())
  })

  it("have one group each, except the test event", () => {
    const without = WireEventType.literals.filter((type) => !isWanted([...WireEventGroup.literals], type))
    assert.deepStrictEqual(without, ["webhook.test"])
  })
})
