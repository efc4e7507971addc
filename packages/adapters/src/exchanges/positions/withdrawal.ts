import { type Address, shareRoundingDown } from "@countersign/core/foundation/primitives"
import {
  amountsForLiquidityRoundingDown,
  LiquidityRefusal,
  type MarketError,
  type Withdrawal,
  type WithdrawRequest,
  withoutLiquidity
} from "@countersign/core/trading/liquidity"
import type { Path, RoutePart } from "@countersign/core/trading/routing"
import { minAmountOutRoundingDown } from "@countersign/core/trading/swap"
import { Effect } from "effect"
import { deploymentOf, pooledToken } from "../../chains/deployments/index.ts"
import type { PoolReader } from "../pools/index.ts"
import { deductPortions, remainderAfter } from "./portions.ts"
import { type PositionState, rangePrices } from "./positionState.ts"
import { changedSnapshot, pathFor, type Snapshot } from "./Snapshot.ts"
import { largestImpact, swapAll } from "./splitAmount.ts"
import { bySwapRouter, byUniversalRouter, type PlannedWithdrawal } from "./withdrawalCalls.ts"

/** Returns the pools after the position's liquidity is removed. */
export const snapshotWithout = (snapshot: Snapshot, state: PositionState, liquidity: bigint): Snapshot => {
  const { grossLower, grossUpper, position } = state
  const { range } = position
  return changedSnapshot(snapshot, (pool) =>
    withoutLiquidity(pool, range, liquidity, [
      { index: range.tickLower, liquidityGross: grossLower },
      { index: range.tickUpper, liquidityGross: grossUpper }
    ])
  )
}

export const requireUniversalRouter = ({ chainId }: Snapshot): Effect.Effect<void, LiquidityRefusal> =>
  deploymentOf(chainId).universalRouter === undefined
    ? Effect.fail(
        new LiquidityRefusal({
          about: "CHAIN",
          reason: `A rebalance in one operation needs Uniswap's Universal Router, which this chain does not have. Withdraw the position, and create another one.`
        })
      )
    : Effect.void

interface SoldToken {
  readonly token: Address
  readonly amount: bigint
  readonly path: Path | null
}

/** Whether an amount is too small to swap: it has no output, but a thousand times the amount has one. */
const isDust = (snapshot: Snapshot, { amount, path, token }: SoldToken, tokenOut: Address): boolean =>
  path === null && pathFor(snapshot, token, tokenOut, amount * 1_000n) !== null

const noRoute = (symbol: string): LiquidityRefusal =>
  new LiquidityRefusal({
    about: "ROUTE",
    reason: `Uniswap V3 has no route from the tokens of the position to ${symbol} for this amount. Use another tokenOut.`
  })

/** Plans the withdrawal of a share of a position as one token. */
export const withdrawalOf = Effect.fnUntraced(function* (
  snapshot: Snapshot,
  state: PositionState,
  { fees, isToOwner, share, slippagePercent, tokenOut }: WithdrawRequest
): Effect.fn.Return<Withdrawal, MarketError, PoolReader> {
  const { position } = state
  const { pool, range, unclaimed } = position
  const deployment = deploymentOf(snapshot.chainId)
  const liquidity = shareRoundingDown(position.liquidity, share)
  const removedAmounts = amountsForLiquidityRoundingDown(pool.sqrtPriceX96, rangePrices(range), liquidity)
  const collectedAmounts = {
    amount0: removedAmounts.amount0 + unclaimed.amount0,
    amount1: removedAmounts.amount1 + unclaimed.amount1
  }
  const snapshotAfter = snapshotWithout(snapshot, state, liquidity)
  const pooledTokenOut = pooledToken(tokenOut.address, deployment)
  const tokenAmounts = [
    { token: pool.token0, amount: collectedAmounts.amount0 },
    { token: pool.token1, amount: collectedAmounts.amount1 }
  ]
  const soldAmounts = tokenAmounts
    .filter(({ amount, token }) => token !== pooledTokenOut && amount > 0n)
    .map((each): SoldToken => ({ ...each, path: pathFor(snapshotAfter, each.token, pooledTokenOut, each.amount) }))
  if (soldAmounts.some((each) => each.path === null && !isDust(snapshotAfter, each, pooledTokenOut)))
    return yield* noRoute(tokenOut.symbol)
  const shares = soldAmounts.flatMap(({ amount, path }) => (path === null ? [] : [{ path, amountIn: amount }]))
  const outcome = yield* swapAll(snapshotAfter, shares)
  if (shares.length > 0 && outcome._tag !== "Swapped") return yield* noRoute(tokenOut.symbol)
  const hops = outcome._tag === "Swapped" ? outcome.hops : []
  const parts = shares.map(
    ({ amountIn }, i): RoutePart => ({
      amountIn,
      amountOut: hops[i]!.at(-1)!.amountOut,
      hops: hops[i]!
    })
  )
  const unswappedAmount = tokenAmounts.reduce(
    (sum, { amount, token }) => (token === pooledTokenOut ? sum + amount : sum),
    0n
  )
  const grossAmountOut = parts.reduce((sum, { amountOut }) => sum + amountOut, unswappedAmount)
  const minGrossAmountOut = minAmountOutRoundingDown(grossAmountOut, slippagePercent)
  const hasRouter = deployment.universalRouter !== undefined
  const feePortions = deductPortions(fees, grossAmountOut, minGrossAmountOut, () => !hasRouter)
  const minAmountOut = remainderAfter(feePortions.portions, minGrossAmountOut)
  if (feePortions.remainder <= 0n) {
    return yield* new LiquidityRefusal({
      about: "AMOUNT",
      reason: "The output would be zero, because the position, or this share of it, is empty or too small."
    })
  }
  const withdrawalPlan: PlannedWithdrawal = {
    deployment,
    keys: snapshot.keys,
    position,
    liquidity,
    parts,
    tokenOut,
    pooledTokenOut,
    feePortions,
    minGrossAmountOut,
    minAmountOut
  }
  return {
    liquidity,
    removed: removedAmounts,
    collected: collectedAmounts,
    isEmptied: liquidity === position.liquidity,
    amountOut: hasRouter || isToOwner ? feePortions.remainder : minAmountOut,
    minAmountOut,
    payments: feePortions.payments,
    priceImpactE18: largestImpact(parts),
    buildCalls: (terms) => (hasRouter ? byUniversalRouter(withdrawalPlan, terms) : bySwapRouter(withdrawalPlan, terms))
  }
})
