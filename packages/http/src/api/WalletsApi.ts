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
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { errorSchemas } from "../errors/index.ts"
import { BoundedJson, IdempotentPost, ProjectAuth } from "../middleware/definitions.ts"

const walletPath = Schema.Struct({ walletAddress: WalletAddressText })

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
    }).annotateMerge(OpenApi.annotations({ summary: "Register an owner's smart wallet with the project" }))
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
    }).annotateMerge(OpenApi.annotations({ summary: "Replace the metadata of a wallet" }))
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
    }).annotateMerge(OpenApi.annotations({ summary: "The smart wallet of an owner, registered or not" })),
    HttpApiEndpoint.get("list", "/", {
      success: WalletsResponse,
      error: errorSchemas("UNAVAILABLE_COMPUTE_UNITS", "FORBIDDEN_SCOPE")
    }).annotateMerge(OpenApi.annotations({ summary: "Every wallet of the project" })),
    HttpApiEndpoint.get("factories", "/factories", {
      success: FactoriesResponse,
      error: errorSchemas("UNAVAILABLE_COMPUTE_UNITS", "FORBIDDEN_SCOPE")
    }).annotateMerge(OpenApi.annotations({ summary: "The supported account factories" })),
    HttpApiEndpoint.get("show", "/:walletAddress", {
      params: walletPath,
      success: WalletResponse,
      error: errorSchemas(
        "UNAVAILABLE_COMPUTE_UNITS",
        "ACCOUNT_ABSTRACTION_ADDRESS_NOT_REGISTERED_WITH_PROJECT",
        "FORBIDDEN_SCOPE"
      )
    }).annotateMerge(OpenApi.annotations({ summary: "A registered wallet" })),
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
    }).annotateMerge(OpenApi.annotations({ summary: "Transactions of a wallet, newest first, pending ones included" }))
  )
  .middleware(ProjectAuth)
  .prefix("/api/v1/wallets")
  .annotateMerge(OpenApi.annotations({ title: "Wallets" })) {}
