import { EvmChainId } from "@countersign/core/foundation/chains"
import { Address, Hash32, isNativeCoin } from "@countersign/core/foundation/primitives"
import { Schema } from "effect"

/** Uniswap V3 on one chain. Pools sit at CREATE2(factory, keccak256(abi.encode(token0, token1, fee)), poolInitCodeHash). */
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
 * Uniswap V2 or a fork. Pairs are at CREATE2(factory, keccak256(token0 ++ token1), initCodeHash) and charge a fee of 1
 * - feeNumerator / feeDenominator. The router has the functions of UniswapV2Router02.
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

/** Uniswap V4: one contract holds all pools, each with the keccak256 of its key as id. */
const UniswapV4Deployment = Schema.Struct({
  poolManager: Address,
  positionManager: Address,
  stateView: Address,
  quoter: Address
})
export type UniswapV4Deployment = typeof UniswapV4Deployment.Type

/** PancakeSwap V3: Uniswap V3's math, with a separate deployer contract for pools and another callback name. */
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

/** LI.FI: the entry contract that wallets call, and LI.FI's contracts that the entry contract calls. */
const LiFiDeployment = Schema.Struct({
  diamond: Address,
  /** LiFiDEXAggregator. */
  exchange: Address,
  feeCollector: Address,
  feeForwarder: Address,
  /** AcrossFacetV4, which calls Across; absent if the entry contract does not have this facet. */
  acrossFacet: Schema.optionalKey(Address),
  /** Chainflip's Vault, if ChainflipFacet deposits into it to start transfers to Bitcoin. */
  chainflipVault: Schema.optionalKey(Address)
})
export type LiFiDeployment = typeof LiFiDeployment.Type

export const ListedToken = Schema.Struct({
  chainId: EvmChainId,
  address: Address,
  name: Schema.String,
  symbol: Schema.String,
  decimals: Schema.Int,
  /** `rwa`, `stablecoin`, `wrapped-native`, `transfer-restricted`, `pimlico-erc20-paymaster`. */
  tags: Schema.Array(Schema.String),
  logoUrl: Schema.optionalKey(Schema.String),
  coingeckoId: Schema.optionalKey(Schema.String)
})
export type ListedToken = typeof ListedToken.Type

/** The deployments of a chain. Names, block times and finality are in the core (`core/chains`). */
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
  /** Uniswap's own deployment comes first if the chain has one, because the Universal Router is its router. */
  constantProduct: Schema.Array(ConstantProductDeployment),
  uniswapV4: Schema.optionalKey(UniswapV4Deployment),
  /** Version 2.0. */
  universalRouter: Schema.optionalKey(Address),
  pancakeV3: Schema.optionalKey(PancakeV3Deployment),
  /** MetaAggregationRouterV2 of KyberSwap's aggregator. */
  kyberSwapRouter: Schema.optionalKey(Address),
  /** Augustus 6.2 of Velora's aggregator. */
  veloraRouter: Schema.optionalKey(Address),
  lifi: LiFiDeployment,
  /** The contract that returns the fee for posting call data to the parent chain; absent without a parent. */
  l1DataFee: Schema.optionalKey(Schema.Literals(["op-stack", "arbitrum"])),
  /** Whether the chain supports set-code transactions (type 4). */
  eip7702: Schema.Boolean,
  explorer: Schema.Struct({ name: Schema.String, url: Schema.String }),
  /** Public third-party nodes with rate limits. The service only uses them if the operator enables them. */
  publicRpcUrls: Schema.Array(Schema.String)
})

/** The contract addresses of one chain in production. The sandbox deploys the same contracts at the same addresses. */
export interface ChainDeployment extends Omit<typeof ChainRow.Type, "wrappedNative"> {
  readonly wrappedNative: ListedToken
  readonly tokens: ReadonlyArray<ListedToken>
}

/** The token in pools: the wrapped form of a native token, or the token itself. */
export const pooledToken = (address: Address, { wrappedNative }: ChainDeployment): Address =>
  isNativeCoin(address) ? wrappedNative.address : address
