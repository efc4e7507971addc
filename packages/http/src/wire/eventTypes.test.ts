import { isWanted } from "@countersign/core/events"
import { assert, describe, it } from "@effect/vitest"
import { eventPresenters } from "../webhooks/eventPresenter.ts"
import { WireEventGroup, WireEventType } from "./eventTypes.ts"

/** Groups of features that are still to come. A feature that registers its kind takes its groups out of here. */
const toCome = ["ramp.deposit.*", "ramp.withdrawal.*", "kyc.session.*", "kyb.session.*", "tax_export.*"]

describe("the event types of the API", () => {
  it("are what the features tell, and what features to come will tell", () => {
    const told = eventPresenters.flatMap(({ types }) => types)
    const known = WireEventType.literals.filter((type) => !isWanted(toCome, type))
    assert.deepStrictEqual([...told].sort(), [...known].sort())
  })

  it("have a group each but the test's", () => {
    const without = WireEventType.literals.filter((type) => !isWanted([...WireEventGroup.literals], type))
    assert.deepStrictEqual(without, ["webhook.test"])
  })
})
