import type { RunBacklog, TaxRun } from "@countersign/core/accounting/tax"
import { DateTime } from "effect"
import { type Finding, failing, ok, waiting } from "../Finding.ts"
import type { CheckResult } from "../Observed.ts"
import { countText, isoText } from "../words.ts"

/** Time after which a due export is late, because a worker should have attempted it. */
const LATE_MS = 10 * 60_000

const runFinding = (run: TaxRun): Finding => {
  const { attempts, endedAt, lastError, month, nextAttemptAt, projectId, walletAddress } = run
  const subject = `tax export ${run.id}`
  const runText = `of ${month} for wallet ${walletAddress} of project ${projectId}`
  const reason = lastError ?? "no reason given"
  if (run.status === "FAILED") {
    return failing(subject, `${runText} failed permanently after ${countText(attempts, "attempt")}: ${reason}`, {
      since: endedAt === null ? null : isoText(endedAt),
      byItself:
        "The service does not send this export again. The event tax_export.failed has notified the project. The export of the next month is not affected.",
      whatToDo: `Fix the cause, then run: countersign tax export ${walletAddress} --month ${month} --email …`
    })
  }
  return waiting(subject, `${runText} was attempted ${attempts === 1 ? "once" : `${attempts} times`}: ${reason}`, {
    waitsFor: "the mail server or a market data source",
    byItself: `The next attempt is at ${nextAttemptAt === null ? "an unknown time" : isoText(nextAttemptAt)}. There are ten attempts over three days.`,
    whatToDo: "Check SMTP_URL and MAIL_FROM, and the log of the mail server."
  })
}

const dueFinding = ({ due, oldestDueAt }: RunBacklog, now: DateTime.Utc): Finding => {
  if (oldestDueAt === null) return ok("tax exports", "no export is due")
  const lateMs = DateTime.toEpochMillis(now) - DateTime.toEpochMillis(oldestDueAt)
  const detail = `${countText(due, "export")} due`
  return lateMs <= LATE_MS
    ? ok("tax exports", detail)
    : failing("tax exports", `${detail}, the oldest for ${Math.round(lateMs / 60_000)} minutes`, {
        waitsFor: "a running process that creates exports",
        since: isoText(oldestDueAt),
        byItself:
          "A running `countersign serve` on this database creates the exports. Due exports are kept until then.",
        whatToDo: "Make sure that `countersign serve` runs on this database."
      })
}

/** Reports due exports, exports whose last attempt failed, and exports that failed permanently. */
export const diagnoseTaxExports = (backlog: CheckResult<RunBacklog>, now: DateTime.Utc): ReadonlyArray<Finding> =>
  backlog._tag === "Unseen"
    ? [waiting("tax exports", `unknown: ${backlog.reason}`, { waitsFor: "the database" })]
    : [dueFinding(backlog.value, now), ...backlog.value.troubled.map(runFinding)]
