import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import type { EvmChainId } from "@countersign/core/foundation/chains"
import { Address } from "@countersign/core/foundation/primitives"
import { getCreate2Address, type Hex, pad, stringToHex, zeroAddress } from "viem"
import { accountContracts, deploymentOf } from "../../src/chains/deployments/index.ts"
import { paymasterDeploymentOf } from "../../src/chains/paymaster-contracts/index.ts"
import { type Artifacts, linkLibraries } from "../contracts/index.ts"
import type { SandboxKeys } from "../keys.ts"
import { aavePlacements } from "./aave.ts"
import { acrossPlacements } from "./across.ts"
import { aggregatorPlacements } from "./aggregators.ts"
import { cowPlacements } from "./cow.ts"
import { exchangePlacements } from "./exchangePlacements.ts"
import { feedPlacements } from "./feeds.ts"
import { type InPlaceDeployment, initCodeOf } from "./InPlaceDeployment.ts"
import { lifiPlacements } from "./lifi.ts"
import { sandboxTokens } from "./market.ts"
import { morphoPlacements } from "./morpho.ts"

/**
 * Extracts Multicall3's creation code from viem, which contains it for deployless calls but does not export it. The
 * version of viem is pinned. If the file moves, a test of the deployed contract fails.
 */
const multicall3CreationCode = (): Hex => {
  const require = createRequire(import.meta.url)
  const constants = require(join(dirname(require.resolve("viem")), "constants", "contracts.js")) as {
    readonly multicall3Bytecode: Hex
  }
  return constants.multicall3Bytecode
}

/** A contract that a CREATE2 factory deploys at the same address on every chain. */
export interface Create2Placement {
  readonly factory: Address
  readonly salt: Hex
  readonly initCode: Hex
  readonly address: Address
}

export interface Placements {
  readonly create2: ReadonlyArray<Create2Placement>
  readonly inPlace: ReadonlyArray<InPlaceDeployment>
}

const ZERO_SALT = pad("0x")

const nftDescriptor = Address.make("0x42b24a95702b9986e82d421cc3568932790a48ec")
const positionDescriptor = Address.make("0x91ae842a5ffd8d12023116943e72a606179294f3")

const create2 = (
  initCode: Hex,
  salt: Hex = ZERO_SALT,
  factory: Address = accountContracts.create2Deployer
): Create2Placement => ({
  factory,
  salt,
  initCode,
  address: Address.make(getCreate2Address({ from: factory, salt, bytecode: initCode }).toLowerCase())
})

/** Returns the production paymasters with the sandbox's keys as owners. Their addresses depend on these keys. */
export const paymasterPlacements = ({ paymasterOwner, paymasterSigner }: SandboxKeys) => {
  const roles = { owner: paymasterOwner.address, signers: [paymasterSigner.address] }
  return { "0.7": paymasterDeploymentOf("0.7", roles), "0.8": paymasterDeploymentOf("0.8", roles) }
}

const accountPlacements = (artifacts: Artifacts): ReadonlyArray<Create2Placement> => {
  const { entryPoint07, entryPoint08, safeSingletonFactory } = accountContracts
  return [
    create2(artifacts.EntryPoint07.bytecode, "0x90d8084deab30c2a37c45e8d47f49f2f7965183cb6990a98943ef94940681de3"),
    create2(artifacts.EntryPoint08.bytecode, "0x0a59dbff790c23c976a548690c27297883cc66b4c67024f9117b0238995e35e9"),
    create2(initCodeOf(artifacts.SimpleAccountFactory07, entryPoint07)),
    create2(initCodeOf(artifacts.SimpleAccountFactory08, entryPoint08)),
    create2(artifacts.Simple7702Account.bytecode),
    create2(artifacts.SafeL2.bytecode, ZERO_SALT, safeSingletonFactory),
    create2(artifacts.SafeProxyFactory.bytecode, ZERO_SALT, safeSingletonFactory),
    create2(artifacts.MultiSend.bytecode, ZERO_SALT, safeSingletonFactory),
    create2(initCodeOf(artifacts.Safe4337Module, entryPoint07)),
    create2(artifacts.SafeModuleSetup.bytecode)
  ]
}

const uniswapPlacements = (artifacts: Artifacts, chainId: EvmChainId): ReadonlyArray<InPlaceDeployment> => {
  const { uniswapV3, wrappedNative, nativeCurrency } = deploymentOf(chainId)
  const { factory, nonfungiblePositionManager, swapRouter02, quoterV2, tickLens } = uniswapV3
  const weth = wrappedNative.address
  const descriptor = linkLibraries(artifacts.NonfungibleTokenPositionDescriptor, { NFTDescriptor: nftDescriptor })
  const symbol = stringToHex(nativeCurrency.symbol, { size: 32 })
  const positionManager = artifacts.NonfungiblePositionManager
  return [
    { address: factory, initCode: artifacts.UniswapV3Factory.bytecode },
    { address: nftDescriptor, initCode: artifacts.NFTDescriptor.bytecode },
    { address: positionDescriptor, initCode: initCodeOf(descriptor, weth, symbol) },
    {
      address: nonfungiblePositionManager,
      initCode: initCodeOf(positionManager, factory, weth, positionDescriptor)
    },
    {
      // SwapRouter02 has no Uniswap V2 factory, because on most chains it was deployed before Uniswap V2.
      address: swapRouter02,
      initCode: initCodeOf(artifacts.SwapRouter02, zeroAddress, factory, nonfungiblePositionManager, weth)
    },
    { address: quoterV2, initCode: initCodeOf(artifacts.QuoterV2, factory, weth) },
    { address: tickLens, initCode: artifacts.TickLens.bytecode }
  ]
}

const tokenPlacements = (
  artifacts: Artifacts,
  chainId: EvmChainId,
  issuer: Address
): ReadonlyArray<InPlaceDeployment> =>
  sandboxTokens(chainId).map(({ role, address, name, symbol, decimals }) => ({
    address,
    initCode:
      role === "native"
        ? artifacts.WETH9.bytecode
        : role === "rwa"
          ? initCodeOf(artifacts.AllowListToken, name, symbol, decimals, issuer)
          : initCodeOf(artifacts.MintableERC20, name, symbol, decimals)
  }))

export const placements = (artifacts: Artifacts, chainId: EvmChainId, keys: SandboxKeys): Placements => ({
  create2: [...accountPlacements(artifacts), ...Object.values(paymasterPlacements(keys))],
  inPlace: [
    { address: deploymentOf(chainId).multicall3, initCode: multicall3CreationCode() },
    ...tokenPlacements(artifacts, chainId, keys.treasury.address),
    ...uniswapPlacements(artifacts, chainId),
    ...feedPlacements(artifacts, chainId),
    ...exchangePlacements(artifacts, chainId, keys.treasury.address),
    ...aggregatorPlacements(artifacts, chainId),
    ...lifiPlacements(artifacts, chainId),
    ...aavePlacements(artifacts, chainId, keys.deployer.address),
    ...morphoPlacements(artifacts, chainId, keys.deployer.address),
    ...cowPlacements(artifacts, chainId),
    ...acrossPlacements(artifacts, chainId)
  ]
})
