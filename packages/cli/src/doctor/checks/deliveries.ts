import type { TroubledEndpoint, WebhookBacklog } from "@countersign/core/tenancy/webhooks"
import { DateTime } from "effect"
import { type Finding, failing, ok, waiting } from "../Finding.ts"
import type { CheckResult } from "../Observed.ts"
import { isoText } from "../words.ts"

/** Time after which a due delivery is late, because a worker should have attempted it. */
const LATE_MS = 60_000

const waitingDeliveries = (pending: number): string =>
  pending === 1 ? "1 delivery waits" : `${pending} deliveries wait`

const endpointFinding = (endpoint: TroubledEndpoint): Finding => {
  const { disabledAt, disabledReason, endpointId, failingSince, host, lastError, nextAttemptAt, pending, projectId } =
    endpoint
  const subject = `webhook ${endpointId}`
  if (disabledAt !== null) {
    return waiting(subject, `to ${host}, of project ${projectId}: disabled (${disabledReason ?? "no reason given"})`, {
      waitsFor: "an operator who enables the webhook",
      since: isoText(disabledAt),
      byItself: "The webhook receives no events. The service does not send these events later.",
      whatToDo: `When ${host} accepts events again: countersign webhook enable ${endpointId} --project ${projectId}`
    })
  }
  const lastErrorText = lastError ?? "in vain"
  return waiting(
    subject,
    `to ${host}, of project ${projectId}: ${waitingDeliveries(pending)}; the last attempt: ${lastErrorText}`,
    {
      waitsFor: `${host} to accept the event`,
      since: failingSince === null ? null : isoText(failingSince),
      byItself: `The next attempt is at ${nextAttemptAt === null ? "an unknown time" : isoText(nextAttemptAt)}. There are ten attempts over three days. A webhook that accepts no event for five days is disabled.`,
      whatToDo: `Notify the project that ${host} does not accept its events.`
    }
  )
}

const dueFinding = ({ due, oldestDueAt }: WebhookBacklog, now: DateTime.Utc): Finding => {
  if (oldestDueAt === null) return ok("webhooks", "no delivery is due")
  const lateMs = DateTime.toEpochMillis(now) - DateTime.toEpochMillis(oldestDueAt)
  const detail = due === 1 ? "1 delivery is due" : `${due} deliveries are due`
  return lateMs <= LATE_MS
    ? ok("webhooks", detail)
    : failing("webhooks", `${detail}, the oldest for ${Math.round(lateMs / 1_000)} s`, {
        waitsFor: "a running process that delivers, or slow endpoints",
        since: isoText(oldestDueAt),
        byItself: "A running `countersign serve` on this database delivers them. Due deliveries are kept until then.",
        whatToDo: "Make sure that `countersign serve` runs on this database. If it runs, check the endpoints below."
      })
}

/** Reports due deliveries, and endpoints that fail. */
export const diagnoseDeliveries = (backlog: CheckResult<WebhookBacklog>, now: DateTime.Utc): ReadonlyArray<Finding> =>
  backlog._tag === "Unseen"
    ? [waiting("webhooks", `unknown: ${backlog.reason}`, { waitsFor: "the database" })]
    : [dueFinding(backlog.value, now), ...backlog.value.troubled.map(endpointFinding)]
