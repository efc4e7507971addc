import { ExecuteBody, ExecutedBody, Hash32Text, UserOperationResponse } from "@countersign/adapters/wire"
import { described } from "@countersign/core/primitives"
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
          "Submits what the owner signed: every element of `signData`. It is simulated once more first. Idempotent on the hash: the same request again gets the same answer, and one operation goes on chain. On the sandbox `countersign sign` signs with the demonstration keys."
      })
    )
  )
  .middleware(IdempotentPost)
  .middleware(BoundedJson)
  .add(
    HttpApiEndpoint.get("get", "/user-operation/:userOperationHash", {
      params: Schema.Struct({
        userOperationHash: Hash32Text.pipe(described("`userOperationHash` of a quote"))
      }),
      success: UserOperationResponse,
      error: errorSchemas("UNAVAILABLE_COMPUTE_UNITS", "USER_OPERATION_NOT_FOUND", "FORBIDDEN_SCOPE")
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Look a user operation up by its hash",
        description: "With every field that its hash is made of, so that anybody can compute the hash again."
      })
    )
  )
  .middleware(ProjectAuth)
  .prefix("/api/v1/crypto")
  .annotateMerge(
    OpenApi.annotations({ title: "User operations", description: "Executing what the owner signed, and looking it up" })
  ) {}
