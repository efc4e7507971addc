import { Projects } from "@countersign/core/projects"
import { UserOperations } from "@countersign/core/user-operations"
import { DateTime, Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Api } from "../api/Api.ts"
import { toBody } from "../errors/index.ts"
import { userOperationBody } from "../wire/userOperationTranslation.ts"
import { authorized, baseUrl, ComputeUnitCosts, charged } from "./asCaller.ts"

export const UserOperationHandlers = HttpApiBuilder.group(
  Api,
  "userOperations",
  Effect.fnUntraced(function* (handlers) {
    const projects = yield* Projects
    const operations = yield* UserOperations
    const costs = yield* ComputeUnitCosts
    return handlers.handleAll({
      execute: Effect.fnUntraced(function* ({ payload }) {
        const { project } = yield* authorized(projects, "execute")
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
      }, Effect.mapError(toBody)),
      get: Effect.fnUntraced(function* ({ params }) {
        const { project } = yield* charged(projects, "read", costs.read)
        const record = yield* operations.get(project.id, params.userOperationHash)
        return { userOperation: userOperationBody(yield* baseUrl, project, record) }
      }, Effect.mapError(toBody))
    })
  })
)
