import {
  PoolQuery,
  PoolResponse,
  PoolsQuery,
  PoolsResponse,
  PositionPath,
  PositionResponse
} from "@countersign/adapters/wire"
import { described } from "@countersign/core/primitives"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { errorSchemas } from "../errors/index.ts"
import { ProjectAuth } from "../middleware/definitions.ts"

export class PoolsApi extends HttpApiGroup.make("pools")
  .add(
    HttpApiEndpoint.get("show", "/pools/:id", {
      params: Schema.Struct({ id: Schema.String.pipe(described("`id` of a pool: chain id, hyphen, address")) }),
      query: PoolQuery,
      success: PoolResponse,
      error: errorSchemas(
        "BAD_REQUEST",
        "UNAVAILABLE_COMPUTE_UNITS",
        "FORBIDDEN_SCOPE",
        "LIQUIDITY_POOL_NOT_FOUND",
        "UPSTREAM_UNAVAILABLE"
      )
    }).annotateMerge(
      OpenApi.annotations({
        summary: "A pool, and what happened in it",
        description:
          "The first request for a pool begins to count its events, from now backwards. Until a range is counted, its figures " +
          "are null; `stats.indexedFrom` says how far that is."
      })
    ),
    HttpApiEndpoint.get("search", "/pools", {
      query: PoolsQuery,
      success: PoolsResponse,
      error: errorSchemas(
        "BAD_REQUEST",
        "NOT_AUTHORIZED_TOKENS",
        "UNAVAILABLE_COMPUTE_UNITS",
        "FORBIDDEN_SCOPE",
        "UPSTREAM_UNAVAILABLE"
      )
    }).annotateMerge(
      OpenApi.annotations({
        summary: "The pools of a chain, by tokens and fee",
        description:
          "Of listed tokens, the most valuable first. Statistics are those of pools that were asked for by their id; of others " +
          "they are null."
      })
    )
  )
  .add(
    HttpApiEndpoint.get("position", "/positions/:chainId/:tokenId", {
      params: Schema.Struct(PositionPath),
      success: PositionResponse,
      error: errorSchemas(
        "BAD_REQUEST",
        "NOT_AUTHORIZED_TOKENS",
        "UNAVAILABLE_COMPUTE_UNITS",
        "FORBIDDEN_SCOPE",
        "LIQUIDITY_POSITION_NOT_FOUND",
        "UPSTREAM_UNAVAILABLE"
      )
    }).annotateMerge(
      OpenApi.annotations({
        summary: "A position, its range and what it earns",
        description: "Of anybody: positions are public. Fees are to the unit what collecting would pay at the block."
      })
    )
  )
  .middleware(ProjectAuth)
  .prefix("/api/v1/liquidity")
  .annotateMerge(OpenApi.annotations({ title: "Pools", description: "Pools of Uniswap V3, and what they earn" })) {}
