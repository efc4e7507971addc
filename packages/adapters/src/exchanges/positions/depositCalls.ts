import { decimalFromBaseUnits, isNativeToken } from "@countersign/core/foundation/primitives"
import type { Token } from "@countersign/core/foundation/tokens"
import { approveCall, type Call } from "@countersign/core/operations/user-operations"
import type { LiquidityTerms, PriceRange } from "@countersign/core/trading/liquidity"
import { minAmountOutRoundingDown } from "@countersign/core/trading/swap"
import type { Hex } from "viem"
import type { ChainDeployment } from "../../chains/deployments/index.ts"
import { encoderOf } from "../../chains/evm/index.ts"
import type { PoolKey } from "../pools/index.ts"
import { partsOf, ROUTER_ITSELF, swapCallOf } from "../uniswap/index.ts"
import { managerAbi, routerPositionsAbi } from "./abi.ts"
import { depositSteps, returnRemainderSteps } from "./heldCalls.ts"
import type { PositionIdentity } from "./positionState.ts"
import type { SwappedSplit } from "./splitAmount.ts"

const managerData = encoderOf(managerAbi)
const routerPositionsData = encoderOf(routerPositionsAbi)

export interface PlannedDeposit {
  readonly deployment: ChainDeployment
  readonly keys: ReadonlyMap<string, PoolKey>
  readonly identity: PositionIdentity
  readonly prices: PriceRange
  readonly tokenIn: Token
  readonly amountIn: bigint
  /** Amount that is deposited without a swap. */
  readonly unswappedAmount: bigint
  readonly division: SwappedSplit
  /** Id of the NFT to add liquidity to; null to mint a new NFT. */
  readonly tokenId: bigint | null
  /** Initial price of a new pool; null if the pool is already initialized. */
  readonly startSqrtPriceX96: bigint | null
}

/**
 * Builds the call that creates the pool. It has no effect if the pool exists by then; in this case the mint's minimum
 * amounts protect the deposit.
 */
const createPoolCall = (
  { uniswapV3 }: ChainDeployment,
  { key: { feePips, token0, token1 } }: PositionIdentity,
  sqrtPriceX96: bigint
): Call => ({
  to: uniswapV3.nonfungiblePositionManager,
  value: 0n,
  data: managerData("createAndInitializePoolIfNecessary", [token0, token1, feePips, sqrtPriceX96]),
  summary: `Create the pool with a fee of ${decimalFromBaseUnits(BigInt(feePips), 4)} %`
})

/** Builds the swaps of the sender's tokens, whose outputs stay in the router. */
const swapSteps = ({ division, keys }: PlannedDeposit, slippagePercent: number): ReadonlyArray<Hex> =>
  partsOf({ parts: division.parts.map(({ part }) => part) }, keys).map(({ amountIn, amountOut, hops }) =>
    swapCallOf(amountIn, hops, ROUTER_ITSELF, minAmountOutRoundingDown(amountOut, slippagePercent))
  )

/** Builds the step that transfers the amount that needs no swap to the router, or wraps native tokens there. */
const unswappedAmountSteps = ({ unswappedAmount, tokenIn }: PlannedDeposit): ReadonlyArray<Hex> => {
  if (unswappedAmount === 0n) return []
  return isNativeToken(tokenIn.address)
    ? [routerPositionsData("wrapETH", [unswappedAmount])]
    : [routerPositionsData("pull", [tokenIn.address, unswappedAmount])]
}

/**
 * Builds the call that creates a new pool, the approval of a token that is not native, and one call of SwapRouter02.
 * This call swaps, deposits all tokens, and returns the remainder. It uses up the approval.
 */
export const depositCalls = (plan: PlannedDeposit, terms: LiquidityTerms): ReadonlyArray<Call> => {
  const { amountIn, deployment, division, identity, prices, startSqrtPriceX96, tokenId, tokenIn } = plan
  const { deadline, recipient, sender, slippagePercent } = terms
  const { swapRouter02 } = deployment.uniswapV3
  const { token0, token1 } = identity.key
  const target = tokenId === null ? { recipient } : { tokenId }
  const steps = [
    ...swapSteps(plan, slippagePercent),
    ...unswappedAmountSteps(plan),
    ...depositSteps(identity, prices, division, slippagePercent, target),
    ...returnRemainderSteps(deployment, [token0, token1], tokenIn.address, sender)
  ]
  const isNative = isNativeToken(tokenIn.address)
  const text = `${decimalFromBaseUnits(amountIn, tokenIn.decimals)} ${tokenIn.symbol}`
  const deposit: Call = {
    to: swapRouter02,
    value: isNative ? amountIn : 0n,
    data: routerPositionsData("multicall", [BigInt(deadline), steps]),
    summary: tokenId === null ? `Add ${text} to a new position of ${recipient}` : `Add ${text} to position ${tokenId}`
  }
  return [
    ...(startSqrtPriceX96 === null ? [] : [createPoolCall(deployment, identity, startSqrtPriceX96)]),
    ...(isNative ? [] : [approveCall(tokenIn, swapRouter02, amountIn)]),
    deposit
  ]
}
