import { decimalFromBaseUnits } from "@countersign/core/foundation/primitives"
import { sqrtPriceX96AtTick } from "@countersign/core/trading/liquidity"
import { type LiquidityPosition, poolId, priceRoundingDown, usdTextOrNull } from "@countersign/core/trading/pools"
import { DateTime } from "effect"
import { type BaseUrl, chainBody, type ExplorerOf, tokenBody } from "./links.ts"
import { pipsToPercent, v3ProviderBody } from "./poolTranslation.ts"
import type { LiquidityPositionBody } from "./positions.ts"

const sideBody = (base: BaseUrl, { earned, position, tokens }: LiquidityPosition, i: 0 | 1) => {
  const token = tokens[i]
  const { chainId: _, logoURL, ...fields } = tokenBody(base, token)
  const amountField = i === 0 ? "amount0" : "amount1"
  return {
    ...fields,
    logo: logoURL,
    amount: decimalFromBaseUnits(position.amounts[amountField], token.decimals),
    unclaimedFees: decimalFromBaseUnits(position.unclaimed[amountField], token.decimals),
    earnedFees: earned === null ? null : decimalFromBaseUnits(earned[amountField], token.decimals)
  }
}

export const positionBody = (
  base: BaseUrl,
  explorerOf: ExplorerOf,
  view: LiquidityPosition
): typeof LiquidityPositionBody.Type => {
  const { position, tokens } = view
  const { chainId, manager, pool, range, tokenId } = position
  const priceOf = (sqrtPriceX96: bigint) => priceRoundingDown(sqrtPriceX96, tokens[0].decimals, tokens[1].decimals)
  return {
    provider: v3ProviderBody(base, `${explorerOf(chainId).url}/nft/${manager}/${tokenId}`),
    chain: chainBody(base, chainId),
    tokenId: String(tokenId),
    nftAddress: manager,
    owner: position.owner,
    pool: { id: poolId({ chainId, address: pool.address }), address: pool.address, fee: pipsToPercent(pool.feePips) },
    range: {
      minPrice: priceOf(sqrtPriceX96AtTick(range.tickLower)),
      maxPrice: priceOf(sqrtPriceX96AtTick(range.tickUpper)),
      ...range
    },
    inRange: view.isInRange,
    currentPrice: priceOf(pool.sqrtPriceX96),
    currentTick: pool.tick,
    liquidity: String(position.liquidity),
    tokens: [sideBody(base, view, 0), sideBody(base, view, 1)],
    valueUSD: usdTextOrNull(view.valueUsdE6),
    unclaimedFeesUSD: usdTextOrNull(view.unclaimedUsdE6),
    earnedFeesUSD: usdTextOrNull(view.earnedUsdE6),
    createdAt: view.since === null ? null : DateTime.formatIso(DateTime.makeUnsafe(view.since * 1_000)),
    apr: view.apr,
    estimatedApr: view.estimatedApr,
    blockNumber: Number(position.blockNumber)
  }
}
