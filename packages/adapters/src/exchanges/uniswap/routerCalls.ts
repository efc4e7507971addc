import { Address, decimalFromBaseUnits, isNativeToken } from "@countersign/core/foundation/primitives"
import { approveCall, type Call } from "@countersign/core/operations/user-operations"
import type { OfferRequest } from "@countersign/core/trading/swap"
import type { Hex } from "viem"
import type { ChainDeployment } from "../../chains/deployments/index.ts"
import { encoderOf } from "../../chains/evm/index.ts"
import { feePipsOf } from "../pools/index.ts"
import { swapRouterAbi } from "./abi.ts"
import { v3Path } from "./commands.ts"
import type { PartHop } from "./SwapPart.ts"
import type { SwapTerms } from "./swapTerms.ts"

const swapRouterData = encoderOf(swapRouterAbi)

/** SwapRouter02's placeholder for its own address. Outputs that it must unwrap stay in it. */
export const ROUTER_ITSELF = Address.make("0x0000000000000000000000000000000000000002")

/** Encodes one trade through SwapRouter02 that spends the sender's tokens. */
export const swapCallOf = (
  amountIn: bigint,
  hops: ReadonlyArray<PartHop>,
  recipient: Address,
  amountOutMinimum: bigint
): Hex => {
  const [first, ...others] = hops
  if (first === undefined) throw new Error("A route through pools must have at least one pool")
  return others.length === 0
    ? swapRouterData("exactInputSingle", [
        {
          tokenIn: first.tokenIn,
          tokenOut: first.tokenOut,
          fee: feePipsOf(first.key),
          recipient,
          amountIn,
          amountOutMinimum,
          sqrtPriceLimitX96: 0n
        }
      ])
    : swapRouterData("exactInput", [{ path: v3Path(hops), recipient, amountIn, amountOutMinimum }])
}

/** Builds the approval and the trade through SwapRouter02. Wraps and unwraps the native token as needed. */
export const routerCalls = (
  { uniswapV3 }: ChainDeployment,
  route: OfferRequest,
  hops: ReadonlyArray<PartHop>,
  { deadline, minAmountOut, recipient }: SwapTerms
): ReadonlyArray<Call> => {
  const isNativeIn = isNativeToken(route.tokenIn.address)
  const steps = isNativeToken(route.tokenOut.address)
    ? [
        swapCallOf(route.amountIn, hops, ROUTER_ITSELF, minAmountOut),
        swapRouterData("unwrapWETH9", [minAmountOut, recipient])
      ]
    : [swapCallOf(route.amountIn, hops, recipient, minAmountOut)]
  const soldText = `${decimalFromBaseUnits(route.amountIn, route.tokenIn.decimals)} ${route.tokenIn.symbol}`
  const boughtText = `${decimalFromBaseUnits(minAmountOut, route.tokenOut.decimals)} ${route.tokenOut.symbol}`
  const trade: Call = {
    to: uniswapV3.swapRouter02,
    value: isNativeIn ? route.amountIn : 0n,
    data: swapRouterData("multicall", [BigInt(deadline), steps]),
    summary: `Swap ${soldText} for at least ${boughtText} to ${recipient}`
  }
  return isNativeIn ? [trade] : [approveCall(route.tokenIn, uniswapV3.swapRouter02, route.amountIn), trade]
}
