import {
  AddLiquidityRequest,
  CreateLiquidityRequest,
  Liquidity,
  RebalanceLiquidityRequest,
  WithdrawLiquidityRequest
} from "@countersign/core/liquidity"
import { LiquidityPools, LiquidityPositions } from "@countersign/core/pools"
import { type ProjectId, Projects } from "@countersign/core/projects"
import { Effect, Schema } from "effect"
import { LinkBase } from "../presenters/index.ts"
import {
  Explorers,
  LiquidityAddResponse,
  LiquidityCreateResponse,
  LiquidityRebalanceResponse,
  LiquidityWithdrawResponse,
  liquidityAddBody,
  liquidityCreateBody,
  liquidityRebalanceBody,
  liquidityWithdrawBody,
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
import type { CallOptions } from "./preparing.ts"
import { answerOf, bodyOf, type QueryInput, queryOf } from "./requests.ts"
import type { Run } from "./session.ts"

const createRequest = bodyOf(CreateLiquidityRequest)
const addRequest = bodyOf(AddLiquidityRequest)
const withdrawRequest = bodyOf(WithdrawLiquidityRequest)
const rebalanceRequest = bodyOf(RebalanceLiquidityRequest)
const createAnswer = answerOf(LiquidityCreateResponse)
const addAnswer = answerOf(LiquidityAddResponse)
const withdrawAnswer = answerOf(LiquidityWithdrawResponse)
const rebalanceAnswer = answerOf(LiquidityRebalanceResponse)
const poolId = bodyOf(Schema.String)
const poolQuery = queryOf(PoolQuery)
const poolsQuery = queryOf(PoolsQuery)
const positionPath = queryOf(PositionPath)
const poolAnswer = answerOf(PoolResponse)
const poolsAnswer = answerOf(PoolsResponse)
const positionAnswer = answerOf(PositionResponse)

/** Operations on positions that a wallet's owner may sign, pools and positions. */
export const liquidityOf = (run: Run, id: ProjectId) => {
  const project = Projects.use((projects) => projects.get(id))
  return {
    liquidity: {
      /** A new position. As `POST /api/v1/liquidity`. */
      create: (body: typeof CreateLiquidityRequest.Encoded, { signal }: CallOptions = {}) =>
        run(
          Effect.gen(function* () {
            const request = yield* createRequest(body)
            const quoted = yield* (yield* Liquidity).create(yield* project, request)
            return yield* createAnswer({ operation: liquidityCreateBody(yield* LinkBase, quoted) })
          }),
          signal
        ),
      /** More for a position. As `POST /api/v1/liquidity/add`. */
      add: (body: typeof AddLiquidityRequest.Encoded, { signal }: CallOptions = {}) =>
        run(
          Effect.gen(function* () {
            const request = yield* addRequest(body)
            const quoted = yield* (yield* Liquidity).add(yield* project, request)
            return yield* addAnswer({ operation: liquidityAddBody(yield* LinkBase, quoted) })
          }),
          signal
        ),
      /** A share of a position as one token. As `POST /api/v1/liquidity/withdraw`. */
      withdraw: (body: typeof WithdrawLiquidityRequest.Encoded, { signal }: CallOptions = {}) =>
        run(
          Effect.gen(function* () {
            const request = yield* withdrawRequest(body)
            const quoted = yield* (yield* Liquidity).withdraw(yield* project, request)
            return yield* withdrawAnswer({ operation: liquidityWithdrawBody(quoted) })
          }),
          signal
        ),
      /** A position in another range. As `POST /api/v1/liquidity/rebalance`. */
      rebalance: (body: typeof RebalanceLiquidityRequest.Encoded, { signal }: CallOptions = {}) =>
        run(
          Effect.gen(function* () {
            const request = yield* rebalanceRequest(body)
            const quoted = yield* (yield* Liquidity).rebalance(yield* project, request)
            return yield* rebalanceAnswer({ operation: liquidityRebalanceBody(quoted) })
          }),
          signal
        ),
      /** A page of the pools of a chain, the most valuable first. As `GET /api/v1/liquidity/pools`. */
      pools: (query: QueryInput<typeof PoolsQuery>, { signal }: CallOptions = {}) =>
        run(
          Effect.gen(function* () {
            const page = yield* (yield* LiquidityPools).search(poolSearchOf(yield* poolsQuery(query)))
            return yield* poolsAnswer(poolsBody(yield* LinkBase, yield* Explorers, page))
          }),
          signal
        ),
      /** A pool by its id, chain id, hyphen, address, and what happened in it. As `GET /api/v1/liquidity/pools/:id`. */
      pool: (id: string, query: QueryInput<typeof PoolQuery> = {}, { signal }: CallOptions = {}) =>
        run(
          Effect.gen(function* () {
            const { rangeInDays } = yield* poolQuery(query)
            const pool = yield* (yield* LiquidityPools).show({ id: yield* poolId(id), rangeInDays })
            return yield* poolAnswer({ pool: poolBody(yield* LinkBase, yield* Explorers, pool) })
          }),
          signal
        ),
      /** A position by its NFT. As `GET /api/v1/liquidity/positions/:chainId/:tokenId`. */
      position: (chainId: number, tokenId: string, { signal }: CallOptions = {}) =>
        run(
          Effect.gen(function* () {
            const position = yield* (yield* LiquidityPositions).show(yield* positionPath({ chainId, tokenId }))
            return yield* positionAnswer({ position: positionBody(yield* LinkBase, yield* Explorers, position) })
          }),
          signal
        )
    }
  }
}
