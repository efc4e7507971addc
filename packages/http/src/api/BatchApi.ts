import { BatchResponse } from "@countersign/adapters/wire"
import { BatchRequest } from "@countersign/core/batch"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { errorSchemas } from "../errors/index.ts"
import { BoundedJson, IdempotentPost, ProjectAuth } from "../middleware/definitions.ts"

export class BatchApi extends HttpApiGroup.make("batch")
  .add(
    HttpApiEndpoint.post("quote", "/batch-operations", {
      payload: BatchRequest,
      success: BatchResponse,
      error: errorSchemas(
        "NOT_AUTHORIZED_TOKENS",
        "UNAVAILABLE_COMPUTE_UNITS",
        "ACCOUNT_ABSTRACTION_ADDRESS_NOT_REGISTERED_WITH_PROJECT",
        "SWAP_QUOTE",
        "BAD_REQUEST",
        "UNPAID_GAS_LIMIT",
        "FORBIDDEN_SCOPE",
        "INDIVIDUAL_VERIFICATION_REQUIRED",
        "UNSUPPORTED_MEDIA_TYPE"
      )
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Join transfers and swaps into one operation",
        description:
          "Executed in list order, all or none, with one signature and one gas payment. Each swap is computed on the pools " +
          "as the swaps before it leave them. All elements name the same `payGasFeeToken`; where elements ask for " +
          "DEDUCT_FROM_AMOUNT, the gas fee is taken out of the first of them whose amount is in that token."
      })
    )
  )
  .middleware(IdempotentPost)
  .middleware(BoundedJson)
  .middleware(ProjectAuth)
  .prefix("/api/v1/crypto")
  .annotateMerge(OpenApi.annotations({ title: "Batches", description: "Transfers and swaps in one operation" })) {}
