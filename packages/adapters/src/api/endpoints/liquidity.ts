import {
  AddLiquidityRequest,
  CreateLiquidityRequest,
  Liquidity,
  RebalanceLiquidityRequest,
  WithdrawLiquidityRequest
} from "@countersign/core/trading/liquidity"
import { Effect } from "effect"
import {
  LinkBase,
  LiquidityAddResponse,
  LiquidityCreateResponse,
  LiquidityRebalanceResponse,
  LiquidityWithdrawResponse,
  liquidityAddBody,
  liquidityCreateBody,
  liquidityRebalanceBody,
  liquidityWithdrawBody
} from "../wire/index.ts"
import { endpoint } from "./Endpoint.ts"

const commonErrors = [
  "NOT_AUTHORIZED_TOKENS",
  "ACCOUNT_ABSTRACTION_ADDRESS_NOT_REGISTERED_WITH_PROJECT",
  "INDIVIDUAL_VERIFICATION_REQUIRED",
  "UNPAID_GAS_LIMIT"
] as const

const SIGN = "Sign what `signData` asks for, then execute by `quoteId`."

export const liquidityCreate = endpoint({
  id: "liquidity.create",
  method: "POST",
  path: "/api/v1/liquidity",
  summary: "Create a position",
  description:
    "A new position of Uniswap V3 from one token, or from the chain's coin: what is not a token of the pool, or too " +
    "much of one, is swapped on the way, so that all of it earns. Prices are whole tokens of `token1` for one whole " +
    `\`token0\`, and are rounded to ticks that keep the asked range inside. A pool that does not exist is made. ${SIGN}`,
  payload: CreateLiquidityRequest,
  success: LiquidityCreateResponse,
  errors: [...commonErrors, "UPSTREAM_UNAVAILABLE"],
  scope: "quote",
  cost: "quote",
  effortOf: () => 1,
  run: Effect.fnUntraced(function* ({ payload, project }) {
    const quoted = yield* (yield* Liquidity).create(project, payload)
    return { operation: liquidityCreateBody(yield* LinkBase, quoted) }
  })
})

export const liquidityAdd = endpoint({
  id: "liquidity.add",
  method: "POST",
  path: "/api/v1/liquidity/add",
  summary: "Add to a position",
  description: `More for a position of the wallet, from one token. minPrice and maxPrice are those of the position itself. ${SIGN}`,
  payload: AddLiquidityRequest,
  success: LiquidityAddResponse,
  errors: [...commonErrors, "UPSTREAM_UNAVAILABLE"],
  scope: "quote",
  cost: "quote",
  effortOf: () => 1,
  run: Effect.fnUntraced(function* ({ payload, project }) {
    const quoted = yield* (yield* Liquidity).add(project, payload)
    return { operation: liquidityAddBody(yield* LinkBase, quoted) }
  })
})

export const liquidityWithdraw = endpoint({
  id: "liquidity.withdraw",
  method: "POST",
  path: "/api/v1/liquidity/withdraw",
  summary: "Withdraw from a position",
  description:
    "A share of a position and all fees that it has earned, as one token. The fees of the project are taken of what " +
    `really comes out; the rest is sent to toAddress. A position that is emptied is burned. ${SIGN}`,
  payload: WithdrawLiquidityRequest,
  success: LiquidityWithdrawResponse,
  errors: [...commonErrors, "UPSTREAM_UNAVAILABLE"],
  scope: "quote",
  cost: "quote",
  effortOf: () => 1,
  run: Effect.fnUntraced(function* ({ payload, project }) {
    return { operation: liquidityWithdrawBody(yield* (yield* Liquidity).withdraw(project, payload)) }
  })
})

export const liquidityRebalance = endpoint({
  id: "liquidity.rebalance",
  method: "POST",
  path: "/api/v1/liquidity/rebalance",
  summary: "Rebalance a position",
  description:
    "Everything out of a position, swapped as the new range needs it, and into a new NFT: one operation. The old NFT is " +
    `burned; history keeps the two together by \`positionId\` in the metadata. ${SIGN}`,
  payload: RebalanceLiquidityRequest,
  success: LiquidityRebalanceResponse,
  errors: [...commonErrors, "BLOCKCHAIN_ERROR"],
  scope: "quote",
  cost: "quote",
  effortOf: () => 1,
  run: Effect.fnUntraced(function* ({ payload, project }) {
    return { operation: liquidityRebalanceBody(yield* (yield* Liquidity).rebalance(project, payload)) }
  })
})
