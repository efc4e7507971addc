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
import { gas, POSITION, USDC, WALLET, WETH } from "./exampleValues.ts"
import { quoteLinks } from "./links.ts"
import { poolReads } from "./pools.ts"

const commonErrors = [
  "NOT_AUTHORIZED_TOKENS",
  "ACCOUNT_ABSTRACTION_ADDRESS_NOT_REGISTERED_WITH_PROJECT",
  "INDIVIDUAL_VERIFICATION_REQUIRED",
  "UNPAID_GAS_LIMIT"
] as const

const SIGN = "Sign every element of `signData`, then execute by `quoteId`."

const create = endpoint({
  id: "liquidity.create",
  method: "POST",
  path: "/api/v1/liquidity",
  summary: "Create a position",
  description:
    "Returns a quote for a new Uniswap V3 position from one token or from the native token. The operation first swaps the amount to " +
    "the ratio that the range needs. Prices are in `token1` per `token0`, and are rounded outward to " +
    `ticks, so that the position covers the requested range. If the pool does not exist, the operation creates it. ${SIGN}`,
  payload: CreateLiquidityRequest,
  success: LiquidityCreateResponse,
  responses: "operation",
  errors: [...commonErrors, "UPSTREAM_UNAVAILABLE"],
  scope: "quote",
  cost: "quote",
  weightOf: () => 1,
  example: {
    body: {
      walletAddress: WALLET,
      toAddress: WALLET,
      chainId: 1,
      tokenIn: USDC,
      amountIn: "1000",
      token0: WETH,
      token1: USDC,
      poolFeePercent: 0.3,
      minPrice: 2500,
      maxPrice: 3600,
      ...gas
    }
  },
  links: quoteLinks("/operation"),
  run: Effect.fnUntraced(function* ({ payload, project }) {
    const quote = yield* (yield* Liquidity).create(project, payload)
    return { operation: liquidityCreateBody(yield* LinkBase, quote) }
  })
})

const add = endpoint({
  id: "liquidity.add",
  method: "POST",
  path: "/api/v1/liquidity/add",
  summary: "Add to a position",
  description: `Returns a quote that adds liquidity to a position of the wallet from one token. \`minPrice\` and \`maxPrice\` are the prices of the position's range. ${SIGN}`,
  payload: AddLiquidityRequest,
  success: LiquidityAddResponse,
  responses: "operation",
  errors: [...commonErrors, "UPSTREAM_UNAVAILABLE"],
  scope: "quote",
  cost: "quote",
  weightOf: () => 1,
  example: {
    body: {
      walletAddress: WALLET,
      chainId: 1,
      tokenId: POSITION,
      tokenIn: USDC,
      amountIn: "100",
      minPrice: 2500,
      maxPrice: 3600,
      ...gas
    }
  },
  links: quoteLinks("/operation"),
  run: Effect.fnUntraced(function* ({ payload, project }) {
    const quote = yield* (yield* Liquidity).add(project, payload)
    return { operation: liquidityAddBody(yield* LinkBase, quote) }
  })
})

const withdraw = endpoint({
  id: "liquidity.withdraw",
  method: "POST",
  path: "/api/v1/liquidity/withdraw",
  summary: "Withdraw from a position",
  description:
    "Returns a quote that withdraws a share of a position and all of its earned fees, as one token. The project's fees are deducted " +
    `from the actual amount; \`toAddress\` receives the remainder. If no liquidity remains, the NFT is burned. ${SIGN}`,
  payload: WithdrawLiquidityRequest,
  success: LiquidityWithdrawResponse,
  responses: "operation",
  errors: [...commonErrors, "UPSTREAM_UNAVAILABLE"],
  scope: "quote",
  cost: "quote",
  weightOf: () => 1,
  example: {
    body: {
      walletAddress: WALLET,
      toAddress: WALLET,
      chainId: 1,
      tokenId: POSITION,
      tokenOut: USDC,
      percentage: 50,
      payGasFeeToken: USDC
    }
  },
  links: quoteLinks("/operation"),
  run: Effect.fnUntraced(function* ({ payload, project }) {
    return { operation: liquidityWithdrawBody(yield* (yield* Liquidity).withdraw(project, payload)) }
  })
})

const rebalance = endpoint({
  id: "liquidity.rebalance",
  method: "POST",
  path: "/api/v1/liquidity/rebalance",
  summary: "Rebalance a position",
  description:
    "Returns a quote for one operation that withdraws everything from a position, swaps it to the ratio that the new range needs and " +
    `creates a new position. The old NFT is burned. In the history, transactions of both positions have the same \`positionId\` in their metadata. ${SIGN}`,
  payload: RebalanceLiquidityRequest,
  success: LiquidityRebalanceResponse,
  responses: "operation",
  errors: [...commonErrors, "BLOCKCHAIN_ERROR"],
  scope: "quote",
  cost: "quote",
  weightOf: () => 1,
  example: {
    body: {
      walletAddress: WALLET,
      toAddress: WALLET,
      chainId: 1,
      tokenId: POSITION,
      newPosition: { minPrice: 0.0003, maxPrice: 0.0004 },
      payGasFeeToken: USDC
    }
  },
  links: quoteLinks("/operation"),
  run: Effect.fnUntraced(function* ({ payload, project }) {
    return { operation: liquidityRebalanceBody(yield* (yield* Liquidity).rebalance(project, payload)) }
  })
})

export const liquidity = { create, add, withdraw, rebalance, ...poolReads }
