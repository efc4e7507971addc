import type { EvmChainId } from "@countersign/core/foundation/chains"
import { concatHex, decodeAbiParameters, type Hex, numberToHex, parseAbi, parseAbiParameters } from "viem"
import { deploymentOf } from "../../src/chains/deployments/index.ts"
import { encoderOf } from "../../src/chains/evm/index.ts"
import { sandboxPools } from "../deployment/poolPlan.ts"
import type { SandboxChain } from "../network/SandboxChain.ts"

const quoterData = encoderOf(
  parseAbi([
    "function quoteExactInput(bytes path, uint256 amountIn) returns (uint256 amountOut, uint160[] sqrtPrices, uint32[] ticks, uint256 gas)"
  ])
)

/** A path through Uniswap V3 pools, and its output. */
export interface PoolRoute {
  /** Tokens and fees in the encoding of the routers. */
  readonly path: Hex
  readonly amountOut: bigint
}

const feesBetween = (chainId: EvmChainId, a: string, b: string): ReadonlyArray<number> =>
  sandboxPools(chainId).flatMap(({ feePips, token0, token1 }) =>
    (token0 === a && token1 === b) || (token0 === b && token1 === a) ? [feePips] : []
  )

const pathOf = (tokens: ReadonlyArray<string>, fees: ReadonlyArray<number>): Hex =>
  concatHex(
    tokens.flatMap((token, i) => {
      const fee = fees[i]
      return fee === undefined ? [token as Hex] : [token as Hex, numberToHex(fee, { size: 3 })]
    })
  )

const pathsBetween = (chainId: EvmChainId, sell: string, buy: string): ReadonlyArray<Hex> => {
  const directPaths = feesBetween(chainId, sell, buy).map((fee) => pathOf([sell, buy], [fee]))
  const middleTokens = new Set(sandboxPools(chainId).flatMap(({ token0, token1 }) => [token0, token1]))
  const twoHopPaths = [...middleTokens]
    .filter((middle) => middle !== sell && middle !== buy)
    .flatMap((middle) =>
      feesBetween(chainId, sell, middle).flatMap((first) =>
        feesBetween(chainId, middle, buy).map((second) => pathOf([sell, middle, buy], [first, second]))
      )
    )
  return directPaths.length > 0 ? directPaths : twoHopPaths
}

const amountOutOf = async (chain: SandboxChain, path: Hex, amountIn: bigint): Promise<bigint> => {
  const { quoterV2 } = deploymentOf(chain.chainId).uniswapV3
  try {
    const data = quoterData("quoteExactInput", [path, amountIn])
    const response = (await chain.call("eth_call", { to: quoterV2, data }, "latest")) as Hex
    const [amountOut] = decodeAbiParameters(parseAbiParameters("uint256, uint160[], uint32[], uint256"), response)
    return amountOut
  } catch {
    return 0n
  }
}

/** Finds the route with the highest output. Null if there is none. */
export const bestRoute = async (
  chain: SandboxChain,
  sell: string,
  buy: string,
  amountIn: bigint
): Promise<PoolRoute | null> => {
  if (amountIn === 0n) return null
  const routes = await Promise.all(
    pathsBetween(chain.chainId, sell, buy).map(async (path) => ({
      path,
      amountOut: await amountOutOf(chain, path, amountIn)
    }))
  )
  const [bestCandidate] = routes
    .filter(({ amountOut }) => amountOut > 0n)
    .sort((a, b) => (a.amountOut > b.amountOut ? -1 : 1))
  return bestCandidate ?? null
}
