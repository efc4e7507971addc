import type { EvmChainId } from "@countersign/core/foundation/chains"
import { Address } from "@countersign/core/foundation/primitives"
import { concatHex, type Hex, size } from "viem"
import { deploymentOf } from "../../src/chains/deployments/index.ts"
import type { Artifact, Artifacts } from "../contracts/index.ts"
import { constructorOf, type InPlaceDeployment, initCodeOf, push } from "./InPlaceDeployment.ts"

const slots = [0, 1, 2, 3, 4]

/**
 * Builds the part of PancakeV3PoolDeployer that pools need, because its code is not on npm. `deploy(factory, token0,
 * token1, fee, tickSpacing)` stores its arguments and creates the pool with CREATE2 and the salt keccak256(token0,
 * token1, fee). The pool's constructor reads the arguments with `parameters()`.
 */
const poolDeployerCode = (poolCode: Hex): Hex => {
  const assemble = (parts: { readonly deploy: number; readonly pool: number }): Hex =>
    concatHex([
      // CALLDATASIZE > 4: jump to deploy
      concatHex(["0x36600410", push(parts.deploy), "0x57"]),
      // parameters: return the five slots
      ...slots.map((slot): Hex => `0x60${hexByte(slot)}5460${hexByte(slot * 32)}52`),
      "0x60a05ff3",
      // deploy: JUMPDEST, store the five arguments in the five slots
      "0x5b",
      ...slots.map((slot): Hex => `0x60${hexByte(4 + slot * 32)}3560${hexByte(slot)}55`),
      // salt: keccak256 of the second, third and fourth argument
      "0x606060245f3760605f20",
      // CREATE2 with the pool code at the end of this code; return the address
      concatHex([push(size(poolCode)), push(parts.pool), "0x5f39", push(size(poolCode)), "0x5f5ff55f5260205ff3"])
    ])
  const draft = assemble({ deploy: 0, pool: 0 })
  const deploy = size("0x36600410") + size(push(0)) + 1 + slots.length * 6 + size("0x60a05ff3")
  return concatHex([assemble({ deploy, pool: size(draft) }), poolCode])
}

const hexByte = (value: number): string => value.toString(16).padStart(2, "0")

/** Replaces the pool init code hash in a Uniswap contract by that of another factory. */
const withPoolHash = (artifact: Artifact, oldHash: string, newHash: string): Artifact => {
  const segments = artifact.bytecode.split(oldHash.slice(2))
  if (segments.length !== 2)
    throw new Error(`the code contains the hash of Uniswap's pool code ${segments.length - 1} times instead of once`)
  return { ...artifact, bytecode: segments.join(newHash.slice(2)) as Hex }
}

/**
 * Builds code that delegates each call to Uniswap's code, and replaces PancakeSwap's callback selector by Uniswap's.
 */
const callbackProxyCode = (implementation: Address, pancakeName: Hex, uniswapName: Hex): Hex => {
  const rename = [0, 1, 2, 3].map(
    (byte): Hex => `0x60${uniswapName.slice(2 + byte * 2, 4 + byte * 2)}60${hexByte(byte)}53`
  )
  return concatHex([
    // copy the complete calldata to memory; skip the replacement unless the call is the callback
    "0x365f5f37",
    "0x5f3560e01c63",
    pancakeName,
    "0x1415602757",
    ...rename,
    // DELEGATECALL; return or revert with its output
    "0x5b5f5f365f73",
    implementation,
    "0x5af4",
    "0x3d5f5f3e604d57",
    "0x3d5ffd",
    "0x5b3d5ff3"
  ])
}

const SWAP_CALLBACK = { uniswap: "0xfa461e33", pancake: "0x23a69e75" } as const
const MINT_CALLBACK = { uniswap: "0xd3487997", pancake: "0x99eee9d0" } as const

/** Arbitrary addresses. */
const swapRouterCode = Address.make("0x00000000000000000000000000000000ca4e0001")
const positionManagerCode = Address.make("0x00000000000000000000000000000000ca4e0002")

/**
 * Deploys PancakeSwap V3 on BNB Smart Chain, with its own factory and pools. The code of its periphery is not on npm.
 * Since it is a fork, Uniswap's code is used with PancakeSwap's pool hash and callback names.
 */
export const pancakePlacements = (artifacts: Artifacts, chainId: EvmChainId): ReadonlyArray<InPlaceDeployment> => {
  const { pancakeV3, uniswapV3, wrappedNative } = deploymentOf(chainId)
  if (pancakeV3 === undefined) return []
  const withPancakeHash = (artifact: Artifact) =>
    withPoolHash(artifact, uniswapV3.poolInitCodeHash, pancakeV3.poolInitCodeHash)
  const weth = wrappedNative.address
  const { factory, poolDeployer } = pancakeV3
  const positionManager = withPancakeHash(artifacts.NonfungiblePositionManager)
  return [
    { address: poolDeployer, initCode: constructorOf(poolDeployerCode(artifacts.PancakeV3Pool.bytecode)) },
    { address: factory, initCode: initCodeOf(artifacts.PancakeV3Factory, poolDeployer) },
    { address: swapRouterCode, initCode: initCodeOf(withPancakeHash(artifacts.SwapRouter), poolDeployer, weth) },
    {
      address: pancakeV3.swapRouter,
      initCode: constructorOf(callbackProxyCode(swapRouterCode, SWAP_CALLBACK.pancake, SWAP_CALLBACK.uniswap))
    },
    { address: positionManagerCode, initCode: initCodeOf(positionManager, poolDeployer, weth, factory) },
    {
      address: pancakeV3.nonfungiblePositionManager,
      initCode: constructorOf(callbackProxyCode(positionManagerCode, MINT_CALLBACK.pancake, MINT_CALLBACK.uniswap))
    },
    { address: pancakeV3.tickLens, initCode: artifacts.TickLens.bytecode }
  ]
}
