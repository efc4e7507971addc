import { type Address, decimalFromBaseUnits, isNativeToken } from "@countersign/core/foundation/primitives"
import type { Token } from "@countersign/core/foundation/tokens"
import { type Call, transferCall } from "@countersign/core/operations/user-operations"
import type { LiquidityTerms, Position } from "@countersign/core/trading/liquidity"
import type { RoutePart } from "@countersign/core/trading/routing"
import type { ChainDeployment } from "../../chains/deployments/index.ts"
import { encoderOf } from "../../chains/evm/index.ts"
import type { PoolKey } from "../pools/index.ts"
import {
  NATIVE_TOKEN,
  partsOf,
  ROUTER,
  ROUTER_ITSELF,
  swapCallOf,
  sweep,
  unwrapAll,
  v3Swap,
  WHOLE_BALANCE
} from "../uniswap/index.ts"
import { routerPositionsAbi } from "./abi.ts"
import { amountsOf, type DeductedPortions, portionCommands } from "./portions.ts"
import { universalRouterCall, withdrawalCall } from "./takeOutCalls.ts"

const routerPositionsData = encoderOf(routerPositionsAbi)

export interface PlannedWithdrawal {
  readonly deployment: ChainDeployment
  readonly keys: ReadonlyMap<string, PoolKey>
  readonly position: Position
  readonly liquidity: bigint
  /** Swaps of the position's tokens except `tokenOut`, one swap for the entire amount of each token. */
  readonly parts: ReadonlyArray<RoutePart>
  readonly tokenOut: Token
  /** `tokenOut` as pools contain it: the wrapped native token instead of the native token. */
  readonly pooledTokenOut: Address
  readonly feePortions: DeductedPortions
  /** Minimum output before fees. `minAmountOut` is the minimum after fees. */
  readonly minGrossAmountOut: bigint
  readonly minAmountOut: bigint
}

const summaryOf = ({ minAmountOut, tokenOut }: PlannedWithdrawal, recipient: Address): string =>
  `Swap the tokens to at least ${decimalFromBaseUnits(minAmountOut, tokenOut.decimals)} ${tokenOut.symbol} for ${recipient}`

/** Returns the pool's tokens except the received one. The wallet gets any remainder of them. */
const otherTokensOf = ({ pooledTokenOut, position: { pool } }: PlannedWithdrawal): ReadonlyArray<Address> =>
  [pool.token0, pool.token1].filter((token) => token !== pooledTokenOut)

/**
 * Sends both tokens to the Universal Router, which swaps its entire balance, pays the fees from the output, and sends
 * the remainder to the recipient.
 */
export const byUniversalRouter = (plan: PlannedWithdrawal, terms: LiquidityTerms): ReadonlyArray<Call> => {
  const { deployment, keys, liquidity, minAmountOut, parts, pooledTokenOut, position, feePortions, tokenOut } = plan
  const isNative = isNativeToken(tokenOut.address)
  const token = isNative ? NATIVE_TOKEN : pooledTokenOut
  const commands = [
    ...partsOf({ parts }, keys).map(({ hops }) => v3Swap(hops, WHOLE_BALANCE)),
    ...(isNative ? [unwrapAll(ROUTER, 0n)] : []),
    ...portionCommands(token, feePortions.portions),
    sweep(token, terms.recipient, minAmountOut),
    ...otherTokensOf(plan).map((other) => sweep(other, terms.sender, 0n))
  ]
  return [
    withdrawalCall(position, liquidity, deployment.universalRouter!, terms),
    universalRouterCall(deployment, commands, terms.deadline, summaryOf(plan, terms.recipient))
  ]
}

/**
 * Builds the calls for a chain without a Universal Router. SwapRouter02 swaps its entire balance for the wallet. The
 * wallet then pays the fees. If the recipient is another address, the wallet also sends the guaranteed amount to the
 * recipient.
 */
export const bySwapRouter = (plan: PlannedWithdrawal, terms: LiquidityTerms): ReadonlyArray<Call> => {
  const {
    deployment,
    keys,
    minGrossAmountOut,
    liquidity,
    minAmountOut,
    parts,
    pooledTokenOut,
    position,
    feePortions,
    tokenOut
  } = plan
  const { swapRouter02 } = deployment.uniswapV3
  const isNative = isNativeToken(tokenOut.address)
  const { sender: to } = terms
  const steps = [
    // An amount of zero means the router's entire balance.
    ...partsOf({ parts }, keys).map(({ hops }) => swapCallOf(0n, hops, ROUTER_ITSELF, 0n)),
    isNative
      ? routerPositionsData("unwrapWETH9", [minGrossAmountOut, to])
      : routerPositionsData("sweepToken", [pooledTokenOut, minGrossAmountOut, to]),
    ...otherTokensOf(plan).map((other) => routerPositionsData("sweepToken", [other, 0n, to]))
  ]
  const payments = [
    ...amountsOf(feePortions.portions),
    ...(terms.recipient === terms.sender ? [] : [{ recipient: terms.recipient, amount: minAmountOut }])
  ]
  return [
    withdrawalCall(position, liquidity, swapRouter02, terms),
    {
      to: swapRouter02,
      value: 0n,
      data: routerPositionsData("multicall", [BigInt(terms.deadline), steps]),
      summary: summaryOf(plan, terms.sender)
    },
    ...payments.map(({ amount, recipient }) => transferCall(tokenOut, recipient, amount))
  ]
}
