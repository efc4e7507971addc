import { EvmChainId } from "@countersign/core/foundation/chains"
import { Address, Hash32, isNativeToken } from "@countersign/core/foundation/primitives"
import { Schema } from "effect"

/**
 * Uniswap V3 on one chain. Pool addresses are CREATE2(factory, keccak256(abi.encode(token0, token1, fee)),
 * poolInitCodeHash).
 */
const UniswapV3Deployment = Schema.Struct({
  factory: Address,
  nonfungiblePositionManager: Address,
  swapRouter02: Address,
  quoterV2: Address,
  tickLens: Address,
  poolInitCodeHash: Hash32
})
export type UniswapV3Deployment = typeof UniswapV3Deployment.Type

/**
 * Uniswap V2 or a fork. Pair addresses are CREATE2(factory, keccak256(token0 ++ token1), initCodeHash). The fee is 1 -
 * feeNumerator / feeDenominator. The router has the functions of UniswapV2Router02.
 */
const ConstantProductDeployment = Schema.Struct({
  name: Schema.String,
  factory: Address,
  router: Address,
  initCodeHash: Hash32,
  feeNumerator: Schema.Int,
  feeDenominator: Schema.Int
})
export type ConstantProductDeployment = typeof ConstantProductDeployment.Type

/** Uniswap V4: one contract contains all pools. The id of a pool is the keccak256 hash of its key. */
const UniswapV4Deployment = Schema.Struct({
  poolManager: Address,
  positionManager: Address,
  stateView: Address,
  quoter: Address
})
export type UniswapV4Deployment = typeof UniswapV4Deployment.Type

/** PancakeSwap V3: Uniswap V3's math, but a separate deployer contract for pools and another callback name. */
const PancakeV3Deployment = Schema.Struct({
  factory: Address,
  poolDeployer: Address,
  swapRouter: Address,
  quoterV2: Address,
  tickLens: Address,
  nonfungiblePositionManager: Address,
  poolInitCodeHash: Hash32
})
export type PancakeV3Deployment = typeof PancakeV3Deployment.Type

/** LI.FI: the contract that wallets call, and LI.FI's contracts that it calls. */
const LiFiDeployment = Schema.Struct({
  diamond: Address,
  /** LiFiDEXAggregator. */
  exchange: Address,
  feeCollector: Address,
  feeForwarder: Address,
  /** AcrossFacetV4, which calls Across; absent if LI.FI's contract does not have this facet. */
  acrossFacet: Schema.optionalKey(Address),
  /** Chainflip's Vault; present if ChainflipFacet deposits into it to start transfers to Bitcoin. */
  chainflipVault: Schema.optionalKey(Address)
})
export type LiFiDeployment = typeof LiFiDeployment.Type

export const ListedToken = Schema.Struct({
  chainId: EvmChainId,
  address: Address,
  name: Schema.String,
  symbol: Schema.String,
  decimals: Schema.Int,
  /** Any of `rwa`, `stablecoin`, `wrapped-native`, `transfer-restricted`, `pimlico-erc20-paymaster`. */
  tags: Schema.Array(Schema.String),
  logoUrl: Schema.optionalKey(Schema.String),
  coingeckoId: Schema.optionalKey(Schema.String)
})
export type ListedToken = typeof ListedToken.Type

/** The deployments on a chain. Chain names, block times and finality are in the core (`core/chains`). */
export const ChainRow = Schema.Struct({
  chainId: EvmChainId,
  multicall3: Address,
  permit2: Address,
  nativeCurrency: Schema.Struct({
    name: Schema.String,
    symbol: Schema.String,
    decimals: Schema.Int,
    coingeckoId: Schema.optionalKey(Schema.String)
  }),
  wrappedNative: Address,
  uniswapV3: UniswapV3Deployment,
  /**
   * If the chain has Uniswap's own V2 deployment, it comes first, because the Universal Router supports only this one.
   */
  constantProduct: Schema.Array(ConstantProductDeployment),
  uniswapV4: Schema.optionalKey(UniswapV4Deployment),
  /** Version 2.0. */
  universalRouter: Schema.optionalKey(Address),
  pancakeV3: Schema.optionalKey(PancakeV3Deployment),
  /** MetaAggregationRouterV2 of KyberSwap. */
  kyberSwapRouter: Schema.optionalKey(Address),
  /** Augustus 6.2 of Velora. */
  veloraRouter: Schema.optionalKey(Address),
  lifi: LiFiDeployment,
  /**
   * Type of the contract that returns the fee for posting calldata to the parent chain; absent if the chain has no
   * parent.
   */
  l1DataFee: Schema.optionalKey(Schema.Literals(["op-stack", "arbitrum"])),
  /** Whether the chain supports set-code transactions (type 4). */
  eip7702: Schema.Boolean,
  explorer: Schema.Struct({ name: Schema.String, url: Schema.String }),
  /** Public third-party nodes with rate limits. The service uses them only if the operator enables them. */
  publicRpcUrls: Schema.Array(Schema.String)
})

/** The contract addresses and tokens of one chain in production. The sandbox's contracts have the same addresses. */
export interface ChainDeployment extends Omit<typeof ChainRow.Type, "wrappedNative"> {
  readonly wrappedNative: ListedToken
  readonly tokens: ReadonlyArray<ListedToken>
}

/**
 * Returns the token that pools use: the wrapped native token instead of the native token, any other token unchanged.
 */
export const pooledToken = (address: Address, { wrappedNative }: ChainDeployment): Address =>
  isNativeToken(address) ? wrappedNative.address : address
