import {
  AddLiquidityRequest,
  CreateLiquidityRequest,
  Liquidity,
  RebalanceLiquidityRequest,
  WithdrawLiquidityRequest
} from "@countersign/core/liquidity"
import { type ProjectId, Projects } from "@countersign/core/projects"
import { Effect } from "effect"
import { LinkBase } from "../presenters/index.ts"
import {
  LiquidityAddResponse,
  LiquidityCreateResponse,
  LiquidityRebalanceResponse,
  LiquidityWithdrawResponse,
  liquidityAddBody,
  liquidityCreateBody,
  liquidityRebalanceBody,
  liquidityWithdrawBody
} from "../wire/index.ts"
import type { CallOptions } from "./preparing.ts"
import { answerOf, bodyOf } from "./requests.ts"
import type { Run } from "./session.ts"

const createRequest = bodyOf(CreateLiquidityRequest)
const addRequest = bodyOf(AddLiquidityRequest)
const withdrawRequest = bodyOf(WithdrawLiquidityRequest)
const rebalanceRequest = bodyOf(RebalanceLiquidityRequest)
const createAnswer = answerOf(LiquidityCreateResponse)
const addAnswer = answerOf(LiquidityAddResponse)
const withdrawAnswer = answerOf(LiquidityWithdrawResponse)
const rebalanceAnswer = answerOf(LiquidityRebalanceResponse)

/** Operations on positions that a wallet's owner may sign. */
export const positionsOf = (run: Run, id: ProjectId) => {
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
        )
    }
  }
}
