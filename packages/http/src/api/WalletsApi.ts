import {
  FactoriesResponse,
  HistoryQuery,
  HistoryResponse,
  MetadataPatchBody,
  RegisterBody,
  WalletAddressText,
  WalletQuery,
  WalletResponse,
  WalletsResponse
} from "@countersign/adapters/wire"
import { described } from "@countersign/core/primitives"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { errorSchemas } from "../errors/index.ts"
import { BoundedJson, IdempotentPost, ProjectAuth } from "../middleware/definitions.ts"

const walletPath = Schema.Struct({ walletAddress: WalletAddressText.pipe(described("Address of the wallet")) })

export class WalletsApi extends HttpApiGroup.make("wallets")
  .add(
    HttpApiEndpoint.post("register", "/register", {
      payload: RegisterBody,
      success: WalletResponse.pipe(HttpApiSchema.status(201)),
      error: errorSchemas(
        "FACTORY_NOT_SUPPORTED",
        "WALLET_ALREADY_REGISTERED",
        "BAD_REQUEST",
        "FORBIDDEN_SCOPE",
        "UNSUPPORTED_MEDIA_TYPE"
      )
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Register an owner's smart wallet with the project",
        description:
          "Nothing goes on chain: the wallet's first operation deploys it. Each `salt` gives another wallet of the owner, and a wallet is registered once."
      })
    )
  )
  .middleware(IdempotentPost)
  .add(
    HttpApiEndpoint.patch("replaceMetadata", "/:walletAddress/metadata", {
      params: walletPath,
      payload: MetadataPatchBody,
      success: WalletResponse,
      error: errorSchemas(
        "ACCOUNT_ABSTRACTION_ADDRESS_NOT_REGISTERED_WITH_PROJECT",
        "FORBIDDEN_SCOPE",
        "UNSUPPORTED_MEDIA_TYPE"
      )
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Replace the metadata of a wallet",
        description: "All pairs that it had are gone."
      })
    )
  )
  .middleware(BoundedJson)
  .add(
    HttpApiEndpoint.get("address", "/address", {
      query: WalletQuery,
      success: WalletResponse,
      error: errorSchemas(
        "FACTORY_NOT_SUPPORTED",
        "UNAVAILABLE_COMPUTE_UNITS",
        "PROJECT_NOT_FOUND",
        "BAD_REQUEST",
        "FORBIDDEN_SCOPE"
      )
    }).annotateMerge(
      OpenApi.annotations({
        summary: "The smart wallet of an owner, registered or not",
        description: "Computes its address. `registeredAt` is null where the project has not registered it."
      })
    ),
    HttpApiEndpoint.get("list", "/", {
      success: WalletsResponse,
      error: errorSchemas("UNAVAILABLE_COMPUTE_UNITS", "FORBIDDEN_SCOPE")
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Every wallet of the project",
        description: "`deployed` is what was last seen of each; GET /api/v1/wallets/{walletAddress} asks the chains."
      })
    ),
    HttpApiEndpoint.get("factories", "/factories", {
      success: FactoriesResponse,
      error: errorSchemas("UNAVAILABLE_COMPUTE_UNITS", "FORBIDDEN_SCOPE")
    }).annotateMerge(
      OpenApi.annotations({
        summary: "The supported account factories",
        description: "The account kinds that a wallet can be of."
      })
    ),
    HttpApiEndpoint.get("show", "/:walletAddress", {
      params: walletPath,
      success: WalletResponse,
      error: errorSchemas(
        "UNAVAILABLE_COMPUTE_UNITS",
        "ACCOUNT_ABSTRACTION_ADDRESS_NOT_REGISTERED_WITH_PROJECT",
        "FORBIDDEN_SCOPE"
      )
    }).annotateMerge(
      OpenApi.annotations({ summary: "A registered wallet", description: "The chains are asked where it is deployed." })
    ),
    HttpApiEndpoint.get("history", "/:walletAddress/history", {
      params: walletPath,
      query: HistoryQuery,
      success: HistoryResponse,
      error: errorSchemas(
        "UNAVAILABLE_COMPUTE_UNITS",
        "ACCOUNT_ABSTRACTION_ADDRESS_NOT_REGISTERED_WITH_PROJECT",
        "BAD_REQUEST",
        "FORBIDDEN_SCOPE"
      )
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Transactions of a wallet, newest first, pending ones included",
        description: "One page. `lastId` takes `nextLastId` of the page before it."
      })
    )
  )
  .middleware(ProjectAuth)
  .prefix("/api/v1/wallets")
  .annotateMerge(
    OpenApi.annotations({ title: "Wallets", description: "Smart wallets of the project and their history" })
  ) {}
