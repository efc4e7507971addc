import { type ChainId, type EvmChainId, isEvmChainId } from "@countersign/core/foundation/chains"
import type { Address } from "@countersign/core/foundation/primitives"
import { accountContracts, cowContracts, deploymentOf, lendingOf } from "../deployments/index.ts"

const accountContractNames: Readonly<Record<Address, string>> = {
  [accountContracts.entryPoint07]: "EntryPoint 0.7",
  [accountContracts.entryPoint08]: "EntryPoint 0.8",
  [accountContracts.simpleAccountFactory07]: "SimpleAccountFactory 0.7",
  [accountContracts.simpleAccountFactory08]: "SimpleAccountFactory 0.8",
  [accountContracts.simple7702Account]: "Simple7702Account",
  [accountContracts.safeProxyFactory]: "SafeProxyFactory 1.4.1",
  [accountContracts.safeSingletonL2]: "SafeL2 1.4.1",
  [accountContracts.safe4337Module]: "Safe4337Module 0.3.0",
  [accountContracts.multiSend]: "MultiSend 1.4.1"
}

const namesByChain = new Map<EvmChainId, Readonly<Record<Address, string>>>()

const namesOf = (chainId: EvmChainId): Readonly<Record<Address, string>> => {
  const { constantProduct, multicall3, pancakeV3, permit2, tokens, uniswapV3, uniswapV4, universalRouter } =
    deploymentOf(chainId)
  const { aaveV3, morphoBlue } = lendingOf(chainId)
  return {
    ...Object.fromEntries(tokens.map(({ address, symbol }) => [address, symbol])),
    ...accountContractNames,
    [multicall3]: "Multicall3",
    [permit2]: "Permit2",
    [uniswapV3.factory]: "UniswapV3Factory",
    [uniswapV3.nonfungiblePositionManager]: "NonfungiblePositionManager",
    [uniswapV3.quoterV2]: "QuoterV2",
    [uniswapV3.swapRouter02]: "SwapRouter02",
    [uniswapV3.tickLens]: "TickLens",
    ...Object.fromEntries(constantProduct.map(({ name, router }) => [router, `${name} router`])),
    ...(pancakeV3 === undefined ? {} : { [pancakeV3.swapRouter]: "PancakeSwap V3 router" }),
    ...(uniswapV4 === undefined ? {} : { [uniswapV4.poolManager]: "PoolManager" }),
    [cowContracts.settlement]: "GPv2Settlement",
    [cowContracts.vaultRelayer]: "GPv2VaultRelayer",
    [aaveV3.pool]: "Aave V3 Pool",
    ...(morphoBlue === null ? {} : { [morphoBlue.morpho]: "Morpho Blue" }),
    // The Universal Router also executes swaps through Uniswap V2 pairs.
    ...(universalRouter === undefined ? {} : { [universalRouter]: "UniversalRouter" })
  }
}

/** Returns the usual name of the contract at an address, or the symbol of a token; null if unknown. */
export const contractName = (chainId: ChainId, address: Address): string | null => {
  if (!isEvmChainId(chainId)) return null
  const names = namesByChain.get(chainId) ?? namesOf(chainId)
  namesByChain.set(chainId, names)
  return names[address] ?? null
}
