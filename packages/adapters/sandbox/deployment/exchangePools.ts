import type { EvmChainId } from "@countersign/core/foundation/chains"
import type { Address } from "@countersign/core/foundation/primitives"
import { encodeAbiParameters, type Hex, maxUint160, maxUint256, numberToHex, parseAbi, parseAbiParameters } from "viem"
import { deploymentOf, type PancakeV3Deployment } from "../../src/chains/deployments/index.ts"
import { encoderOf } from "../../src/chains/evm/index.ts"
import { pairKey, v3ExchangesOf, v3Key } from "../../src/exchanges/pools/index.ts"
import type { RpcCall } from "../anvil/AnvilRpc.ts"
import type { SandboxKeys } from "../keys.ts"
import { callsOf, type Transaction } from "./block.ts"
import { sandboxConstantProduct } from "./exchangePlacements.ts"
import {
  type PlannedPair,
  type PlannedV4Pool,
  sandboxPairsOfConstantProduct,
  sandboxPancakePools,
  sandboxV4Pools,
  V4_NATIVE_TOKEN
} from "./exchangePlan.ts"
import { approvalTransactions, mintCalls } from "./furnishing.ts"
import { sandboxTokens } from "./market.ts"
import type { PlannedPool } from "./poolPlan.ts"

const exchangeAbi = parseAbi([
  "struct PoolKey { address currency0; address currency1; uint24 fee; int24 tickSpacing; address hooks; }",
  "function addLiquidity(address tokenA, address tokenB, uint256 amountADesired, uint256 amountBDesired, uint256 amountAMin, uint256 amountBMin, address to, uint256 deadline)",
  "function approve(address token, address spender, uint160 amount, uint48 expiration)",
  "function setProtocolFeeController(address controller)",
  "function setOwner(address owner)",
  "function setProtocolFee(PoolKey key, uint24 newProtocolFee)",
  "function initializePool(PoolKey key, uint160 sqrtPriceX96) payable returns (int24)",
  "function modifyLiquidities(bytes unlockData, uint256 deadline) payable",
  "function multicall(bytes[] data) payable returns (bytes[])",
  "function createPool(address tokenA, address tokenB, uint24 fee) returns (address)",
  "function initialize(uint160 sqrtPriceX96)",
  "function setFeeProtocol(address pool, uint32 feeProtocol0, uint32 feeProtocol1)"
])
const exchangeData = encoderOf(exchangeAbi)
const exchangeCall = callsOf(exchangeAbi)

const MAX_UINT48 = 2 ** 48 - 1
/** Rounding margin in base units, because a position can take one unit more than its amounts. */
const ROUNDING_MARGIN = 2n

const pairTransaction = ({ amounts, exchange, tokens: [a, b] }: PlannedPair, treasury: Address): Transaction =>
  exchangeCall(treasury, exchange.router, "addLiquidity", [
    a.address,
    b.address,
    ...amounts,
    0n,
    0n,
    treasury,
    maxUint256
  ])

const v4KeyOf = ({ feePips, tickSpacing, token0, token1 }: PlannedV4Pool) => ({
  currency0: token0,
  currency1: token1,
  fee: feePips,
  tickSpacing,
  hooks: V4_NATIVE_TOKEN
})

/** Storage slots of price0CumulativeLast and price1CumulativeLast in UniswapV2Pair. */
const PRICE_SUM_SLOTS = [9, 10]

/**
 * Returns the calls that set the cumulative prices of each pair to nonzero values, as on live chains. Otherwise the
 * first swap would pay to initialize two storage slots. A simulation in the block of the pair's last update would not
 * include this cost.
 */
export const priceSumCalls = (chainId: EvmChainId): ReadonlyArray<RpcCall> =>
  sandboxPairsOfConstantProduct(chainId).flatMap(({ exchange, tokens: [a, b] }) =>
    PRICE_SUM_SLOTS.map((slot) => ({
      method: "anvil_setStorageAt",
      params: [
        pairKey(exchange, a.address, b.address).address,
        numberToHex(slot, { size: 32 }),
        numberToHex(1, { size: 32 })
      ]
    }))
  )

/** Codes of v4-periphery's `Actions`. */
const MINT_POSITION = "02"
const SETTLE_PAIR = "0d"
const SWEEP = "14"

const v4PoolTransaction = (pool: PlannedV4Pool, positionManager: Address, treasury: Address): Transaction => {
  const key = v4KeyOf(pool)
  const mints = pool.positions.map(({ amount0, amount1, liquidity, tickLower, tickUpper }) =>
    encodeAbiParameters(
      parseAbiParameters(
        "(address, address, uint24, int24, address), int24, int24, uint256, uint128, uint128, address, bytes"
      ),
      [
        [key.currency0, key.currency1, key.fee, key.tickSpacing, key.hooks],
        tickLower,
        tickUpper,
        liquidity,
        // Allows slightly more than the amounts, because amounts and liquidity are rounded to nine digits.
        (amount0 * 1001n) / 1000n + ROUNDING_MARGIN,
        (amount1 * 1001n) / 1000n + ROUNDING_MARGIN,
        treasury,
        "0x"
      ]
    )
  )
  const settle = encodeAbiParameters(parseAbiParameters("address, address"), [key.currency0, key.currency1])
  const sweep = encodeAbiParameters(parseAbiParameters("address, address"), [key.currency0, treasury])
  const actions: Hex = `0x${MINT_POSITION.repeat(mints.length)}${SETTLE_PAIR}${SWEEP}`
  const unlockData = encodeAbiParameters(parseAbiParameters("bytes, bytes[]"), [actions, [...mints, settle, sweep]])
  const nativeToken = pool.positions.reduce((sum, { amount0 }) => sum + amount0, 0n)
  const calls = [
    exchangeData("initializePool", [key, pool.sqrtPriceX96]),
    exchangeData("modifyLiquidities", [unlockData, maxUint256])
  ]
  const value = pool.token0 === V4_NATIVE_TOKEN ? (nativeToken * 1001n) / 1000n : 0n
  return exchangeCall(treasury, positionManager, "multicall", [calls], value)
}

const protocolFeeTransaction = (pool: PlannedV4Pool, poolManager: Address, treasury: Address): Transaction => {
  const { oneForZero, zeroForOne } = pool.protocolFeePips
  return exchangeCall(treasury, poolManager, "setProtocolFee", [v4KeyOf(pool), zeroForOne | (oneForZero << 12)])
}

const v4Transactions = (chainId: EvmChainId, treasury: Address): ReadonlyArray<Transaction> => {
  const { uniswapV4 } = deploymentOf(chainId)
  if (uniswapV4 === undefined) return []
  const pools = sandboxV4Pools(chainId)
  return [
    ...pools.map((pool) => v4PoolTransaction(pool, uniswapV4.positionManager, treasury)),
    ...pools
      .filter(({ protocolFeePips }) => protocolFeePips.zeroForOne > 0)
      .map((pool) => protocolFeeTransaction(pool, uniswapV4.poolManager, treasury))
  ]
}

/** Protocol fee in ten-thousandths of the swap fee. */
const PANCAKE_PROTOCOL_FEE = 3_300

const pancakePoolTransactions = (
  { factory, nonfungiblePositionManager }: PancakeV3Deployment,
  address: Address,
  pool: PlannedPool,
  treasury: Address
): ReadonlyArray<Transaction> => {
  const setFeeProtocol = (fee: number) => exchangeCall(treasury, factory, "setFeeProtocol", [address, fee, fee])
  return [
    exchangeCall(treasury, factory, "createPool", [pool.token0, pool.token1, pool.feePips]),
    exchangeCall(treasury, address, "initialize", [pool.sqrtPriceX96]),
    // Zero while liquidity is added, because Uniswap's position manager decodes a protocol fee of eight bits, and
    // PancakeSwap's fee has more bits.
    setFeeProtocol(0),
    exchangeCall(treasury, nonfungiblePositionManager, "multicall", [mintCalls(pool, treasury)]),
    setFeeProtocol(PANCAKE_PROTOCOL_FEE)
  ]
}

const pancakeTransactions = (chainId: EvmChainId, treasury: Address): ReadonlyArray<Transaction> => {
  const deployment = deploymentOf(chainId)
  const { pancakeV3 } = deployment
  const [, exchange] = v3ExchangesOf(deployment)
  if (pancakeV3 === undefined || exchange === undefined) return []
  return sandboxPancakePools(chainId).flatMap((pool) => {
    const { address } = v3Key(exchange, pool.token0, pool.token1, pool.feePips)
    return pancakePoolTransactions(pancakeV3, address, pool, treasury)
  })
}

/**
 * Returns the transactions that create the pools of all exchanges except Uniswap V3. The treasury owns their liquidity.
 */
export const exchangeTransactions = (
  chainId: EvmChainId,
  { treasury: { address: treasury } }: SandboxKeys
): ReadonlyArray<Transaction> => [
  ...sandboxPairsOfConstantProduct(chainId).map((pair) => pairTransaction(pair, treasury)),
  ...v4Transactions(chainId, treasury),
  ...pancakeTransactions(chainId, treasury)
]

/**
 * Returns the transactions that approve the treasury's tokens for liquidity, and that allow the treasury to set protocol
 * fees.
 */
export const exchangeSetupTransactions = (chainId: EvmChainId, keys: SandboxKeys): ReadonlyArray<Transaction> => {
  const { pancakeV3, permit2, uniswapV4 } = deploymentOf(chainId)
  const treasury = keys.treasury.address
  const tokens = sandboxTokens(chainId).map(({ address }) => address)
  const spenders = [
    ...sandboxConstantProduct(chainId).map(({ router }) => router),
    ...(uniswapV4 === undefined ? [] : [permit2]),
    ...(pancakeV3 === undefined ? [] : [pancakeV3.nonfungiblePositionManager])
  ]
  return [
    ...tokens.flatMap((token) => approvalTransactions(token, treasury, spenders)),
    ...(uniswapV4 === undefined
      ? []
      : [
          ...tokens.map((token) =>
            exchangeCall(treasury, permit2, "approve", [token, uniswapV4.positionManager, maxUint160, MAX_UINT48])
          ),
          exchangeCall(treasury, uniswapV4.poolManager, "setProtocolFeeController", [treasury])
        ]),
    ...(pancakeV3 === undefined ? [] : [exchangeCall(keys.deployer.address, pancakeV3.factory, "setOwner", [treasury])])
  ]
}
