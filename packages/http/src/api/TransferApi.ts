import { TransferResponse } from "@countersign/adapters/wire"
import { TransferRequest } from "@countersign/core/transfer"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { errorSchemas } from "../errors/index.ts"
import { BoundedJson, IdempotentPost, ProjectAuth } from "../middleware/definitions.ts"

export class TransferApi extends HttpApiGroup.make("transfer")
  .add(
    HttpApiEndpoint.post("quote", "/transfer", {
      payload: TransferRequest,
      success: TransferResponse,
      error: errorSchemas(
        "NOT_AUTHORIZED_TOKENS",
        "UNAVAILABLE_COMPUTE_UNITS",
        "ACCOUNT_ABSTRACTION_ADDRESS_NOT_REGISTERED_WITH_PROJECT",
        "UPSTREAM_UNAVAILABLE",
        "BAD_REQUEST",
        "UNPAID_GAS_LIMIT",
        "FORBIDDEN_SCOPE",
        "UNSUPPORTED_MEDIA_TYPE"
      )
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Prepare a transfer",
        description:
          "A transfer of a listed token, or of the chain's coin, with gas paid in any token that is accepted. The receiver " +
          "gets `amount` less the fees; with DEDUCT_FROM_AMOUNT less the gas fee too. Sign what `signData` asks for, then " +
          "execute by `userOperationHash`."
      })
    )
  )
  .middleware(IdempotentPost)
  .middleware(BoundedJson)
  .middleware(ProjectAuth)
  .prefix("/api/v1/crypto")
  .annotateMerge(OpenApi.annotations({ title: "Transfers", description: "Transfers of tokens and coins" })) {}
