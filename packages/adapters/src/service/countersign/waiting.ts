import { finalStatuses, History } from "@countersign/core/accounting/history"
import { UserOperations } from "@countersign/core/operations/executions"
import type { ProjectId } from "@countersign/core/tenancy/projects"
import { Effect } from "effect"
import { decoderOf } from "../../api/endpoints/index.ts"
import { Hash32Text } from "../../api/wire/index.ts"
import { CountersignError } from "./CountersignError.ts"
import type { CountersignServices } from "./layerCountersign.ts"
import type { WaitOptions } from "./requests.ts"
import { StoredChanges } from "./StoredChanges.ts"
import type { Run } from "./session.ts"

const decodeHash = decoderOf(Hash32Text)

/** Waits until the transaction id is known and the transaction has ended. Returns the id. */
const awaitEnd = Effect.fnUntraced(function* <E, R>(
  project: ProjectId,
  transactionId: Effect.Effect<string | null, E, R>
) {
  const history = yield* History
  const changes = yield* StoredChanges
  for (;;) {
    const changeCount = changes.count()
    const id = yield* transactionId
    const transaction = id === null ? null : yield* history.get(project, id)
    if (transaction !== null && finalStatuses.has(transaction.status)) return transaction.id
    yield* changes.awaitAfter(changeCount)
  }
})

const timeoutError = (awaitedName: string, timeoutMs: number) =>
  new CountersignError({
    id: "WAIT_TIMEOUT",
    message: `${awaitedName} has not ended within ${timeoutMs} ms. It continues. Call \`wait\` again, or read the history.`
  })

/** Waits until a transaction has ended. Returns its id. */
const waitForEnd =
  (run: Run, project: ProjectId) =>
  <E>(
    awaitedName: string,
    transactionId: Effect.Effect<string | null, E, CountersignServices>,
    { signal, timeoutMs }: WaitOptions
  ): Promise<string> => {
    const awaitTransactionEnd = awaitEnd(project, transactionId)
    const awaitEndInTime =
      timeoutMs === undefined
        ? awaitTransactionEnd
        : Effect.timeoutOrElse(awaitTransactionEnd, {
            duration: timeoutMs,
            orElse: () => Effect.fail(timeoutError(awaitedName, timeoutMs))
          })
    return run(awaitEndInTime, signal)
  }

/**
 * Creates the calls that wait until a transaction of the project has ended. They return its id. Another process may
 * execute the transaction.
 */
export const waitsOf = (run: Run, project: ProjectId) => {
  const wait = waitForEnd(run, project)
  return {
    transaction: (transactionId: string, options: WaitOptions = {}) =>
      wait(`The transaction ${transactionId}`, Effect.succeed(transactionId), options),
    userOperation: (hash: string, options: WaitOptions = {}) =>
      wait(
        `The operation ${hash}`,
        Effect.gen(function* () {
          const { execution } = yield* (yield* UserOperations).get(project, yield* decodeHash(hash))
          return execution?.id ?? null
        }),
        options
      )
  }
}
