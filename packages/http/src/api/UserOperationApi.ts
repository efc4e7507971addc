import { ExecuteBody, ExecutedBody, Hash32Text, UserOperationResponse } from "@countersign/adapters/wire"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { errorSchemas } from "../errors/index.ts"
import { BoundedJson, IdempotentPost, ProjectAuth } from "../middleware/definitions.ts"

export class UserOperationApi extends HttpApiGroup.make("userOperations")
  .add(
    HttpApiEndpoint.post("execute", "/execute-user-op", {
      payload: ExecuteBody,
      success: ExecutedBody,
      error: errorSchemas(
        "USER_OPERATION_NOT_FOUND",
        "INVALID_SIGNATURE",
        "USER_OPERATION_EXPIRED",
        "AUTHORIZATION_STALE",
        "ACCOUNT_CHANGED",
        "QUOTE_STALE",
        "UNPAID_GAS_LIMIT",
        "UPSTREAM_UNAVAILABLE",
        "UNAVAILABLE_COMPUTE_UNITS",
        "FORBIDDEN_SCOPE",
        "UNSUPPORTED_MEDIA_TYPE"
      )
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Execute a signed operation",
        description:
          "Submits what the owner signed: every element of signData. Idempotent on the hash: the same request again gets the same answer, and one operation goes on chain."
      })
    )
  )
  .middleware(IdempotentPost)
  .middleware(BoundedJson)
  .add(
    HttpApiEndpoint.get("get", "/user-operation/:userOperationHash", {
      params: Schema.Struct({ userOperationHash: Hash32Text }),
      success: UserOperationResponse,
      error: errorSchemas("UNAVAILABLE_COMPUTE_UNITS", "USER_OPERATION_NOT_FOUND", "FORBIDDEN_SCOPE")
    }).annotateMerge(OpenApi.annotations({ summary: "Look a user operation up by its hash" }))
  )
  .middleware(ProjectAuth)
  .prefix("/api/v1/crypto")
  .annotateMerge(OpenApi.annotations({ title: "User operations" })) {}
