import type { Address } from "@countersign/core/foundation/primitives"
import type { Token } from "@countersign/core/foundation/tokens"
import {
  amountsForLiquidityRoundingUp,
  type BestDepositSplit,
  type Deposit,
  LiquidityRefusal,
  type MarketError,
  type PositionPool
} from "@countersign/core/trading/liquidity"
import type { Path } from "@countersign/core/trading/routing"
import { Effect } from "effect"
import { deploymentOf, pooledToken } from "../../chains/deployments/index.ts"
import type { PoolReader } from "../pools/index.ts"
import { depositCalls } from "./depositCalls.ts"
import { type PositionIdentity, rangePrices } from "./positionState.ts"
import { ownPool, pathFor, type Snapshot } from "./Snapshot.ts"
import { impactOf, type SwappedSplit, splitAmount, type TokenPath, type TokenPaths } from "./splitAmount.ts"

export type BestSwappedSplit = BestDepositSplit<SwappedSplit>

/**
 * Returns how much of a split the position manager deposits, the pool price for which this is computed, and the
 * leftovers.
 */
export const depositedPosition = ({ division, liquidity }: BestSwappedSplit, range: PositionIdentity["range"]) => {
  const amounts = amountsForLiquidityRoundingUp(division.sqrtPriceX96, rangePrices(range), liquidity)
  return {
    sqrtPriceX96: division.sqrtPriceX96,
    amounts,
    leftovers: {
      amount0: division.amounts.amount0 - amounts.amount0,
      amount1: division.amounts.amount1 - amounts.amount1
    }
  }
}

/**
 * Returns the path through the position's own pool, from one of its tokens to the other; null while the pool has no
 * price.
 */
export const ownPath = (snapshot: Snapshot, from: Address): Path | null => {
  const pool = ownPool(snapshot)
  return pool === undefined ? null : [{ pool, zeroForOne: snapshot.ownKey.token0 === from }]
}

/** Returns the split with the most liquidity; the first one if several are equal. */
export const mostLiquidSplit = (divisions: ReadonlyArray<BestSwappedSplit | null>): BestSwappedSplit | null =>
  divisions.reduce(
    (best, each) => (each !== null && (best === null || each.liquidity > best.liquidity) ? each : best),
    null
  )

export interface DepositRequest {
  readonly snapshot: Snapshot
  readonly identity: PositionIdentity
  /** State of the pool before the deposit. */
  readonly pool: PositionPool
  readonly tokenIn: Token
  readonly amountIn: bigint
  /** Id of the NFT to add liquidity to; null to mint a new NFT. */
  readonly tokenId: bigint | null
  /** Initial price of a new pool; null if the pool is already initialized. */
  readonly startSqrtPriceX96: bigint | null
}

const NOTHING = { amount0: 0n, amount1: 0n }

/** Returns half of the amount, rounded up: the first estimate of the amount to swap. */
const halfOf = (amount: bigint): bigint => (amount + 1n) / 2n

/**
 * Finds the split with the most liquidity. For one of the position's tokens, it compares a swap through the position's
 * own pool with a swap through the pools with the highest output. Any other token is swapped for both tokens.
 */
const search = Effect.fnUntraced(function* ({ amountIn, identity, pool, snapshot, tokenIn }: DepositRequest) {
  const token = pooledToken(tokenIn.address, deploymentOf(snapshot.chainId))
  const { token0, token1 } = identity.key
  const start = { heldAmounts: NOTHING, sqrtPriceX96: pool.sqrtPriceX96 }
  const attempt = (tokenPaths: TokenPaths) =>
    splitAmount(snapshot, tokenPaths, amountIn, rangePrices(identity.range), start)
  if (token !== token0 && token !== token1) {
    const halfAmount = halfOf(amountIn)
    const to0 = pathFor(snapshot, token, token0, halfAmount)
    return yield* attempt({ to0, to1: pathFor(snapshot, token, token1, halfAmount) })
  }
  const otherToken = token === token0 ? token1 : token0
  const tokenPathsBy = (tokenPath: TokenPath): TokenPaths =>
    token === token0 ? { to0: "HELD", to1: tokenPath } : { to0: tokenPath, to1: "HELD" }
  const ownPoolSplit = yield* attempt(tokenPathsBy(ownPath(snapshot, token)))
  const swappedAmount =
    ownPoolSplit === null ? 0n : token === token0 ? ownPoolSplit.forToken1 : amountIn - ownPoolSplit.forToken1
  const path = pathFor(snapshot, token, otherToken, swappedAmount === 0n ? halfOf(amountIn) : swappedAmount)
  return mostLiquidSplit([ownPoolSplit, path === null ? null : yield* attempt(tokenPathsBy(path))])
})

const depositRefusal = (tokenIn: Token, candidate: BestSwappedSplit | null): LiquidityRefusal =>
  candidate === null
    ? new LiquidityRefusal({
        about: "ROUTE",
        reason: `Uniswap V3 has no route from ${tokenIn.symbol} to the tokens of the position for this amount. Use another tokenIn, or change the amount.`
      })
    : new LiquidityRefusal({
        about: "AMOUNT",
        reason: "The amount is too small to provide liquidity in this range."
      })

/** Plans a deposit of one token into a price range. */
export const depositOf = Effect.fnUntraced(function* (
  request: DepositRequest
): Effect.fn.Return<Deposit, MarketError, PoolReader> {
  const { amountIn, identity, pool, snapshot, startSqrtPriceX96, tokenId, tokenIn } = request
  const bestCandidate = yield* search(request)
  if (bestCandidate === null || bestCandidate.liquidity === 0n) return yield* depositRefusal(tokenIn, bestCandidate)
  const { division, forToken1, liquidity } = bestCandidate
  const swappedAmount = division.parts.reduce((sum, { part }) => sum + part.amountIn, 0n)
  return {
    pool,
    range: identity.range,
    ...depositedPosition(bestCandidate, identity.range),
    liquidity,
    priceImpactE18: impactOf(division),
    forToken0: amountIn - forToken1,
    forToken1,
    buildCalls: (terms) =>
      depositCalls(
        {
          deployment: deploymentOf(snapshot.chainId),
          keys: snapshot.keys,
          identity,
          prices: rangePrices(identity.range),
          tokenIn,
          amountIn,
          unswappedAmount: amountIn - swappedAmount,
          division,
          tokenId,
          startSqrtPriceX96
        },
        terms
      )
  }
})
