import { withDescription } from "@countersign/core/foundation/primitives"
import { TokenCatalog } from "@countersign/core/foundation/tokens"
import { UserOperations } from "@countersign/core/operations/executions"
import { DateTime, Effect } from "effect"
import {
  ExecutedUserOperationBody,
  ExecuteUserOperationBody,
  Hash32Text,
  LinkBase,
  listedTokenFinder,
  UserOperationResponse,
  userOperationBody
} from "../wire/index.ts"
import { acceptanceErrors, ON_THE_SANDBOX } from "./acceptance.ts"
import { endpoint } from "./Endpoint.ts"
import { HASH, SIGNATURE } from "./exampleValues.ts"
import { userOperationLink } from "./links.ts"

const execute = endpoint({
  id: "userOperations.execute",
  method: "POST",
  path: "/api/v1/crypto/execute-user-op",
  summary: "Execute a signed user operation",
  description: `Executes a quote like POST /api/v1/crypto/execute, but identifies it by the hash of its user operation. ${ON_THE_SANDBOX}`,
  payload: ExecuteUserOperationBody,
  success: ExecutedUserOperationBody,
  errors: ["USER_OPERATION_NOT_FOUND", "USER_OPERATION_EXPIRED", ...acceptanceErrors, "UPSTREAM_UNAVAILABLE"],
  scope: "execute",
  cost: null,
  example: { body: { userOperationHash: HASH, signature: SIGNATURE } },
  links: { userOperation: userOperationLink("/userOperationHash") },
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

const get = endpoint({
  id: "userOperations.get",
  method: "GET",
  path: "/api/v1/crypto/user-operation/:userOperationHash",
  summary: "Get a user operation by its hash",
  description: "Returns all fields that the hash is computed from, so that the caller can verify the hash.",
  params: { userOperationHash: Hash32Text.pipe(withDescription("`userOperationHash` of a quote")) },
  success: UserOperationResponse,
  responses: "userOperation",
  errors: ["USER_OPERATION_NOT_FOUND"],
  scope: "read",
  cost: "read",
  example: { parameters: { userOperationHash: HASH } },
  run: Effect.fnUntraced(function* ({ params, project }) {
    const userOperation = yield* (yield* UserOperations).get(project.id, params.userOperationHash)
    const { gas, operation } = userOperation.intent
    const find = yield* listedTokenFinder(yield* TokenCatalog, [{ chainId: operation.chainId, address: gas.token }])
    return { userOperation: userOperationBody(yield* LinkBase, project, userOperation, find) }
  })
})

export const userOperations = { execute, get }
