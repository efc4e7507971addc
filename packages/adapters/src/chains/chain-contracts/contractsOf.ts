import type { EvmChainId } from "@countersign/core/foundation/chains"
import type { Address } from "@countersign/core/foundation/primitives"
import { accountContracts, deploymentOf, lendingOf, priceFeedsOf } from "../deployments/index.ts"

/** A contract that the service uses on a chain, and its source. */
export interface ChainContract {
  readonly name: string
  readonly address: Address
  /** Feature that needs the contract. */
  readonly feature: string
  /**
   * Whether anyone can deploy the contract at its address. If false, the address depends on the creator's key or nonce,
   * so only its creator can deploy it.
   */
  readonly isDeployableByAnyone: boolean
}

const deployableByAnyone =
  (feature: string) =>
  (name: string, address: Address): ChainContract => ({ name, address, feature, isDeployableByAnyone: true })

const deployableByCreator =
  (feature: string) =>
  (name: string, address: Address): ChainContract => ({ name, address, feature, isDeployableByAnyone: false })

const requiredContract = deployableByAnyone("everything, because balances, pools and prices are read through it")
const deployments = deployableByAnyone("deployment of other contracts and of paymasters")
const simple07 = deployableByAnyone("SimpleAccount 0.7")
const simple08 = deployableByAnyone("SimpleAccount 0.8 and EIP-7702 accounts")
const safe = deployableByAnyone("Safe accounts")

const accounts = (): ReadonlyArray<ChainContract> => {
  const addresses = accountContracts
  return [
    deployments("deterministic deployment proxy", addresses.create2Deployer),
    deployableByAnyone("SimpleAccount 0.7, Safe accounts and their paymaster")(
      "EntryPoint 0.7",
      addresses.entryPoint07
    ),
    deployableByAnyone("SimpleAccount 0.8, EIP-7702 accounts and their paymaster")(
      "EntryPoint 0.8",
      addresses.entryPoint08
    ),
    simple07("SimpleAccountFactory 0.7", addresses.simpleAccountFactory07),
    simple08("SimpleAccountFactory 0.8", addresses.simpleAccountFactory08),
    simple08("Simple7702Account", addresses.simple7702Account),
    safe("Safe singleton factory", addresses.safeSingletonFactory),
    safe("SafeL2", addresses.safeSingletonL2),
    safe("SafeProxyFactory", addresses.safeProxyFactory),
    safe("MultiSend", addresses.multiSend),
    safe("Safe4337Module", addresses.safe4337Module),
    safe("SafeModuleSetup", addresses.safeModuleSetup)
  ]
}

const exchanges = (chainId: EvmChainId): ReadonlyArray<ChainContract> => {
  const { constantProduct, pancakeV3, permit2, uniswapV3, uniswapV4, universalRouter } = deploymentOf(chainId)
  const v3 = deployableByCreator("Uniswap V3 pools, positions and swaps")
  return [
    v3("Uniswap V3 factory", uniswapV3.factory),
    v3("Uniswap V3 position manager", uniswapV3.nonfungiblePositionManager),
    v3("SwapRouter02", uniswapV3.swapRouter02),
    ...constantProduct.flatMap(({ factory, name, router }) => {
      const contract = deployableByCreator(`swaps through ${name}`)
      return [contract(`${name} factory`, factory), contract(`${name} router`, router)]
    }),
    ...(uniswapV4 === undefined
      ? []
      : [deployableByCreator("swaps through Uniswap V4")("Uniswap V4 pool manager", uniswapV4.poolManager)]),
    ...(universalRouter === undefined
      ? []
      : [
          deployableByCreator("swaps that combine several versions of Uniswap")("Universal Router", universalRouter),
          deployableByCreator("swaps that combine several versions of Uniswap")("Permit2", permit2)
        ]),
    ...(pancakeV3 === undefined
      ? []
      : [deployableByCreator("swaps through PancakeSwap V3")("PancakeSwap V3 router", pancakeV3.swapRouter)])
  ]
}

const markets = (chainId: EvmChainId): ReadonlyArray<ChainContract> => {
  const { aaveV3, morphoBlue } = lendingOf(chainId)
  return [
    deployableByCreator("lending by Aave V3")("Aave V3 pool", aaveV3.pool),
    ...(morphoBlue === null ? [] : [deployableByCreator("lending by Morpho Blue")("Morpho Blue", morphoBlue.morpho)])
  ]
}

/**
 * Returns contracts that the service's features need on a chain, the most important first. Excludes aggregators,
 * bridges and CoW Protocol, and all tokens except the wrapped native token.
 */
export const contractsOf = (chainId: EvmChainId): ReadonlyArray<ChainContract> => {
  const { multicall3, nativeCurrency, wrappedNative } = deploymentOf(chainId)
  return [
    requiredContract("Multicall3", multicall3),
    ...accounts(),
    deployableByCreator(`swaps of ${nativeCurrency.symbol}`)(wrappedNative.symbol, wrappedNative.address),
    ...exchanges(chainId),
    ...markets(chainId),
    ...priceFeedsOf(chainId).feeds.map(({ feed, pair }) =>
      deployableByCreator("prices in USD, which gas fees in tokens need")(`Chainlink ${pair}`, feed)
    )
  ]
}
