import { History } from "@countersign/core/accounting/history"
import { described } from "@countersign/core/foundation/primitives"
import { TokenCatalog } from "@countersign/core/foundation/tokens"
import { Acceptances, UserOperations } from "@countersign/core/operations/executions"
import { DateTime, Effect, Schema } from "effect"
import { transactionBodies } from "../presenters/index.ts"
import {
  ExecuteBody,
  ExecutedBody,
  ExecutedUserOperationBody,
  ExecuteUserOperationBody,
  Hash32Text,
  LinkBase,
  listedTokens,
  TransactionResponse,
  UserOperationResponse,
  userOperationBody
} from "../wire/index.ts"
import { endpoint } from "./Endpoint.ts"

const ON_THE_SANDBOX = "On the sandbox `countersign sign` signs with the demonstration keys."

export const acceptanceErrors = [
  "INVALID_SIGNATURE",
  "AUTHORIZATION_STALE",
  "ACCOUNT_CHANGED",
  "QUOTE_STALE",
  "TRANSACTION_IN_BLOCK",
  "UNPAID_GAS_LIMIT",
  "UPSTREAM_UNAVAILABLE"
] as const

export const execute = endpoint({
  id: "executions.execute",
  method: "POST",
  path: "/api/v1/crypto/execute",
  summary: "Execute a quote",
  description:
    "Accepts any quote with what its owner signed: a signature for every element of `signData`, under the element's `hash`; " +
    "none where there is none. What was quoted is checked once more first. Idempotent on the quote: the same request again " +
    `gets the same answer, and it is executed once. ${ON_THE_SANDBOX}`,
  payload: ExecuteBody,
  success: ExecutedBody,
  errors: ["QUOTE_NOT_FOUND", "QUOTE_EXPIRED", ...acceptanceErrors],
  scope: "execute",
  cost: null,
  run: Effect.fnUntraced(function* ({ payload, project }) {
    const { quoteId, signatures } = payload
    const execution = yield* (yield* Acceptances).accept(project.id, quoteId, signatures)
    const { status } = yield* Effect.orDie((yield* History).get(project.id, execution.id))
    return {
      quoteId: execution.quoteId,
      transactionId: execution.id,
      status,
      estimatedExecutionTime: DateTime.formatIso(execution.estimatedExecutionTime)
    }
  })
})

export const executeUserOperation = endpoint({
  id: "userOperations.execute",
  method: "POST",
  path: "/api/v1/crypto/execute-user-op",
  summary: "Execute a signed operation",
  description: `The same as POST /api/v1/crypto/execute for the quote of a user operation, by the operation's hash. ${ON_THE_SANDBOX}`,
  payload: ExecuteUserOperationBody,
  success: ExecutedUserOperationBody,
  errors: ["USER_OPERATION_NOT_FOUND", "USER_OPERATION_EXPIRED", ...acceptanceErrors],
  scope: "execute",
  cost: null,
  run: Effect.fnUntraced(function* ({ payload, project }) {
    const { authorization, signature, signatures, userOperationHash } = payload
    const execution = yield* (yield* UserOperations).execute(project.id, {
      hash: userOperationHash,
      signature,
      authorization: authorization ?? null,
      signatures: signatures ?? {}
    })
    return {
      userOperationHash,
      transactionId: execution.id,
      estimatedExecutionTime: DateTime.formatIso(execution.estimatedExecutionTime)
    }
  })
})

export const userOperationShow = endpoint({
  id: "userOperations.get",
  method: "GET",
  path: "/api/v1/crypto/user-operation/:userOperationHash",
  summary: "Look a user operation up by its hash",
  description: "With every field that its hash is made of, so that the hash can be computed again.",
  params: { userOperationHash: Hash32Text.pipe(described("`userOperationHash` of a quote")) },
  success: UserOperationResponse,
  errors: ["USER_OPERATION_NOT_FOUND"],
  scope: "read",
  cost: "read",
  run: Effect.fnUntraced(function* ({ params, project }) {
    const known = yield* (yield* UserOperations).get(project.id, params.userOperationHash)
    const { gas, operation } = known.intent
    const find = yield* listedTokens(yield* TokenCatalog, [{ chainId: operation.chainId, address: gas.token }])
    return { userOperation: userOperationBody(yield* LinkBase, project, known, find) }
  })
})

export const transactionShow = endpoint({
  id: "executions.transaction",
  method: "GET",
  path: "/api/v1/crypto/transactions/:transactionId",
  summary: "A transaction by its id",
  description: "The state of an execution, as the wallet's history shows it.",
  params: { transactionId: Schema.String.pipe(described("`transactionId` of an execution, or `id` of the history")) },
  success: TransactionResponse,
  errors: ["TRANSACTION_NOT_FOUND"],
  scope: "read",
  cost: "read",
  run: Effect.fnUntraced(function* ({ params, project }) {
    const transaction = yield* (yield* History).get(project.id, params.transactionId)
    const [body] = yield* transactionBodies([transaction])
    return { transaction: body! }
  })
})
