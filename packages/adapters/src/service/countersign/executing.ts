import { endings, History } from "@countersign/core/accounting/history"
import { UserOperations } from "@countersign/core/operations/executions"
import type { ProjectId } from "@countersign/core/tenancy/projects"
import { Effect } from "effect"
import { decoderOf, endpoints, jsonOf } from "../../api/endpoints/index.ts"
import { transactionBodies } from "../../api/presenters/index.ts"
import {
  type ExecuteBody,
  type ExecuteUserOperationBody,
  Hash32Text,
  TransactionResponse
} from "../../api/wire/index.ts"
import { CountersignError } from "./CountersignError.ts"
import type { CountersignServices } from "./layerCountersign.ts"
import type { CallEndpoint, CallOptions } from "./requests.ts"
import { StoredChanges } from "./StoredChanges.ts"
import type { Run } from "./session.ts"

const transactionJson = jsonOf(TransactionResponse)
const hashOf = decoderOf(Hash32Text)

export interface WaitOptions extends CallOptions {
  /** Milliseconds after which the wait fails with WAIT_TIMEOUT; no limit when left out. */
  readonly timeoutMs?: number
}

/** The transaction with this id, once it is known and has ended. */
const endOf = Effect.fnUntraced(function* <E, R>(
  project: ProjectId,
  transactionId: Effect.Effect<string | null, E, R>
) {
  const history = yield* History
  const changes = yield* StoredChanges
  for (;;) {
    const seen = changes.count()
    const id = yield* transactionId
    const transaction = id === null ? null : yield* history.get(project, id)
    if (transaction !== null && endings.has(transaction.status)) return transaction
    yield* changes.awaitAfter(seen)
  }
})

const waitedFor = (what: string, timeoutMs: number) =>
  new CountersignError({
    id: "WAIT_TIMEOUT",
    message: `${what} has not ended within ${timeoutMs} ms. It continues: wait for it again, or look at history.`
  })

/** Waits, and answers the transaction as history shows it. */
const waiting =
  (run: Run, project: ProjectId) =>
  <E>(
    what: string,
    transactionId: Effect.Effect<string | null, E, CountersignServices>,
    { signal, timeoutMs }: WaitOptions
  ) => {
    const end = endOf(project, transactionId)
    const ended =
      timeoutMs === undefined
        ? end
        : Effect.timeoutOrElse(end, {
            duration: timeoutMs,
            orElse: () => Effect.fail(waitedFor(what, timeoutMs))
          })
    const shown = Effect.gen(function* () {
      const [transaction] = yield* transactionBodies([yield* ended])
      return (yield* transactionJson({ transaction })).transaction
    })
    return run(shown, signal)
  }

/** Quotes, once their owner has signed them, and what they came to. */
export const executingOf = (run: Run, project: ProjectId, call: CallEndpoint) => {
  const wait = waiting(run, project)
  return {
    /**
     * Accepts a quote with what its owner signed: a signature under the hash of each element of `signData`. The same again
     * gets the same answer, and the quote is executed once. As `POST /api/v1/crypto/execute`.
     */
    execute: (body: typeof ExecuteBody.Encoded, options?: CallOptions) =>
      call(endpoints.execute)({ payload: body }, options),
    /**
     * Waits until a transaction has ended, however it did, and answers it as history shows it: look at its `status`. One
     * that another process executes is waited for too. A reorganisation of the chain can still take back what has ended: an
     * event tells of it.
     */
    wait: ({ transactionId }: { readonly transactionId: string }, options: WaitOptions = {}) =>
      wait(`The transaction ${transactionId}`, Effect.succeed(transactionId), options),
    operations: {
      /** The same as `execute` by the hash of a user operation. As `POST /api/v1/crypto/execute-user-op`. */
      execute: (body: typeof ExecuteUserOperationBody.Encoded, options?: CallOptions) =>
        call(endpoints.executeUserOperation)({ payload: body }, options),
      /** A user operation by its hash. As `GET /api/v1/crypto/user-operation/:userOperationHash`. */
      get: (userOperationHash: string, options?: CallOptions) =>
        call(endpoints.userOperationShow)({ params: { userOperationHash } }, options),
      /** The same as `wait` by the hash of a user operation, also of one that is not executed yet. */
      wait: (userOperationHash: string, options: WaitOptions = {}) =>
        wait(
          `The operation ${userOperationHash}`,
          Effect.gen(function* () {
            const { execution } = yield* (yield* UserOperations).get(project, yield* hashOf(userOperationHash))
            return execution?.id ?? null
          }),
          options
        )
    }
  }
}
