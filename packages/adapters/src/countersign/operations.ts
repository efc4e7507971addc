import { UserOperations } from "@countersign/core/executions"
import { endings, HistoryStore } from "@countersign/core/history"
import type { Hash32 } from "@countersign/core/primitives"
import { type ProjectId, Projects } from "@countersign/core/projects"
import { TokenCatalog } from "@countersign/core/tokens"
import { DateTime, Effect, Option } from "effect"
import { LinkBase } from "../presenters/index.ts"
import {
  ExecuteBody,
  ExecutedBody,
  Hash32Text,
  listedTokens,
  UserOperationResponse,
  userOperationBody
} from "../wire/index.ts"
import { CountersignError } from "./CountersignError.ts"
import { historyPage } from "./history.ts"
import { answerOf, bodyOf } from "./requests.ts"
import { StoredChanges } from "./StoredChanges.ts"
import type { Run } from "./session.ts"

const executeBody = bodyOf(ExecuteBody)
const hashOf = bodyOf(Hash32Text)
const executedAnswer = answerOf(ExecutedBody)
const operationAnswer = answerOf(UserOperationResponse)

export interface WaitOptions {
  /** Milliseconds after which the wait fails with WAIT_TIMEOUT; no limit when left out. */
  readonly timeoutMs?: number
  /** Ends the wait when it is aborted: the promise rejects with the signal's reason. */
  readonly signal?: AbortSignal
}

/** The transaction of an operation, once it has ended. */
const endOf = Effect.fnUntraced(function* (project: ProjectId, hash: Hash32) {
  const operations = yield* UserOperations
  const store = yield* HistoryStore
  const changes = yield* StoredChanges
  for (;;) {
    const seen = changes.count()
    const { execution } = yield* operations.get(project, hash)
    const transaction = execution === null ? null : Option.getOrNull(yield* store.find(project, execution.id))
    if (transaction !== null && endings.has(transaction.status)) return transaction
    yield* changes.awaitAfter(seen)
  }
})

const waitedFor = (hash: string, timeoutMs: number) =>
  new CountersignError({
    id: "WAIT_TIMEOUT",
    message: `The operation ${hash} has not ended within ${timeoutMs} ms. It goes on: wait for it again, or look at history.`
  })

/** Prepared operations, once their owner has signed them. */
export const operationsOf = (run: Run, project: ProjectId) => ({
  /**
   * Accepts what the owner signed. The same request again gets the same answer, and one operation goes on chain. As
   * `POST /api/v1/crypto/execute-user-op`.
   */
  execute: (body: typeof ExecuteBody.Encoded) =>
    run(
      Effect.gen(function* () {
        const { authorization, signature, signatures, userOperationHash } = yield* executeBody(body)
        const execution = yield* (yield* UserOperations).execute(project, {
          hash: userOperationHash,
          signature,
          authorization: authorization ?? null,
          signatures: signatures ?? {}
        })
        return yield* executedAnswer({
          userOperationHash,
          transactionId: execution.id,
          estimatedExecutionTime: DateTime.formatIso(execution.estimatedExecutionTime)
        })
      })
    ),
  /** A user operation by its hash. As `GET /api/v1/crypto/user-operation/:userOperationHash`. */
  get: (userOperationHash: string) =>
    run(
      Effect.gen(function* () {
        const owner = yield* (yield* Projects).get(project)
        const known = yield* (yield* UserOperations).get(project, yield* hashOf(userOperationHash))
        const { gas, operation } = known.intent
        const find = yield* listedTokens(yield* TokenCatalog, [{ chainId: operation.chainId, address: gas.token }])
        return yield* operationAnswer({ userOperation: userOperationBody(yield* LinkBase, owner, known, find) })
      })
    ),
  /**
   * Waits until an operation has ended, however it did, and answers its transaction as history shows it: look at its
   * `status`. An operation that was executed by another process is waited for too, and so is one that nobody has executed
   * yet. A reorganisation of the chain can still take back what has ended: an event tells of it.
   */
  wait: (userOperationHash: string, { signal, timeoutMs }: WaitOptions = {}) =>
    run(
      Effect.gen(function* () {
        const end = endOf(project, yield* hashOf(userOperationHash))
        const transaction = yield* timeoutMs === undefined
          ? end
          : Effect.timeoutOrElse(end, {
              duration: timeoutMs,
              orElse: () => Effect.fail(waitedFor(userOperationHash, timeoutMs))
            })
        const { transactions } = yield* historyPage([transaction], null)
        return transactions[0]!
      }),
      signal
    )
})
