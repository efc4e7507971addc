import type {
  AddLiquidityRequest,
  CreateLiquidityRequest,
  RebalanceLiquidityRequest,
  WithdrawLiquidityRequest
} from "@countersign/core/liquidity"
import { endpoints, type TextInput } from "../endpoints/index.ts"
import type { CallEndpoint, CallOptions } from "./requests.ts"

/** Operations on positions that a wallet's owner may sign, pools and positions. */
export const liquidityOf = (call: CallEndpoint) => {
  const create = call(endpoints.liquidityCreate)
  const add = call(endpoints.liquidityAdd)
  const withdraw = call(endpoints.liquidityWithdraw)
  const rebalance = call(endpoints.liquidityRebalance)
  const searchPools = call(endpoints.poolSearch)
  const showPool = call(endpoints.poolShow)
  const showPosition = call(endpoints.positionShow)
  return {
    liquidity: {
      /** A new position. As `POST /api/v1/liquidity`. */
      create: (body: typeof CreateLiquidityRequest.Encoded, options?: CallOptions) =>
        create({ payload: body }, options),
      /** More for a position. As `POST /api/v1/liquidity/add`. */
      add: (body: typeof AddLiquidityRequest.Encoded, options?: CallOptions) => add({ payload: body }, options),
      /** A share of a position as one token. As `POST /api/v1/liquidity/withdraw`. */
      withdraw: (body: typeof WithdrawLiquidityRequest.Encoded, options?: CallOptions) =>
        withdraw({ payload: body }, options),
      /** A position in another range. As `POST /api/v1/liquidity/rebalance`. */
      rebalance: (body: typeof RebalanceLiquidityRequest.Encoded, options?: CallOptions) =>
        rebalance({ payload: body }, options),
      /** A page of the pools of a chain, the most valuable first. As `GET /api/v1/liquidity/pools`. */
      pools: (query: TextInput<NonNullable<typeof endpoints.poolSearch.query>>, options?: CallOptions) =>
        searchPools({ query }, options),
      /** A pool by its id, chain id, hyphen, address, and what happened in it. As `GET /api/v1/liquidity/pools/:id`. */
      pool: (id: string, query: TextInput<NonNullable<typeof endpoints.poolShow.query>> = {}, options?: CallOptions) =>
        showPool({ params: { id }, query }, options),
      /** A position by its NFT. As `GET /api/v1/liquidity/positions/:chainId/:tokenId`. */
      position: (chainId: number, tokenId: string, options?: CallOptions) =>
        showPosition({ params: { chainId, tokenId } }, options)
    }
  }
}
