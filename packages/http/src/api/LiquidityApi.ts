import {
  LiquidityAddResponse,
  LiquidityCreateResponse,
  LiquidityRebalanceResponse,
  LiquidityWithdrawResponse
} from "@countersign/adapters/wire"
import {
  AddLiquidityRequest,
  CreateLiquidityRequest,
  RebalanceLiquidityRequest,
  WithdrawLiquidityRequest
} from "@countersign/core/liquidity"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { errorSchemas } from "../errors/index.ts"
import { BoundedJson, IdempotentPost, ProjectAuth } from "../middleware/definitions.ts"

const commonErrors = [
  "NOT_AUTHORIZED_TOKENS",
  "UNAVAILABLE_COMPUTE_UNITS",
  "ACCOUNT_ABSTRACTION_ADDRESS_NOT_REGISTERED_WITH_PROJECT",
  "INDIVIDUAL_VERIFICATION_REQUIRED",
  "BAD_REQUEST",
  "UNPAID_GAS_LIMIT",
  "FORBIDDEN_SCOPE",
  "UNSUPPORTED_MEDIA_TYPE"
] as const

const SIGN = "Sign what `signData` asks for, then execute by `userOperationHash`."

export class LiquidityApi extends HttpApiGroup.make("liquidity")
  .add(
    HttpApiEndpoint.post("create", "/", {
      payload: CreateLiquidityRequest,
      success: LiquidityCreateResponse,
      error: errorSchemas(...commonErrors, "UPSTREAM_UNAVAILABLE")
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Create a position",
        description:
          "A new position of Uniswap V3 from one token, or from the chain's coin: what is not a token of the pool, or too " +
          "much of one, is swapped on the way, so that all of it earns. Prices are whole tokens of `token1` for one whole " +
          `\`token0\`, and are rounded to ticks that keep the asked range inside. A pool that does not exist is made. ${SIGN}`
      })
    )
  )
  .add(
    HttpApiEndpoint.post("add", "/add", {
      payload: AddLiquidityRequest,
      success: LiquidityAddResponse,
      error: errorSchemas(...commonErrors, "UPSTREAM_UNAVAILABLE")
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Add to a position",
        description: `More for a position of the wallet, from one token. minPrice and maxPrice are those of the position itself. ${SIGN}`
      })
    )
  )
  .add(
    HttpApiEndpoint.post("withdraw", "/withdraw", {
      payload: WithdrawLiquidityRequest,
      success: LiquidityWithdrawResponse,
      error: errorSchemas(...commonErrors, "UPSTREAM_UNAVAILABLE")
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Withdraw from a position",
        description:
          "A share of a position and all fees that it has earned, as one token. The fees of the project are taken of what " +
          `really comes out; the rest is sent to toAddress. A position that is emptied is burned. ${SIGN}`
      })
    )
  )
  .add(
    HttpApiEndpoint.post("rebalance", "/rebalance", {
      payload: RebalanceLiquidityRequest,
      success: LiquidityRebalanceResponse,
      error: errorSchemas(...commonErrors, "BLOCKCHAIN_ERROR")
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Rebalance a position",
        description:
          "Everything out of a position, swapped as the new range needs it, and into a new NFT: one operation. The old NFT is " +
          `burned; history keeps the two together by \`positionId\` in the metadata. ${SIGN}`
      })
    )
  )
  .middleware(IdempotentPost)
  .middleware(BoundedJson)
  .middleware(ProjectAuth)
  .prefix("/api/v1/liquidity")
  .annotateMerge(OpenApi.annotations({ title: "Liquidity", description: "Positions in pools of Uniswap V3" })) {}
