import type { ReplicaState } from "@countersign/adapters/storage/kysely"
import { type Finding, failing, ok, waiting } from "../Finding.ts"
import type { CheckResult } from "../Observed.ts"

const SUBJECT = "read replica"

/**
 * One WAL segment. The service waits about 200 ms for a replica to catch up, which is usually too short to replay more
 * than this.
 */
const BEHIND_BYTES = 16 * 1024 * 1024

const readFromPrimary = "All reads use the database in DATABASE_URL. No request fails."

/** Reports whether the replica is up to date. Empty if no replica is configured. */
export const diagnoseReplica = (replica: CheckResult<ReplicaState | null> | null): ReadonlyArray<Finding> => {
  if (replica === null) return []
  if (replica._tag === "Unseen") {
    return [
      waiting(SUBJECT, replica.reason, {
        waitsFor: "a response of the replica",
        byItself: readFromPrimary,
        whatToDo: "Check DATABASE_READ_URL, and that the replica runs and this machine can reach it."
      })
    ]
  }
  if (replica.value === null) return []
  const { behindBytes, isSameDatabase } = replica.value
  if (!isSameDatabase || behindBytes === null) {
    return [
      failing(
        SUBJECT,
        isSameDatabase ? "is not a streaming replica" : "is not a replica of the database in DATABASE_URL",
        {
          byItself: readFromPrimary,
          whatToDo:
            "Set DATABASE_READ_URL to a streaming replica of the database in DATABASE_URL, or remove the setting."
        }
      )
    ]
  }
  if (behindBytes > BEHIND_BYTES) {
    return [
      waiting(SUBJECT, `${Math.round(behindBytes / 1024 / 1024)} MiB behind`, {
        waitsFor: "the replay of the write-ahead log",
        byItself: readFromPrimary,
        whatToDo: "Check the network and the disk of the replica, and whether its replay is paused."
      })
    ]
  }
  return [ok(SUBJECT, `${behindBytes} bytes behind`)]
}
