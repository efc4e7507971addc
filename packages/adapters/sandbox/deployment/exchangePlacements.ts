import type { EvmChainId } from "@countersign/core/foundation/chains"
import type { Address } from "@countersign/core/foundation/primitives"
import { type Hex, zeroAddress } from "viem"
import { type ConstantProductDeployment, deploymentOf } from "../../src/chains/deployments/index.ts"
import type { Artifacts } from "../contracts/index.ts"
import { type InPlaceDeployment, initCodeOf } from "./InPlaceDeployment.ts"
import { pancakePlacements } from "./pancakePlacements.ts"

/** Gas limit of the position manager's notification to a subscriber when it unsubscribes, as in production. */
const UNSUBSCRIBE_GAS_LIMIT = 300_000n

/** Factory and router by the init code hash of their pairs, on which the address of a pair depends. */
const factoryByPairCode: Readonly<
  Record<
    Hex,
    { readonly factory: "UniswapV2Factory" | "JoeFactory"; readonly router: "UniswapV2Router02" | "JoeRouter02" }
  >
> = {
  "0x96e8ac4277198ff8b6f785478aa9a39f403cb768dd02cbee326c3e7da348845f": {
    factory: "UniswapV2Factory",
    router: "UniswapV2Router02"
  },
  "0x0bbca9af0511ad1a1da383135cf3a8d2ac620e549ef9f6ae3a4c33c2fed0af91": { factory: "JoeFactory", router: "JoeRouter02" }
}

const codeOf = ({ initCodeHash }: ConstantProductDeployment) => factoryByPairCode[initCodeHash]

/**
 * Returns Uniswap V2 and the forks whose code is on npm. PancakeSwap V2, Pangolin, Honeyswap and SushiSwap exist only
 * in production.
 */
export const sandboxConstantProduct = (chainId: EvmChainId): ReadonlyArray<ConstantProductDeployment> =>
  deploymentOf(chainId).constantProduct.filter((exchange) => codeOf(exchange) !== undefined)

const constantProductPlacements = (artifacts: Artifacts, chainId: EvmChainId, owner: Address) =>
  sandboxConstantProduct(chainId).flatMap((exchange): ReadonlyArray<InPlaceDeployment> => {
    const code = codeOf(exchange)!
    const weth = deploymentOf(chainId).wrappedNative.address
    return [
      { address: exchange.factory, initCode: initCodeOf(artifacts[code.factory], owner) },
      { address: exchange.router, initCode: initCodeOf(artifacts[code.router], exchange.factory, weth) }
    ]
  })

const v4Placements = (artifacts: Artifacts, chainId: EvmChainId, owner: Address): ReadonlyArray<InPlaceDeployment> => {
  const { permit2, uniswapV4, wrappedNative } = deploymentOf(chainId)
  if (uniswapV4 === undefined) return []
  const { poolManager, positionManager, quoter, stateView } = uniswapV4
  const positionArguments = [poolManager, permit2, UNSUBSCRIBE_GAS_LIMIT, zeroAddress, wrappedNative.address]
  return [
    { address: poolManager, initCode: initCodeOf(artifacts.PoolManager, owner) },
    { address: positionManager, initCode: initCodeOf(artifacts.PositionManager, ...positionArguments) },
    { address: stateView, initCode: initCodeOf(artifacts.StateView, poolManager) },
    { address: quoter, initCode: initCodeOf(artifacts.V4Quoter, poolManager) }
  ]
}

const universalRouterPlacements = (artifacts: Artifacts, chainId: EvmChainId): ReadonlyArray<InPlaceDeployment> => {
  const { constantProduct, permit2, uniswapV3, uniswapV4, universalRouter, wrappedNative } = deploymentOf(chainId)
  if (universalRouter === undefined || uniswapV4 === undefined) return []
  const [uniswapV2] = constantProduct
  const parameters = {
    permit2,
    weth9: wrappedNative.address,
    v2Factory: uniswapV2!.factory,
    v3Factory: uniswapV3.factory,
    pairInitCodeHash: uniswapV2!.initCodeHash,
    poolInitCodeHash: uniswapV3.poolInitCodeHash,
    v4PoolManager: uniswapV4.poolManager,
    v3NFTPositionManager: uniswapV3.nonfungiblePositionManager,
    v4PositionManager: uniswapV4.positionManager
  }
  return [{ address: universalRouter, initCode: initCodeOf(artifacts.UniversalRouter, parameters) }]
}

/**
 * Deploys Uniswap V2 and its forks, Uniswap V4, the Universal Router and PancakeSwap V3. `owner` can set the protocol
 * fees of Uniswap V2, its forks and Uniswap V4.
 */
export const exchangePlacements = (
  artifacts: Artifacts,
  chainId: EvmChainId,
  owner: Address
): ReadonlyArray<InPlaceDeployment> => [
  ...constantProductPlacements(artifacts, chainId, owner),
  ...v4Placements(artifacts, chainId, owner),
  ...universalRouterPlacements(artifacts, chainId),
  ...pancakePlacements(artifacts, chainId)
]
