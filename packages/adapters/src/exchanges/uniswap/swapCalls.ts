import { isEvmAddress, isNativeToken } from "@countersign/core/foundation/primitives"
import type { Call } from "@countersign/core/operations/user-operations"
import type { OfferRequest, OfferTerms } from "@countersign/core/trading/swap"
import type { ChainDeployment } from "../../chains/deployments/index.ts"
import type { PoolKey } from "../pools/index.ts"
import { foreignRouterCalls, nativeTokenOutCalls } from "./foreignRouterCalls.ts"
import { routerCalls } from "./routerCalls.ts"
import type { SwapPart } from "./SwapPart.ts"
import type { SwapTerms } from "./swapTerms.ts"
import { universalRouterCalls } from "./universalRouterCalls.ts"

/** Whether Uniswap's routers support the pool. They support only pools of Uniswap's own factories. */
export const isUniswapPool = (
  { constantProduct, uniswapV3, universalRouter }: ChainDeployment,
  key: PoolKey
): boolean =>
  key._tag === "V3"
    ? key.factory === uniswapV3.factory
    : universalRouter !== undefined && (key._tag === "V4" || key.router === constantProduct[0]?.router)

const isOnlyV3 = ({ hops }: SwapPart): boolean => hops.every(({ key }) => key._tag === "V3")

/**
 * Builds the calls of a swap. A single route through Uniswap V3 uses SwapRouter02, which needs fewer steps. A single
 * route through another exchange uses the router of that exchange, unless its output is native and the chain has a
 * Universal Router. All other swaps use the Universal Router; the routers of other exchanges pay their outputs to it
 * first. Only the Universal Router can enforce a minimum on the sum and unwrap the native token.
 */
export const swapCalls = (
  deployment: ChainDeployment,
  request: OfferRequest,
  parts: ReadonlyArray<SwapPart>,
  { deadline, minAmountOut, recipient }: OfferTerms
): ReadonlyArray<Call> => {
  if (!isEvmAddress(recipient)) throw new Error("The receiver on an EVM chain must be an EVM address")
  const terms: SwapTerms = { deadline, minAmountOut, recipient }
  const { universalRouter } = deployment
  const uniswapParts = parts.filter(({ hops }) => hops.every(({ key }) => isUniswapPool(deployment, key)))
  const otherParts = parts.filter((part) => !uniswapParts.includes(part))
  const isNativeOut = isNativeToken(request.tokenOut.address)
  if (parts.length === 1 && uniswapParts.length === 1 && isOnlyV3(uniswapParts[0]!)) {
    return routerCalls(deployment, request, uniswapParts[0]!.hops, terms)
  }
  if (parts.length === 1 && otherParts.length === 1) {
    if (!isNativeOut) return foreignRouterCalls(deployment, request, otherParts, terms)
    if (universalRouter === undefined) return nativeTokenOutCalls(deployment, request, otherParts[0]!, terms)
  }
  if (universalRouter === undefined) throw new Error("On a chain without a Universal Router a swap must not be split")
  return [
    ...foreignRouterCalls(deployment, request, otherParts, { deadline, minAmountOut: 0n, recipient: universalRouter }),
    ...universalRouterCalls(deployment, request, uniswapParts, otherParts.length > 0, terms)
  ]
}
