import { withDescription } from "@countersign/core/foundation/primitives"
import { LiquidityPools, LiquidityPositions } from "@countersign/core/trading/pools"
import { Effect, Schema } from "effect"
import {
  Explorers,
  LinkBase,
  PoolQuery,
  PoolResponse,
  PoolsQuery,
  PoolsResponse,
  PositionPath,
  PositionResponse,
  poolBody,
  poolSearchOf,
  poolsBody,
  positionBody
} from "../wire/index.ts"
import { endpoint } from "./Endpoint.ts"
import { POOL, USDC, WETH } from "./exampleValues.ts"

const pool = endpoint({
  id: "liquidity.pool",
  method: "GET",
  path: "/api/v1/liquidity/pools/:id",
  summary: "Get a pool and its statistics",
  description:
    "After the first request for a pool, the service indexes the pool's events, from the latest block backwards. Statistics for a time range are null " +
    "until the range is indexed; `stats.indexedFrom` is the time since which events are indexed.",
  params: { id: Schema.String.pipe(withDescription("`id` of a pool: chain id, hyphen, address")) },
  query: PoolQuery,
  success: PoolResponse,
  responses: "pool",
  errors: ["LIQUIDITY_POOL_NOT_FOUND", "UPSTREAM_UNAVAILABLE"],
  scope: "read",
  cost: "read",
  example: { parameters: { id: POOL, rangeInDays: 7 } },
  run: Effect.fnUntraced(function* ({ params, query }) {
    const pool = yield* (yield* LiquidityPools).show({ id: params.id, rangeInDays: query.rangeInDays })
    return { pool: poolBody(yield* LinkBase, yield* Explorers, pool) }
  })
})

const pools = endpoint({
  id: "liquidity.pools",
  method: "GET",
  path: "/api/v1/liquidity/pools",
  summary: "List the pools of a chain, by tokens and fee",
  description:
    "Returns pools of listed tokens, sorted by value, highest first. Statistics are null for pools that were never requested by their id. " +
    "A search that does not specify both tokens costs as much as a quote, and may omit pools that were created in the last ten minutes.",
  query: PoolsQuery,
  success: PoolsResponse,
  responses: "pools",
  errors: ["NOT_AUTHORIZED_TOKENS", "UPSTREAM_UNAVAILABLE"],
  scope: "read",
  cost: "read",
  // If a token is missing, the search can cover thousands of possible pools.
  costOf: ({ query }) => (query.token0 === undefined || query.token1 === undefined ? "quote" : "read"),
  example: { parameters: { chainId: 1, token0: USDC, token1: WETH, fee: 0.05, take: 10 } },
  run: Effect.fnUntraced(function* ({ query }) {
    const page = yield* (yield* LiquidityPools).search(poolSearchOf(query))
    return poolsBody(yield* LinkBase, yield* Explorers, page)
  })
})

const position = endpoint({
  id: "liquidity.position",
  method: "GET",
  path: "/api/v1/liquidity/positions/:chainId/:tokenId",
  summary: "Get a position, its range and its earnings",
  description:
    "The position may belong to any address. The fees are the exact amounts that `collect` would pay at `blockNumber`.",
  params: PositionPath,
  success: PositionResponse,
  responses: "position",
  errors: ["NOT_AUTHORIZED_TOKENS", "LIQUIDITY_POSITION_NOT_FOUND", "UPSTREAM_UNAVAILABLE"],
  scope: "read",
  cost: "read",
  example: { parameters: { chainId: 1, tokenId: "1" } },
  run: Effect.fnUntraced(function* ({ params }) {
    return {
      position: positionBody(yield* LinkBase, yield* Explorers, yield* (yield* LiquidityPositions).show(params))
    }
  })
})

export const poolReads = { pool, pools, position }
