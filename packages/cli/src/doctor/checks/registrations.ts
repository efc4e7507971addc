import type { PendingRegistrationCount } from "@countersign/core/fiat"
import { DateTime } from "effect"
import { type Finding, ok, waiting } from "../Finding.ts"
import type { CheckResult } from "../Observed.ts"
import { isoText } from "../words.ts"

/** Time after which a registration is late. Providers decide within a business day. */
const LATE_MS = 24 * 60 * 60_000

const waitFinding = (
  { count: identityCount, oldestAt, provider, status }: PendingRegistrationCount,
  now: DateTime.Utc
): Finding => {
  const subject = `registrations with ${provider} ${status}`
  const detail = identityCount === 1 ? "1 identity" : `${identityCount} identities`
  if (status === "REJECTED") return ok(subject, `${detail}, the first since ${isoText(oldestAt)}`)
  const isLate = DateTime.toEpochMillis(now) - DateTime.toEpochMillis(oldestAt) > LATE_MS
  const waitsFor = status === "PENDING" ? `the decision of ${provider}` : "data that the identity submits"
  if (!isLate) return ok(subject, `${detail}, for ${waitsFor}, since ${isoText(oldestAt)}`)
  return waiting(subject, `${detail}, the oldest for more than a day`, {
    waitsFor,
    since: isoText(oldestAt),
    byItself: "The service polls the provider at least once an hour.",
    whatToDo:
      status === "PENDING"
        ? `Find the customers in the dashboard of ${provider}. The service's log contains the errors that the provider returns.`
        : "The session shows the missing fields in `fiatRegistrations`. Submit them with POST /api/v1/kyc/identities/{identityId}/fiat-registrations, or complete the customer at the provider."
  })
}

/** Reports identities that a fiat provider has not activated as customers. Empty if there are none. */
export const diagnoseRegistrations = (
  waits: CheckResult<ReadonlyArray<PendingRegistrationCount>>,
  now: DateTime.Utc
): ReadonlyArray<Finding> =>
  // The finding about verifications already reports a failing database.
  waits._tag === "Unseen" ? [] : waits.value.map((wait) => waitFinding(wait, now))
