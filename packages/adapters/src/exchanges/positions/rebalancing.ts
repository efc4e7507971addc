import type { Call } from "@countersign/core/operations/user-operations"
import {
  burnMinimums,
  LiquidityRefusal,
  type LiquidityTerms,
  liquidityByToken,
  type MarketError,
  pricesWithin,
  type RebalanceRequest,
  type Rebalancing,
  type TokenAmounts
} from "@countersign/core/trading/liquidity"
import { minAmountOutRoundingDown } from "@countersign/core/trading/swap"
import { Effect } from "effect"
import { deploymentOf } from "../../chains/deployments/index.ts"
import { encoderOf } from "../../chains/evm/index.ts"
import type { PoolReader } from "../pools/index.ts"
import { partsOf, sweep, v3Swap, WHOLE_BALANCE } from "../uniswap/index.ts"
import { routerPositionsAbi } from "./abi.ts"
import { depositedPosition, mostLiquidSplit, ownPath } from "./deposit.ts"
import { depositSteps, returnRemainderSteps } from "./heldCalls.ts"
import { deductPortionsOfBoth, portionCommands } from "./portions.ts"
import { type PositionIdentity, type PositionState, rangePrices } from "./positionState.ts"
import { pathFor, type Snapshot } from "./Snapshot.ts"
import { impactOf, splitAmount, type TokenPath, type TokenPaths } from "./splitAmount.ts"
import { universalRouterCall, withdrawalCall } from "./takeOutCalls.ts"
import { requireUniversalRouter, snapshotWithout } from "./withdrawal.ts"

const routerPositionsData = encoderOf(routerPositionsAbi)

/** Returns the token that exceeds the ratio of a range. This token is swapped. */
const excessOf = (price: bigint, range: PositionIdentity["range"], amounts: TokenAmounts): 0 | 1 => {
  const { byToken0, byToken1 } = liquidityByToken(price, rangePrices(range), amounts)
  return byToken0 === null || (byToken1 !== null && byToken0 > byToken1) ? 0 : 1
}

/** Finds the best split of the withdrawn amounts. Swaps some of the excess token, or nothing if no swap is possible. */
const search = Effect.fnUntraced(function* (
  snapshot: Snapshot,
  range: PositionIdentity["range"],
  price: bigint,
  heldAmounts: TokenAmounts
) {
  const excess = excessOf(price, range, heldAmounts)
  const { token0, token1 } = snapshot.ownKey
  const [from, to] = excess === 0 ? [token0, token1] : [token1, token0]
  const amount = excess === 0 ? heldAmounts.amount0 : heldAmounts.amount1
  const remainingAmounts = excess === 0 ? { ...heldAmounts, amount0: 0n } : { ...heldAmounts, amount1: 0n }
  const attempt = (tokenPath: TokenPath) => {
    const tokenPaths: TokenPaths = excess === 0 ? { to0: "HELD", to1: tokenPath } : { to0: tokenPath, to1: "HELD" }
    return splitAmount(snapshot, tokenPaths, amount, rangePrices(range), {
      heldAmounts: remainingAmounts,
      sqrtPriceX96: price
    })
  }
  const ownPoolSplit = yield* attempt(ownPath(snapshot, from))
  const swappedAmount =
    ownPoolSplit === null ? 0n : excess === 0 ? ownPoolSplit.forToken1 : amount - ownPoolSplit.forToken1
  const path = pathFor(snapshot, from, to, swappedAmount === 0n ? amount / 2n : swappedAmount)
  const bestCandidate = mostLiquidSplit([ownPoolSplit, path === null ? null : yield* attempt(path)])
  return { bestCandidate, amount }
})

/**
 * Plans the move of a position to another range: withdraws everything, swaps as needed, and deposits into a new NFT.
 */
export const rebalancingOf = Effect.fnUntraced(function* (
  snapshot: Snapshot,
  state: PositionState,
  { fees, range, slippagePercent }: RebalanceRequest
): Effect.fn.Return<Rebalancing, MarketError, PoolReader> {
  yield* requireUniversalRouter(snapshot)
  const { position } = state
  const { amounts, liquidity, pool, unclaimed } = position
  const deployment = deploymentOf(snapshot.chainId)
  const collectedAmounts = {
    amount0: amounts.amount0 + unclaimed.amount0,
    amount1: amounts.amount1 + unclaimed.amount1
  }
  const minimums = burnMinimums(
    rangePrices(position.range),
    pricesWithin(pool.sqrtPriceX96, slippagePercent),
    liquidity
  )
  const [portions0, portions1] = deductPortionsOfBoth(fees, collectedAmounts, {
    amount0: minimums.amount0 + unclaimed.amount0,
    amount1: minimums.amount1 + unclaimed.amount1
  })
  const heldAmounts = { amount0: portions0.remainder, amount1: portions1.remainder }
  const snapshotAfter = snapshotWithout(snapshot, state, liquidity)
  const { amount, bestCandidate } = yield* search(snapshotAfter, range, pool.sqrtPriceX96, heldAmounts)
  if (bestCandidate === null || bestCandidate.liquidity === 0n) {
    return yield* new LiquidityRefusal({
      about: "AMOUNT",
      reason: "The amounts of the position are too small to provide liquidity in the new range."
    })
  }
  const { division } = bestCandidate
  const identity: PositionIdentity = { key: snapshot.ownKey, range }
  const calls = (terms: LiquidityTerms): ReadonlyArray<Call> => {
    const { swapRouter02 } = deployment.uniswapV3
    const tokens = [pool.token0, pool.token1]
    const swaps = partsOf({ parts: division.parts.map(({ part }) => part) }, snapshot.keys).map(
      ({ amountIn, amountOut, hops }) =>
        v3Swap(
          hops,
          amountIn === amount ? WHOLE_BALANCE : amountIn,
          minAmountOutRoundingDown(amountOut, slippagePercent)
        )
    )
    const commands = [
      ...portionCommands(pool.token0, portions0.portions),
      ...portionCommands(pool.token1, portions1.portions),
      ...swaps,
      ...tokens.map((token) => sweep(token, swapRouter02, 0n))
    ]
    const steps = [
      ...depositSteps(identity, rangePrices(range), division, slippagePercent, { recipient: terms.recipient }),
      ...returnRemainderSteps(deployment, tokens, null, terms.sender)
    ]
    return [
      withdrawalCall(position, liquidity, deployment.universalRouter!, terms),
      universalRouterCall(deployment, commands, terms.deadline, "Swap the tokens to the ratio of the new range"),
      {
        to: swapRouter02,
        value: 0n,
        data: routerPositionsData("multicall", [BigInt(terms.deadline), steps]),
        summary: `Add the tokens to a new position of ${terms.recipient}`
      }
    ]
  }
  return {
    pool,
    range,
    ...depositedPosition(bestCandidate, range),
    liquidity: bestCandidate.liquidity,
    priceImpactE18: impactOf(division),
    removed: amounts,
    collected: collectedAmounts,
    payments: fees.map((_, i) => ({ amount0: portions0.payments[i]!, amount1: portions1.payments[i]! })),
    buildCalls: calls
  }
})
