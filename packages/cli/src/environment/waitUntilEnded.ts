import { finalStatuses, HistoryStore } from "@countersign/core/accounting/history"
import type { ProjectId } from "@countersign/core/tenancy/projects"
import { Effect, Option, Schedule } from "effect"
import { CommandRefused } from "./errors.ts"

/** Waits until a transaction has ended. Fails after two minutes. */
export const waitUntilEnded = Effect.fnUntraced(function* (projectId: ProjectId, transactionId: string) {
  const store = yield* HistoryStore
  yield* store.find(projectId, transactionId).pipe(
    Effect.map(Option.getOrThrow),
    Effect.repeat({ schedule: Schedule.spaced("100 millis"), until: ({ status }) => finalStatuses.has(status) }),
    Effect.timeoutOrElse({
      duration: "2 minutes",
      orElse: () =>
        Effect.fail(
          new CommandRefused({
            reason:
              "The operation has not ended within two minutes, and is still pending. `countersign doctor` shows the cause."
          })
        )
    })
  )
})
