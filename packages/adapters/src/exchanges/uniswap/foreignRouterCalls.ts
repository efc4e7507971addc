import { type Address, decimalFromBaseUnits, HexBytes, isNativeToken } from "@countersign/core/foundation/primitives"
import type { Token } from "@countersign/core/foundation/tokens"
import { approveCall, type Call } from "@countersign/core/operations/user-operations"
import type { OfferRequest } from "@countersign/core/trading/swap"
import type { Hex } from "viem"
import type { ChainDeployment } from "../../chains/deployments/index.ts"
import { encoderOf, wrappedNativeData } from "../../chains/evm/index.ts"
import { pairRouterAbi, v3PeripheryRouterAbi } from "./abi.ts"
import { tokensOf, v3Path } from "./commands.ts"
import type { SwapPart } from "./SwapPart.ts"
import type { SwapTerms } from "./swapTerms.ts"

const pairRouterData = encoderOf(pairRouterAbi)
const v3PeripheryRouterData = encoderOf(v3PeripheryRouterAbi)

const routerOf = ({ hops }: SwapPart, { pancakeV3 }: ChainDeployment): Address => {
  const { key } = hops[0]!
  return key._tag === "V2" ? key.router : pancakeV3!.swapRouter
}

const swapData = ({ amountIn, hops }: SwapPart, { deadline, minAmountOut, recipient }: SwapTerms): Hex =>
  hops[0]!.key._tag === "V2"
    ? pairRouterData("swapExactTokensForTokens", [
        amountIn,
        minAmountOut,
        [...tokensOf(hops)],
        recipient,
        BigInt(deadline)
      ])
    : v3PeripheryRouterData("exactInput", [
        {
          path: v3Path(hops),
          recipient,
          deadline: BigInt(deadline),
          amountIn,
          amountOutMinimum: minAmountOut
        }
      ])

const soldText = ({ amountIn, hops }: SwapPart, { decimals, symbol }: Token): string =>
  `${decimalFromBaseUnits(amountIn, decimals)} ${symbol} on ${hops[0]!.key.venue}`

const wrapCall = ({ wrappedNative }: ChainDeployment, amount: bigint): Call => ({
  to: wrappedNative.address,
  value: amount,
  data: wrappedNativeData("deposit", []),
  summary: `Wrap ${decimalFromBaseUnits(amount, wrappedNative.decimals)} ${wrappedNative.symbol}`
})

/**
 * Executes each split route through the router of its own exchange. The router uses up its allowance. The native token
 * is wrapped first, because the native token functions of the routers differ between forks.
 */
export const foreignRouterCalls = (
  deployment: ChainDeployment,
  { tokenIn }: OfferRequest,
  parts: ReadonlyArray<SwapPart>,
  terms: SwapTerms
): ReadonlyArray<Call> => {
  const isNativeIn = isNativeToken(tokenIn.address)
  const soldToken: Token = isNativeIn ? { ...deployment.wrappedNative, realWorldAsset: false } : tokenIn
  const amountIn = parts.reduce((sum, part) => sum + part.amountIn, 0n)
  return [
    ...(isNativeIn && parts.length > 0 ? [wrapCall(deployment, amountIn)] : []),
    ...parts.flatMap((part): ReadonlyArray<Call> => {
      const router = routerOf(part, deployment)
      const swap: Call = {
        to: router,
        value: 0n,
        data: HexBytes.make(swapData(part, terms)),
        summary: `Swap ${soldText(part, soldToken)} to ${terms.recipient}`
      }
      return [approveCall(soldToken, router, part.amountIn), swap]
    })
  ]
}

/**
 * Executes a split route with a native output on a chain without a Universal Router that could unwrap it. Only Uniswap
 * V2's router and exact copies of it support this.
 */
export const nativeTokenOutCalls = (
  deployment: ChainDeployment,
  { tokenIn }: OfferRequest,
  part: SwapPart,
  { deadline, minAmountOut, recipient }: SwapTerms
): ReadonlyArray<Call> => {
  const router = routerOf(part, deployment)
  const swap: Call = {
    to: router,
    value: 0n,
    data: pairRouterData("swapExactTokensForETH", [
      part.amountIn,
      minAmountOut,
      [...tokensOf(part.hops)],
      recipient,
      BigInt(deadline)
    ]),
    summary: `Swap ${soldText(part, tokenIn)} to ${recipient}`
  }
  return [approveCall(tokenIn, router, part.amountIn), swap]
}
