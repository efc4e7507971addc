import { matchesFilters } from "@countersign/core/tenancy/events"
import { assert, describe, it } from "@effect/vitest"
import { eventSerializers } from "../serializers/index.ts"
import { eventBodies } from "./events.ts"
import { WireEventGroup, WireEventType } from "./eventTypes.ts"

/** Event groups of features that do not exist yet. When a feature registers its event kind, remove its groups here. */
const plannedTypes: ReadonlyArray<string> = []

describe("the event types of the API", () => {
  it("are the types of the registered event kinds and of planned features", () => {
    const registeredTypes = eventSerializers.flatMap(({ types }) => types)
    const unplanned = WireEventType.literals.filter((type) => !matchesFilters(plannedTypes, type))
    assert.deepStrictEqual([...registeredTypes].sort(), [...unplanned].sort())
  })

  it("have one body each in the API reference", () => {
    const describedTypes = eventBodies.flatMap(({ fields }) => fields.type.literals)
    assert.deepStrictEqual(describedTypes.sort(), eventSerializers.flatMap(({ types }) => types).sort())
  })

  it("have one group each, except the test event", () => {
    const without = WireEventType.literals.filter((type) => !matchesFilters([...WireEventGroup.literals], type))
    assert.deepStrictEqual(without, ["webhook.test"])
  })
})
