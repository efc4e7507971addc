import { assert, describe, it } from "@effect/vitest"
import { at } from "../../foundation/primitives/ids.fixture.ts"
import { aSession } from "../../identity/sessions/VerificationSessionStore.contract.ts"
import { aRegistration } from "./ProviderRegistration.fixture.ts"
import {
  attemptOfSession,
  checkDelayMsOrNull,
  type RegistrationOutcome,
  registrationAfter
} from "./ProviderRegistration.ts"
import { canRegistrationTransition, RegistrationStatus } from "./registrationStates.ts"

const outcomeOf = (status: RegistrationStatus): RegistrationOutcome => {
  if (status === "ACTION_REQUIRED") return { status, fields: ["email"] }
  return status === "REJECTED" ? { status, reason: "dark" } : { status }
}

describe("registrationAfter", () => {
  it("makes only the transitions of the table, with reason and fields where they apply", () => {
    for (const from of RegistrationStatus.literals) {
      for (const to of RegistrationStatus.literals.filter((status) => status !== from)) {
        const registrationBefore = aRegistration({ status: from })
        const updatedRegistration = registrationAfter(registrationBefore, outcomeOf(to), at(7))
        if (!canRegistrationTransition(from, to)) assert.strictEqual(updatedRegistration, registrationBefore)
        else {
          assert.deepStrictEqual(updatedRegistration, {
            ...registrationBefore,
            status: to,
            reason: to === "REJECTED" ? "dark" : null,
            fields: to === "ACTION_REQUIRED" ? ["email"] : [],
            updatedAt: at(7)
          })
        }
      }
    }
    assert.isFalse(canRegistrationTransition("REJECTED", "ACTION_REQUIRED"))
  })

  it("changes nothing for the same response, and detects changed fields", () => {
    const registrationBefore = aRegistration({ status: "ACTION_REQUIRED", fields: ["email"] })
    assert.strictEqual(registrationAfter(registrationBefore, outcomeOf("ACTION_REQUIRED"), at(7)), registrationBefore)
    const outcome = { status: "ACTION_REQUIRED", fields: ["taxId"] } as const
    assert.deepInclude(registrationAfter(registrationBefore, outcome, at(7)), { fields: ["taxId"], updatedAt: at(7) })
  })
})

describe("the registration after another verification", () => {
  it("is another attempt if the provider rejected the identity or required data, and otherwise the same one", () => {
    const session = aSession()
    const attemptAfter = (status: RegistrationStatus) =>
      attemptOfSession(session, "bridge", aRegistration({ status, attempt: 2 })).attempt
    assert.deepStrictEqual(
      (["PENDING", "ACTIVE", "ACTION_REQUIRED", "REJECTED"] as const).map(attemptAfter),
      [2, 2, 3, 3]
    )
    assert.strictEqual(attemptOfSession(session, "bridge", null).attempt, 0)
  })
})

describe("the pause before the next check", () => {
  it.each([
    ["PENDING", 0, 5_000],
    ["PENDING", 800, 100_000],
    ["ACTION_REQUIRED", 1_000_000, 3_600_000],
    ["ACTIVE", 0, null],
    ["REJECTED", 0, null]
  ] as const)("of %s after %d s is %s ms", (status, seconds, expected) => {
    assert.strictEqual(checkDelayMsOrNull({ status, updatedAt: at(0) }, at(seconds * 1_000)), expected)
  })
})
