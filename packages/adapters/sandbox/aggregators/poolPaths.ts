import type { EvmChainId } from "@countersign/core/foundation/chains"
import type { Address } from "@countersign/core/foundation/primitives"
import { concatHex, decodeFunctionResult, encodeFunctionData, type Hex, numberToHex, parseAbi } from "viem"
import { deploymentOf, pooledToken } from "../../src/chains/deployments/index.ts"

/** Sends JSON-RPC calls to one chain. */
export interface EmulatorChain {
  readonly call: (method: string, ...params: ReadonlyArray<unknown>) => Promise<unknown>
}

const quoterAbi = parseAbi([
  "function quoteExactInput(bytes path, uint256 amountIn) returns (uint256 amountOut, uint160[] sqrtPriceX96AfterList, uint32[] initializedTicksCrossedList, uint256 gasEstimate)"
])

const FEES = [100, 500, 3_000, 10_000]

/** A path through Uniswap V3 pools, in the encoding of the routers. */
export interface PoolPath {
  readonly path: Hex
  readonly amountOut: bigint
}

const pathsBetween = (tokenIn: Address, tokenOut: Address, hub: Address): ReadonlyArray<Hex> => {
  const fee = (pips: number): Hex => numberToHex(pips, { size: 3 })
  const directPaths = FEES.map((pips) => concatHex([tokenIn, fee(pips), tokenOut]))
  if (tokenIn === hub || tokenOut === hub) return directPaths
  const paths = [500, 3_000].flatMap((first) =>
    [500, 3_000].map((second) => concatHex([tokenIn, fee(first), hub, fee(second), tokenOut]))
  )
  return [...directPaths, ...paths]
}

/** Finds the pool path with the highest output of Uniswap's quoter. Null if there is none. */
export const bestPoolPath = async (
  chain: EmulatorChain,
  chainId: EvmChainId,
  tokens: { readonly tokenIn: Address; readonly tokenOut: Address },
  amountIn: bigint
): Promise<PoolPath | null> => {
  const deployment = deploymentOf(chainId)
  const [tokenIn, tokenOut] = [pooledToken(tokens.tokenIn, deployment), pooledToken(tokens.tokenOut, deployment)]
  const quotes = await Promise.all(
    pathsBetween(tokenIn, tokenOut, deployment.wrappedNative.address).map(async (path): Promise<PoolPath | null> => {
      const data = encodeFunctionData({ abi: quoterAbi, functionName: "quoteExactInput", args: [path, amountIn] })
      const response = await chain
        .call("eth_call", { to: deployment.uniswapV3.quoterV2, data }, "latest")
        .catch(() => null)
      if (response === null) return null
      const [amountOut] = decodeFunctionResult({
        abi: quoterAbi,
        functionName: "quoteExactInput",
        data: response as Hex
      })
      return { path, amountOut }
    })
  )
  return quotes.reduce<PoolPath | null>(
    (best, path) => (path !== null && path.amountOut > (best?.amountOut ?? 0n) ? path : best),
    null
  )
}
