import { ChainsResponse, ProvidersResponse, TokensQuery, TokensResponse } from "@countersign/adapters/wire"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { errorSchemas } from "../errors/index.ts"
import { ProjectAuth } from "../middleware/definitions.ts"

export class CatalogApi extends HttpApiGroup.make("catalog")
  .add(
    HttpApiEndpoint.get("chains", "/chains", {
      success: ChainsResponse,
      error: errorSchemas("UNAVAILABLE_COMPUTE_UNITS", "FORBIDDEN_SCOPE")
    }).annotateMerge(
      OpenApi.annotations({
        summary: "The supported chains",
        description: "Whether a chain has a node, the operator decides."
      })
    ),
    HttpApiEndpoint.get("providers", "/providers", {
      success: ProvidersResponse,
      error: errorSchemas("UNAVAILABLE_COMPUTE_UNITS", "FORBIDDEN_SCOPE")
    }).annotateMerge(
      OpenApi.annotations({
        summary: "The providers of swaps, and how they do",
        description: "What this process has seen of each lately. A provider that is slower than usual is asked twice."
      })
    ),
    HttpApiEndpoint.get("tokens", "/tokens", {
      query: TokensQuery,
      success: TokensResponse,
      error: errorSchemas("UNAVAILABLE_COMPUTE_UNITS", "FORBIDDEN_SCOPE")
    }).annotateMerge(
      OpenApi.annotations({
        summary: "The supported tokens, by text and chain",
        description: "A page of them. Only listed tokens can be swapped, sent and used for gas."
      })
    )
  )
  .middleware(ProjectAuth)
  .prefix("/api/v1/crypto")
  .annotateMerge(
    OpenApi.annotations({ title: "Catalogues", description: "Supported chains, tokens and providers of swaps" })
  ) {}
