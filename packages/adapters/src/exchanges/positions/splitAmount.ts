import { maxBigInt } from "@countersign/core/foundation/primitives"
import {
  type BestDepositSplit,
  bestDepositSplit,
  type ConcentratedPool,
  type PriceRange,
  type TokenAmounts
} from "@countersign/core/trading/liquidity"
import {
  type PartsOutcome,
  type Path,
  priceImpactE18RoundingUp,
  type RoutePart,
  type Share,
  swapParts
} from "@countersign/core/trading/routing"
import { withMoreTicks } from "../pools/index.ts"
import { ownPool, type Snapshot, widenPool } from "./Snapshot.ts"

/**
 * How an amount becomes a token of the pool: by a swap along a path, HELD if it already is that token, null if
 * impossible.
 */
export type TokenPath = Path | "HELD" | null

export interface TokenPaths {
  readonly to0: TokenPath
  readonly to1: TokenPath
}

/** A split of an amount between both tokens, and the swaps that produce it. */
export interface SwappedSplit {
  readonly amounts: TokenAmounts
  readonly sqrtPriceX96: bigint
  /** The swaps, in order of execution. */
  readonly parts: ReadonlyArray<{ readonly to: 0 | 1; readonly part: RoutePart }>
}

/**
 * The amounts that are deposited in addition to the split amount, and the pool's price. The price is used only while
 * the pool is not initialized.
 */
export interface SplitStart {
  readonly heldAmounts: TokenAmounts
  readonly sqrtPriceX96: bigint
}

interface MissingTicks {
  readonly pool: ConcentratedPool
  readonly word: number
  readonly forToken1: bigint
  readonly tokenIndex: 0 | 1
}

/** Returns the path with the ticks that have been read so far. */
const withCurrentTicks = (snapshot: Snapshot, path: Path): Path =>
  path.map((hop) => ({ ...hop, pool: snapshot.pools.get(hop.pool.id) ?? hop.pool }))

const trySplit = (
  snapshot: Snapshot,
  tokenPaths: TokenPaths,
  amount: bigint,
  start: SplitStart,
  missing: Array<MissingTicks>
) => {
  const paths = [tokenPaths.to0, tokenPaths.to1].map((tokenPath) =>
    tokenPath === null || tokenPath === "HELD" ? tokenPath : withCurrentTicks(snapshot, tokenPath)
  )
  const positionPool = ownPool(snapshot)
  return (forToken1: bigint): SwappedSplit | { readonly tooMuchFor: 0 | 1 } => {
    const startAmounts = [amount - forToken1, forToken1] as const
    const unreachableToken = ([0, 1] as const).find((to) => paths[to] === null && startAmounts[to] > 0n)
    if (unreachableToken !== undefined) return { tooMuchFor: unreachableToken }
    const shares = ([0, 1] as const).flatMap((to) => {
      const path = paths[to]
      return path == null || path === "HELD" || startAmounts[to] === 0n
        ? []
        : [{ to, path, amountIn: startAmounts[to] }]
    })
    let outcome: PartsOutcome | null = null
    for (let count = 1; count <= shares.length; count++) {
      outcome = swapParts(shares.slice(0, count))
      if (outcome._tag === "Swapped") continue
      const tokenIndex = shares[count - 1]!.to
      if (outcome._tag === "TicksMissing")
        missing.push({ pool: outcome.pool, word: outcome.word, forToken1, tokenIndex })
      return { tooMuchFor: tokenIndex }
    }
    const swapOutcome = outcome?._tag === "Swapped" ? outcome : null
    const swappedShares = shares.map(({ amountIn, to }, i) => {
      const hops = swapOutcome!.hops[i]!
      return { to, part: { amountIn, amountOut: hops.at(-1)!.amountOut, hops } }
    })
    const amountAfterSwap = (to: 0 | 1): bigint =>
      paths[to] === "HELD" ? startAmounts[to] : (swappedShares.find((part) => part.to === to)?.part.amountOut ?? 0n)
    const poolAfter =
      positionPool === undefined
        ? undefined
        : (swapOutcome?.lastSwaps.get(positionPool.id)?.poolAfter() ?? positionPool)
    return {
      amounts: {
        amount0: start.heldAmounts.amount0 + amountAfterSwap(0),
        amount1: start.heldAmounts.amount1 + amountAfterSwap(1)
      },
      sqrtPriceX96: poolAfter?._tag === "Concentrated" ? poolAfter.sqrtPriceX96 : start.sqrtPriceX96,
      parts: swappedShares
    }
  }
}

/** Selects the missing ticks that limited the search's result. */
const limitingTicks = (missing: ReadonlyArray<MissingTicks>, bestResult: BestDepositSplit<SwappedSplit> | null) =>
  missing.filter(({ forToken1, tokenIndex }) =>
    bestResult === null
      ? true
      : tokenIndex === 1
        ? forToken1 <= bestResult.forToken1 + 3n
        : forToken1 + 3n >= bestResult.forToken1
  )

/**
 * Finds the best split of an amount between the tokens of the pool. Reads more ticks while missing ticks limit the
 * result.
 */
export const splitAmount = (
  snapshot: Snapshot,
  tokenPaths: TokenPaths,
  amount: bigint,
  range: PriceRange,
  start: SplitStart
) =>
  withMoreTicks(
    () => {
      const missingTicks: Array<MissingTicks> = []
      const bestResult = bestDepositSplit(amount, range, trySplit(snapshot, tokenPaths, amount, start, missingTicks))
      return {
        result: bestResult,
        missing: [...new Map(limitingTicks(missingTicks, bestResult).map((each) => [each.pool.id, each])).values()]
      }
    },
    (id, word) => widenPool(snapshot, id, word)
  )

/** Returns the largest price impact of these swaps, as a fraction scaled by 10^18. */
export const largestImpact = (parts: ReadonlyArray<RoutePart>): bigint =>
  parts.reduce(
    (maxImpact, part) => maxBigInt(maxImpact, priceImpactE18RoundingUp({ amountOut: part.amountOut, parts: [part] })),
    0n
  )

export const impactOf = ({ parts }: SwappedSplit): bigint => largestImpact(parts.map(({ part }) => part))

/** Simulates swaps one after another. Reads more ticks while they are missing. */
export const swapAll = (snapshot: Snapshot, shares: ReadonlyArray<Share>) =>
  withMoreTicks(
    () => {
      const swapResult = swapParts(shares.map((share) => ({ ...share, path: withCurrentTicks(snapshot, share.path) })))
      return { result: swapResult, missing: swapResult._tag === "TicksMissing" ? [swapResult] : [] }
    },
    (id, word) => widenPool(snapshot, id, word)
  )
