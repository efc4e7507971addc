import type { EvmChainId } from "@countersign/core/chains"
import type { Address, Hash32 } from "@countersign/core/primitives"

/** Uniswap V3 on one chain. Pools sit at CREATE2(factory, keccak256(abi.encode(token0, token1, fee)), poolInitCodeHash). */
export interface UniswapV3Deployment {
  readonly factory: Address
  readonly nonfungiblePositionManager: Address
  readonly swapRouter02: Address
  readonly quoterV2: Address
  readonly tickLens: Address
  readonly poolInitCodeHash: Hash32
  /** Fee in hundredths of a basis point (1e-6), ascending. That a tier is enabled is a fact of the factory on chain. */
  readonly feeTiers: ReadonlyArray<readonly [feePips: number, tickSpacing: number]>
}

export interface ListedToken {
  readonly chainId: EvmChainId
  readonly address: Address
  readonly name: string
  readonly symbol: string
  readonly decimals: number
  /** `rwa`, `stablecoin`, `wrapped-native`, `transfer-restricted`, `pimlico-erc20-paymaster`. */
  readonly tags: ReadonlyArray<string>
  readonly logoUrl?: string
  readonly coingeckoId?: string
}

/** Where things are on one chain in production. The sandbox puts the same contracts at the same addresses. */
export interface ChainDeployment {
  readonly chainId: EvmChainId
  readonly multicall3: Address
  readonly permit2: Address
  readonly nativeCurrency: {
    readonly name: string
    readonly symbol: string
    readonly decimals: number
    readonly coingeckoId?: string
  }
  readonly wrappedNative: ListedToken
  readonly uniswapV3: UniswapV3Deployment
  /** Whether the chain takes set-code transactions (type 4). */
  readonly eip7702: boolean
  readonly explorer: { readonly name: string; readonly url: string }
  /** Public nodes with rate limits: a last resort where the operator has configured no URL. */
  readonly defaultRpcUrls: ReadonlyArray<string>
  readonly blockTimeMs: number
  readonly tokens: ReadonlyArray<ListedToken>
}
