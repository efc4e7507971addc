import { Address, type Hash32 } from "@countersign/core/foundation/primitives"
import { encodeAbiParameters, encodePacked, getCreate2Address, keccak256, parseAbiParameters } from "viem"
import type { ChainDeployment, ConstantProductDeployment } from "../../chains/deployments/index.ts"
import { addressFromHex } from "../../chains/evm/index.ts"
import type { PairKey, PoolKey, V3Key, V4Key } from "./PoolKey.ts"

export const UNISWAP_V3 = "Uniswap V3"
export const PANCAKE_V3 = "PancakeSwap V3"
export const UNISWAP_V4 = "Uniswap V4"

/**
 * In a Uniswap V4 pool key, the zero address as a currency is the native token. The zero address as a hook means that
 * the pool has no hook.
 */
export const ZERO_ADDRESS = Address.make("0x0000000000000000000000000000000000000000")

/**
 * Fees and tick spacings of the Uniswap V4 pools that are searched: those that Uniswap's interface offers. A pool can
 * have any other combination.
 */
const V4_TIERS: ReadonlyArray<readonly [feePips: number, tickSpacing: number]> = [
  [100, 1],
  [500, 10],
  [3_000, 60],
  [10_000, 200]
]

const sortTokens = (a: Address, b: Address): readonly [Address, Address] => (a < b ? [a, b] : [b, a])

/** Computes the V2 pair of two tokens, which may not exist. */
export const pairKey = (
  { factory, feeDenominator, feeNumerator, initCodeHash, name, router }: ConstantProductDeployment,
  a: Address,
  b: Address
): PairKey => {
  const [token0, token1] = sortTokens(a, b)
  const salt = keccak256(encodePacked(["address", "address"], [token0, token1]))
  const address = addressFromHex(getCreate2Address({ from: factory, salt, bytecodeHash: initCodeHash }))
  return {
    _tag: "V2",
    id: address,
    address,
    venue: name,
    token0,
    token1,
    router,
    feeNumerator: BigInt(feeNumerator),
    feeDenominator: BigInt(feeDenominator)
  }
}

/** The contracts that create the pools of Uniswap V3 or of a fork. */
export interface V3Exchange {
  readonly venue: string
  readonly factory: Address
  /** Contract that creates the pools by CREATE2: the factory, or a separate deployer. */
  readonly creator: Address
  readonly poolInitCodeHash: Hash32
}

export const uniswapV3Of = ({ uniswapV3 }: ChainDeployment): V3Exchange => ({
  venue: UNISWAP_V3,
  creator: uniswapV3.factory,
  ...uniswapV3
})

export const v3ExchangesOf = (deployment: ChainDeployment): ReadonlyArray<V3Exchange> => {
  const { pancakeV3 } = deployment
  const pancake = pancakeV3 === undefined ? [] : [{ venue: PANCAKE_V3, creator: pancakeV3.poolDeployer, ...pancakeV3 }]
  return [uniswapV3Of(deployment), ...pancake]
}

/** Computes the V3 pool of two tokens and a fee, which may not exist. */
export const v3Key = (
  { creator, factory, poolInitCodeHash, venue }: V3Exchange,
  a: Address,
  b: Address,
  feePips: number
): V3Key => {
  const [token0, token1] = sortTokens(a, b)
  const salt = keccak256(encodeAbiParameters(parseAbiParameters("address, address, uint24"), [token0, token1, feePips]))
  const address = addressFromHex(getCreate2Address({ from: creator, salt, bytecodeHash: poolInitCodeHash }))
  return { _tag: "V3", id: address, address, venue, token0, token1, factory, feePips }
}

const v4Key = (
  deployment: ChainDeployment,
  poolManager: Address,
  a: Address,
  b: Address,
  feePips: number,
  tickSpacing: number
): V4Key => {
  const [currency0, currency1] = sortTokens(a, b)
  const id = keccak256(
    encodeAbiParameters(parseAbiParameters("address, address, uint24, int24, address"), [
      currency0,
      currency1,
      feePips,
      tickSpacing,
      ZERO_ADDRESS
    ])
  )
  const wrappedIfNative = (currency: Address) =>
    currency === ZERO_ADDRESS ? deployment.wrappedNative.address : currency
  return {
    _tag: "V4",
    id,
    venue: UNISWAP_V4,
    token0: wrappedIfNative(currency0),
    token1: wrappedIfNative(currency1),
    poolManager,
    currency0,
    currency1,
    feePips,
    tickSpacing
  }
}

/**
 * Returns the possible currency pairs of Uniswap V4 for two tokens, in its order: with the wrapped and with the native
 * token.
 */
export const currencyPairs = (
  { wrappedNative }: ChainDeployment,
  a: Address,
  b: Address
): ReadonlyArray<readonly [Address, Address]> => {
  const toNativeAddress = (token: Address) => (token === wrappedNative.address ? ZERO_ADDRESS : token)
  return [
    sortTokens(a, b),
    ...(toNativeAddress(a) === a && toNativeAddress(b) === b
      ? []
      : [sortTokens(toNativeAddress(a), toNativeAddress(b))])
  ]
}

/**
 * Computes the V4 pools of two tokens. A pool with the wrapped native token and one with the native token are different
 * pools.
 */
const v4Keys = (deployment: ChainDeployment, a: Address, b: Address): ReadonlyArray<V4Key> => {
  const { uniswapV4 } = deployment
  if (uniswapV4 === undefined) return []
  return currencyPairs(deployment, a, b).flatMap(([x, y]) =>
    V4_TIERS.map(([feePips, tickSpacing]) => v4Key(deployment, uniswapV4.poolManager, x, y, feePips, tickSpacing))
  )
}

/**
 * Computes the possible pools of two tokens in the fee tiers that are searched. `feesOf` returns the fee tiers of a V3
 * factory.
 */
export const poolKeys = (
  deployment: ChainDeployment,
  a: Address,
  b: Address,
  feesOf: (factory: Address) => ReadonlyArray<number>
): ReadonlyArray<PoolKey> => [
  ...v3ExchangesOf(deployment).flatMap((exchange) =>
    feesOf(exchange.factory).map((feePips) => v3Key(exchange, a, b, feePips))
  ),
  ...deployment.constantProduct.map((exchange) => pairKey(exchange, a, b)),
  ...v4Keys(deployment, a, b)
]
