import type { EvmChainId } from "@countersign/core/chains"
import type { Address } from "@countersign/core/primitives"
import { concatHex, encodeAbiParameters, type Hex, parseAbiParameters, zeroAddress } from "viem"
import { type ConstantProductDeployment, deploymentOf } from "../../deployments/index.ts"
import type { Artifacts } from "../contracts/index.ts"
import { addressArguments, type InPlacePlacement } from "./InPlacePlacement.ts"
import { pancakePlacements } from "./pancakePlacements.ts"

/** Gas that the position manager gives a subscriber's notice of withdrawal, as in production. */
const UNSUBSCRIBE_GAS_LIMIT = 300_000n

const withAddresses = (code: Hex, ...addresses: ReadonlyArray<Address>): Hex =>
  concatHex([code, addressArguments(...addresses)])

/** The pairs' code decides which factory can be put where: a pair's address is a hash of that code. */
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

/** Uniswap V2 and those of its forks whose code npm has. PancakeSwap V2, Pangolin, Honeyswap and SushiSwap are in production alone. */
export const sandboxConstantProduct = (chainId: EvmChainId): ReadonlyArray<ConstantProductDeployment> =>
  deploymentOf(chainId).constantProduct.filter((exchange) => codeOf(exchange) !== undefined)

const constantProductPlacements = (artifacts: Artifacts, chainId: EvmChainId, owner: Address) =>
  sandboxConstantProduct(chainId).flatMap((exchange): ReadonlyArray<InPlacePlacement> => {
    const code = codeOf(exchange)!
    return [
      { address: exchange.factory, initCode: withAddresses(artifacts[code.factory].bytecode, owner) },
      {
        address: exchange.router,
        initCode: withAddresses(
          artifacts[code.router].bytecode,
          exchange.factory,
          deploymentOf(chainId).wrappedNative.address
        )
      }
    ]
  })

const v4Placements = (artifacts: Artifacts, chainId: EvmChainId, owner: Address): ReadonlyArray<InPlacePlacement> => {
  const { permit2, uniswapV4, wrappedNative } = deploymentOf(chainId)
  if (uniswapV4 === undefined) return []
  const { poolManager, positionManager, quoter, stateView } = uniswapV4
  return [
    { address: poolManager, initCode: withAddresses(artifacts.PoolManager.bytecode, owner) },
    {
      address: positionManager,
      initCode: concatHex([
        artifacts.PositionManager.bytecode,
        encodeAbiParameters(parseAbiParameters("address, address, uint256, address, address"), [
          poolManager,
          permit2,
          UNSUBSCRIBE_GAS_LIMIT,
          zeroAddress,
          wrappedNative.address
        ])
      ])
    },
    { address: stateView, initCode: withAddresses(artifacts.StateView.bytecode, poolManager) },
    { address: quoter, initCode: withAddresses(artifacts.V4Quoter.bytecode, poolManager) }
  ]
}

const universalRouterPlacements = (artifacts: Artifacts, chainId: EvmChainId): ReadonlyArray<InPlacePlacement> => {
  const { constantProduct, permit2, uniswapV3, uniswapV4, universalRouter, wrappedNative } = deploymentOf(chainId)
  if (universalRouter === undefined || uniswapV4 === undefined) return []
  const [uniswapV2] = constantProduct
  return [
    {
      address: universalRouter,
      initCode: concatHex([
        artifacts.UniversalRouter.bytecode,
        encodeAbiParameters(
          parseAbiParameters("address, address, address, address, bytes32, bytes32, address, address, address"),
          [
            permit2,
            wrappedNative.address,
            uniswapV2!.factory,
            uniswapV3.factory,
            uniswapV2!.initCodeHash,
            uniswapV3.poolInitCodeHash,
            uniswapV4.poolManager,
            uniswapV3.nonfungiblePositionManager,
            uniswapV4.positionManager
          ]
        )
      ])
    }
  ]
}

/** Everything that swaps besides Uniswap V3. `owner` may set the fees that factories keep. */
export const exchangePlacements = (
  artifacts: Artifacts,
  chainId: EvmChainId,
  owner: Address
): ReadonlyArray<InPlacePlacement> => [
  ...constantProductPlacements(artifacts, chainId, owner),
  ...v4Placements(artifacts, chainId, owner),
  ...universalRouterPlacements(artifacts, chainId),
  ...pancakePlacements(artifacts, chainId)
]
