import { type Address, isNativeToken } from "@countersign/core/foundation/primitives"
import { mintMinimums, type PriceRange, pricesWithin, type TokenAmounts } from "@countersign/core/trading/liquidity"
import { minAmountOutRoundingDown } from "@countersign/core/trading/swap"
import type { Hex } from "viem"
import type { ChainDeployment } from "../../chains/deployments/index.ts"
import { encoderOf } from "../../chains/evm/index.ts"
import { routerPositionsAbi } from "./abi.ts"
import type { PositionIdentity } from "./positionState.ts"
import type { SwappedSplit } from "./splitAmount.ts"

/** Where the router deposits its balance: into a new NFT for a recipient, or into an existing NFT. */
export type Target = { readonly recipient: Address } | { readonly tokenId: bigint }

const data = encoderOf(routerPositionsAbi)

/** Returns the minimum amounts of a deposit. Swaps may return less than quoted, up to the slippage. */
export const minAmounts = ({ amounts, parts }: SwappedSplit, slippagePercent: number): TokenAmounts => {
  const slippageLoss = (to: 0 | 1): bigint =>
    parts.reduce(
      (sum, { part: { amountOut }, to: tokenIndex }) =>
        tokenIndex === to ? sum + amountOut - minAmountOutRoundingDown(amountOut, slippagePercent) : sum,
      0n
    )
  return { amount0: amounts.amount0 - slippageLoss(0), amount1: amounts.amount1 - slippageLoss(1) }
}

/**
 * Builds the steps that deposit SwapRouter02's balances of both tokens. The router reads its own balances, so that the
 * deposit does not revert if a swap's output differs slightly.
 */
export const depositSteps = (
  { key: { feePips, token0, token1 }, range }: PositionIdentity,
  prices: PriceRange,
  division: SwappedSplit,
  slippagePercent: number,
  target: Target
): ReadonlyArray<Hex> => {
  const allowedPrices = pricesWithin(division.sqrtPriceX96, slippagePercent)
  const { amount0: amount0Min, amount1: amount1Min } = mintMinimums(
    prices,
    allowedPrices,
    minAmounts(division, slippagePercent)
  )
  const tokens = { token0, token1 }
  return [
    // The position manager takes the tokens from the router. The router's allowances remain, which is safe because the
    // router holds no tokens between operations.
    ...[token0, token1].map((token) => data("approveZeroThenMax", [token])),
    "tokenId" in target
      ? data("increaseLiquidity", [{ ...tokens, tokenId: target.tokenId, amount0Min, amount1Min }])
      : data("mint", [{ ...tokens, fee: feePips, ...range, amount0Min, amount1Min, recipient: target.recipient }])
  ]
}

/**
 * Builds the steps that return SwapRouter02's remaining balance of both tokens to a recipient, in native tokens if the
 * deposit was in native tokens.
 */
export const returnRemainderSteps = (
  { wrappedNative }: ChainDeployment,
  tokens: ReadonlyArray<Address>,
  tokenIn: Address | null,
  receiver: Address
): ReadonlyArray<Hex> =>
  tokens.map((token) =>
    tokenIn !== null && isNativeToken(tokenIn) && token === wrappedNative.address
      ? data("unwrapWETH9", [0n, receiver])
      : data("sweepToken", [token, 0n, receiver])
  )
