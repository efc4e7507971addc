import { QuotesBody } from "@countersign/adapters/wire"
import { SwapRequest } from "@countersign/core/swap"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { errorSchemas } from "../errors/index.ts"
import { BoundedJson, IdempotentPost, ProjectAuth } from "../middleware/definitions.ts"

export class SwapApi extends HttpApiGroup.make("swap")
  .add(
    HttpApiEndpoint.post("quote", "/swap", {
      payload: SwapRequest,
      success: QuotesBody,
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
        summary: "Quote a swap",
        description:
          "Real-time quotes, best first by the route profile. Sign what `signData` asks for, then execute by `userOperationHash`."
      })
    )
  )
  .middleware(IdempotentPost)
  .middleware(BoundedJson)
  .middleware(ProjectAuth)
  .prefix("/api/v1/crypto")
  .annotateMerge(OpenApi.annotations({ title: "Swaps", description: "Quotes of swaps" })) {}
