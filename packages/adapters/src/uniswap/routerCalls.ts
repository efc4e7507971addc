import { Address, decimalFromBaseUnits, HexBytes, isEvmAddress, isNativeCoin } from "@countersign/core/primitives"
import type { OfferRequest, OfferTerms } from "@countersign/core/swap"
import { type Call, erc20Approve } from "@countersign/core/user-operations"
import { concatHex, encodeFunctionData, type Hex, numberToHex } from "viem"
import type { ChainDeployment } from "../deployments/index.ts"
import { hex } from "../evm/index.ts"
import { swapRouterAbi } from "./abi.ts"

/** A pool that a swap goes through, with the tokens on its two sides. */
export interface PoolHop {
  readonly pool: Address
  readonly feePips: number
  readonly tokenIn: Address
  readonly tokenOut: Address
}

/** SwapRouter02's word for itself: outputs that it must unwrap stay with it. */
const ROUTER_ITSELF = Address.make("0x0000000000000000000000000000000000000002")

const encodedPath = (hops: ReadonlyArray<PoolHop>): Hex =>
  concatHex([
    hex(hops[0]!.tokenIn),
    ...hops.flatMap((hop) => [numberToHex(hop.feePips, { size: 3 }), hex(hop.tokenOut)])
  ])

const tradeOf = (amountIn: bigint, hops: ReadonlyArray<PoolHop>, recipient: Address, amountOutMinimum: bigint): Hex => {
  const [first, ...others] = hops
  if (first === undefined) throw new Error("A route through pools has at least one pool")
  return others.length === 0
    ? encodeFunctionData({
        abi: swapRouterAbi,
        functionName: "exactInputSingle",
        args: [
          {
            tokenIn: hex(first.tokenIn),
            tokenOut: hex(first.tokenOut),
            fee: first.feePips,
            recipient: hex(recipient),
            amountIn,
            amountOutMinimum,
            sqrtPriceLimitX96: 0n
          }
        ]
      })
    : encodeFunctionData({
        abi: swapRouterAbi,
        functionName: "exactInput",
        args: [{ path: encodedPath(hops), recipient: hex(recipient), amountIn, amountOutMinimum }]
      })
}

/** Allowance and trade through SwapRouter02, wrapping and unwrapping the chain's coin on the way. */
export const routerCalls = (
  { uniswapV3 }: ChainDeployment,
  route: OfferRequest,
  hops: ReadonlyArray<PoolHop>,
  { deadline, minAmountOut, recipient }: OfferTerms
): ReadonlyArray<Call> => {
  if (!isEvmAddress(recipient)) throw new Error("An EVM chain has EVM receivers")
  const coinIn = isNativeCoin(route.tokenIn.address)
  const steps = isNativeCoin(route.tokenOut.address)
    ? [
        tradeOf(route.amountIn, hops, ROUTER_ITSELF, minAmountOut),
        encodeFunctionData({ abi: swapRouterAbi, functionName: "unwrapWETH9", args: [minAmountOut, hex(recipient)] })
      ]
    : [tradeOf(route.amountIn, hops, recipient, minAmountOut)]
  const soldText = `${decimalFromBaseUnits(route.amountIn, route.tokenIn.decimals)} ${route.tokenIn.symbol}`
  const boughtText = `${decimalFromBaseUnits(minAmountOut, route.tokenOut.decimals)} ${route.tokenOut.symbol}`
  const trade: Call = {
    to: uniswapV3.swapRouter02,
    value: coinIn ? route.amountIn : 0n,
    data: HexBytes.make(
      encodeFunctionData({ abi: swapRouterAbi, functionName: "multicall", args: [BigInt(deadline), steps] })
    ),
    summary: `Swap ${soldText} for at least ${boughtText} to ${recipient}`
  }
  return coinIn ? [trade] : [erc20Approve(route.tokenIn, uniswapV3.swapRouter02, route.amountIn), trade]
}
