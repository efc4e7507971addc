import type { EvmChainId } from "@countersign/core/foundation/chains"
import { type Address, minBigInt } from "@countersign/core/foundation/primitives"
import {
  amountsForLiquidityRoundingDown,
  type FeeGrowth,
  feeGrowthInside,
  feesEarnedRoundingDown,
  type Position,
  type PositionPool,
  sqrtPriceX96AtTick,
  type TickRange,
  type TokenAmounts
} from "@countersign/core/trading/liquidity"
import { decodeFunctionResult, encodeFunctionData, encodePacked, type Hex, keccak256, type PublicClient } from "viem"
import { deploymentOf } from "../../chains/deployments/index.ts"
import { addressFromHex, encoderOf, type ReadCall } from "../../chains/evm/index.ts"
import { multicall, type PoolBlock, type V3Key, v3ExchangesOf, v3Key } from "../pools/index.ts"
import { managerAbi, poolPositionsAbi } from "./abi.ts"

const poolPositionsData = encoderOf(poolPositionsAbi)

/** The immutable fields of a position's NFT. After a reorg the same id can belong to another position. */
export interface PositionIdentity {
  readonly key: V3Key
  readonly range: TickRange
}

/**
 * Fee growth and owed amounts as the position manager stores them for the NFT, or as the pool stores them for the
 * position manager.
 */
interface Ledger {
  readonly liquidity: bigint
  readonly growthLast: FeeGrowth
  readonly owed: TokenAmounts
}

/** A position with all state that a withdrawal depends on. */
export interface PositionState {
  readonly position: Position
  readonly grossLower: bigint
  readonly grossUpper: bigint
}

const managerOf = (chainId: EvmChainId): Address => deploymentOf(chainId).uniswapV3.nonfungiblePositionManager

export const rangePrices = ({ tickLower, tickUpper }: TickRange) => ({
  lowerPriceX96: sqrtPriceX96AtTick(tickLower),
  upperPriceX96: sqrtPriceX96AtTick(tickUpper)
})

/** Computes the Uniswap V3 pool of two tokens and a fee, which may not exist. */
export const uniswapKey = (chainId: EvmChainId, a: Address, b: Address, feePips: number): V3Key => {
  const [uniswap] = v3ExchangesOf(deploymentOf(chainId))
  return v3Key(uniswap!, a, b, feePips)
}

const managerCall = (chainId: EvmChainId, functionName: "positions" | "ownerOf", tokenId: bigint): ReadCall => ({
  target: managerOf(chainId),
  callData: encodeFunctionData({ abi: managerAbi, functionName, args: [tokenId] })
})

const decodeManaged = (data: Hex) => decodeFunctionResult({ abi: managerAbi, functionName: "positions", data })

const identityFrom = (chainId: EvmChainId, data: Hex): PositionIdentity => {
  const [, , token0, token1, fee, tickLower, tickUpper] = decodeManaged(data)
  return {
    key: uniswapKey(chainId, addressFromHex(token0), addressFromHex(token1), fee),
    range: { tickLower, tickUpper }
  }
}

/** Reads the immutable fields of an NFT; null if it does not exist. */
export const readIdentity = async (
  client: PublicClient,
  chainId: EvmChainId,
  tokenId: bigint
): Promise<PositionIdentity | null> => {
  const { results } = await multicall(client, chainId, [managerCall(chainId, "positions", tokenId)], null)
  return results[0] == null ? null : identityFrom(chainId, results[0])
}

const isSame = (a: PositionIdentity, b: PositionIdentity): boolean =>
  a.key.address === b.key.address && a.range.tickLower === b.range.tickLower && a.range.tickUpper === b.range.tickUpper

const stateReads = (
  chainId: EvmChainId,
  tokenId: bigint,
  { key: { address }, range: { tickLower, tickUpper } }: PositionIdentity
): ReadonlyArray<ReadCall> => {
  const poolKey = keccak256(encodePacked(["address", "int24", "int24"], [managerOf(chainId), tickLower, tickUpper]))
  const poolData = [
    poolPositionsData("slot0", []),
    poolPositionsData("tickSpacing", []),
    poolPositionsData("feeGrowthGlobal0X128", []),
    poolPositionsData("feeGrowthGlobal1X128", []),
    poolPositionsData("ticks", [tickLower]),
    poolPositionsData("ticks", [tickUpper]),
    poolPositionsData("positions", [poolKey])
  ]
  return [
    managerCall(chainId, "positions", tokenId),
    managerCall(chainId, "ownerOf", tokenId),
    ...poolData.map((callData) => ({ target: address, callData }))
  ]
}

const lesserOf = (a: TokenAmounts, b: TokenAmounts): TokenAmounts => ({
  amount0: minBigInt(a.amount0, b.amount0),
  amount1: minBigInt(a.amount1, b.amount1)
})

const currentOwedAmounts = ({ growthLast, liquidity, owed }: Ledger, growth: FeeGrowth): TokenAmounts => {
  const earnedFees = feesEarnedRoundingDown(growth, growthLast, liquidity)
  return { amount0: owed.amount0 + earnedFees.amount0, amount1: owed.amount1 + earnedFees.amount1 }
}

/**
 * Reads a position at a block or at the latest block. Null if the NFT does not exist, or if it now belongs to another
 * position.
 */
export const readState = async (
  client: PublicClient,
  chainId: EvmChainId,
  tokenId: bigint,
  identity: PositionIdentity,
  block: PoolBlock | null
): Promise<PositionState | null> => {
  const response = await multicall(client, chainId, stateReads(chainId, tokenId, identity), block)
  const [managerPosition, owner, slot0, spacing, growth0, growth1, lower, upper, poolPosition] = response.results
  if (managerPosition == null || owner == null || !isSame(identityFrom(chainId, managerPosition), identity)) return null
  if (slot0 == null || spacing == null || growth0 == null || growth1 == null) return null
  if (lower == null || upper == null || poolPosition == null) return null
  const { key, range } = identity
  const abi = poolPositionsAbi
  const [sqrtPriceX96, tick] = decodeFunctionResult({ abi, functionName: "slot0", data: slot0 })
  const pool: PositionPool = {
    address: key.address,
    token0: key.token0,
    token1: key.token1,
    feePips: key.feePips,
    tickSpacing: decodeFunctionResult({ abi, functionName: "tickSpacing", data: spacing }),
    sqrtPriceX96,
    tick
  }
  const [grossLower, , lower0, lower1] = decodeFunctionResult({ abi, functionName: "ticks", data: lower })
  const [grossUpper, , upper0, upper1] = decodeFunctionResult({ abi, functionName: "ticks", data: upper })
  const growth = feeGrowthInside(
    { index: range.tickLower, outside: { feeGrowth0X128: lower0, feeGrowth1X128: lower1 } },
    { index: range.tickUpper, outside: { feeGrowth0X128: upper0, feeGrowth1X128: upper1 } },
    tick,
    { feeGrowth0X128: BigInt(growth0), feeGrowth1X128: BigInt(growth1) }
  )
  const [, , , , , , , liquidity, last0, last1, owed0, owed1] = decodeManaged(managerPosition)
  const [poolLiquidity, poolLast0, poolLast1, poolOwed0, poolOwed1] = decodeFunctionResult({
    abi,
    functionName: "positions",
    data: poolPosition
  })
  // Collecting fees updates both records if the position has liquidity; otherwise it updates neither.
  const nftLedger: Ledger = {
    liquidity,
    growthLast: { feeGrowth0X128: last0, feeGrowth1X128: last1 },
    owed: { amount0: owed0, amount1: owed1 }
  }
  const poolLedger: Ledger = {
    liquidity: liquidity === 0n ? 0n : poolLiquidity,
    growthLast: { feeGrowth0X128: poolLast0, feeGrowth1X128: poolLast1 },
    owed: { amount0: poolOwed0, amount1: poolOwed1 }
  }
  return {
    position: {
      chainId,
      tokenId,
      manager: managerOf(chainId),
      owner: addressFromHex(decodeFunctionResult({ abi: managerAbi, functionName: "ownerOf", data: owner })),
      pool,
      range,
      liquidity,
      amounts: amountsForLiquidityRoundingDown(sqrtPriceX96, rangePrices(range), liquidity),
      unclaimed: lesserOf(currentOwedAmounts(nftLedger, growth), currentOwedAmounts(poolLedger, growth)),
      blockNumber: response.blockNumber
    },
    grossLower,
    grossUpper
  }
}
