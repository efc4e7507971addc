import { UserOperations } from "@countersign/core/user-operations"
import { DateTime, Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Api } from "../api/Api.ts"
import { errorOfBody, toErrorBody } from "../errors/index.ts"
import { userOperationBody } from "../wire/userOperationTranslation.ts"
import { authorized, baseUrl, ComputeUnitCosts, charged, gatekeepers } from "./asCaller.ts"

export const UserOperationHandlers = HttpApiBuilder.group(
  Api,
  "userOperations",
  Effect.fnUntraced(function* (handlers) {
    const gates = yield* gatekeepers
    const operations = yield* UserOperations
    const costs = yield* ComputeUnitCosts
    return handlers.handleAll({
      execute: Effect.fnUntraced(function* ({ payload }) {
        const { project } = yield* authorized(gates, "execute")
        const submission = yield* operations.execute(project.id, {
          hash: payload.userOperationHash,
          signature: payload.signature,
          authorization: payload.authorization ?? null
        })
        return {
          userOperationHash: payload.userOperationHash,
          transactionId: submission.transactionId,
          estimatedExecutionTime: DateTime.formatIso(submission.estimatedExecutionTime)
        }
      }, Effect.mapError(errorOfBody)),
      get: Effect.fnUntraced(function* ({ params }) {
        const { project } = yield* charged(gates, "read", costs.read)
        const record = yield* operations.get(project.id, params.userOperationHash)
        return { userOperation: userOperationBody(yield* baseUrl, project, record) }
      }, Effect.mapError(toErrorBody))
    })
  })
)
