import { listedTokens, userOperationBody } from "@countersign/adapters/wire"
import { UserOperations } from "@countersign/core/executions"
import { TokenCatalog } from "@countersign/core/tokens"
import { DateTime, Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Api } from "../api/Api.ts"
import { errorOfBody, toErrorBody } from "../errors/index.ts"
import { authorizeCaller, baseUrl, ComputeUnitCosts, chargeCaller, gatekeepers } from "./asCaller.ts"

export const UserOperationHandlers = HttpApiBuilder.group(
  Api,
  "userOperations",
  Effect.fnUntraced(function* (handlers) {
    const gates = yield* gatekeepers
    const operations = yield* UserOperations
    const catalog = yield* TokenCatalog
    const costs = yield* ComputeUnitCosts
    return handlers.handleAll({
      execute: Effect.fnUntraced(function* ({ payload }) {
        const { project } = yield* authorizeCaller(gates, "execute")
        const execution = yield* operations.execute(project.id, {
          hash: payload.userOperationHash,
          signature: payload.signature,
          authorization: payload.authorization ?? null,
          signatures: payload.signatures ?? {}
        })
        return {
          userOperationHash: payload.userOperationHash,
          transactionId: execution.id,
          estimatedExecutionTime: DateTime.formatIso(execution.estimatedExecutionTime)
        }
      }, Effect.mapError(errorOfBody)),
      get: Effect.fnUntraced(function* ({ params }) {
        const { project } = yield* chargeCaller(gates, "read", costs.read)
        const knownOperation = yield* operations.get(project.id, params.userOperationHash)
        const { gas, operation } = knownOperation.intent
        const find = yield* listedTokens(catalog, [{ chainId: operation.chainId, address: gas.token }])
        return { userOperation: userOperationBody(yield* baseUrl, project, knownOperation, find) }
      }, Effect.mapError(toErrorBody))
    })
  })
)
