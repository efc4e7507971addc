import { chainOf, type EvmChainId } from "@countersign/core/foundation/chains"
import type { UpstreamUnavailable } from "@countersign/core/foundation/errors"
import { type Address, BoundedMap, decimalFromBaseUnits } from "@countersign/core/foundation/primitives"
import {
  LiquidityMarket,
  LiquidityRefusal,
  type OpenPool,
  type OpenPosition,
  type PositionPool,
  tickAtSqrtPriceX96
} from "@countersign/core/trading/liquidity"
import { Effect, Layer } from "effect"
import { decodeFunctionResult } from "viem"
import { deploymentOf, pooledToken } from "../../chains/deployments/index.ts"
import { encoderOf, RpcClients } from "../../chains/evm/index.ts"
import { factoryAbi, KNOWN_FEES_PIPS, multicall, PoolReader, type V3Key } from "../pools/index.ts"
import { depositOf } from "./deposit.ts"
import { readOwned } from "./ownedPositions.ts"
import { type PositionIdentity, readIdentity, readState, uniswapKey } from "./positionState.ts"
import { rebalancingOf } from "./rebalancing.ts"
import { ownPool, readSnapshot, type Snapshot } from "./Snapshot.ts"
import { withdrawalOf } from "./withdrawal.ts"

const factoryData = encoderOf(factoryAbi)

/** Maximum number of positions whose immutable fields are cached. The oldest entries are removed first. */
const MAX_IDENTITIES = 10_000

const positionNotFound = (chainId: EvmChainId, tokenId: bigint): LiquidityRefusal =>
  new LiquidityRefusal({
    about: "POSITION",
    reason: `There is no Uniswap V3 position ${tokenId} on ${chainOf(chainId).name}.`
  })

const percentText = (pips: number): string => decimalFromBaseUnits(BigInt(pips), 4)

const poolOf = (snapshot: Snapshot): PositionPool | null => {
  const positionPool = ownPool(snapshot)
  const { address, feePips, token0, token1 } = snapshot.ownKey
  return positionPool === undefined
    ? null
    : {
        address,
        token0,
        token1,
        feePips,
        tickSpacing: positionPool.tickSpacing,
        sqrtPriceX96: positionPool.sqrtPriceX96,
        tick: positionPool.tick
      }
}

/**
 * Computes operations on Uniswap V3 positions from the state of one block. The results equal those of the contracts.
 */
export const layer = Layer.effect(
  LiquidityMarket,
  Effect.gen(function* () {
    const rpc = yield* RpcClients
    const reader = yield* PoolReader
    const identities = new BoundedMap<string, PositionIdentity>(MAX_IDENTITIES)
    const provideReader = Effect.provideService(PoolReader, reader)

    const identityOf = Effect.fnUntraced(function* (chainId: EvmChainId, tokenId: bigint) {
      const id = `${chainId}:${tokenId}`
      const cachedIdentity = identities.get(id)
      if (cachedIdentity !== undefined) return cachedIdentity
      const identity = yield* rpc.call(chainId, (client) => readIdentity(client, chainId, tokenId))
      if (identity === null) return yield* positionNotFound(chainId, tokenId)
      identities.set(id, identity)
      return identity
    })

    /**
     * Reads a position at a block or at the latest block. If it no longer exists, removes it from the cache and fails.
     */
    const stateOf = Effect.fnUntraced(function* (
      chainId: EvmChainId,
      tokenId: bigint,
      identity: PositionIdentity,
      block: Snapshot["block"] | null
    ) {
      const state = yield* rpc.call(chainId, (client) => readState(client, chainId, tokenId, identity, block))
      if (state !== null) return state
      identities.delete(`${chainId}:${tokenId}`)
      return yield* positionNotFound(chainId, tokenId)
    })

    /** Returns the tick spacing of a fee. If the fee does not exist, fails with the list of existing fees. */
    const tickSpacingOf = Effect.fnUntraced(function* (chainId: EvmChainId, feePips: number) {
      const { factory } = deploymentOf(chainId).uniswapV3
      const fees = [...new Set([...KNOWN_FEES_PIPS, feePips])].filter(Number.isInteger)
      const calls = fees.map((fee) => ({
        target: factory,
        callData: factoryData("feeAmountTickSpacing", [fee])
      }))
      const { results } = yield* rpc.call(chainId, (client) => multicall(client, chainId, calls, null))
      const spacings = results.map((data) =>
        data === null ? 0 : decodeFunctionResult({ abi: factoryAbi, functionName: "feeAmountTickSpacing", data })
      )
      const spacing = spacings[fees.indexOf(feePips)] ?? 0
      if (spacing > 0) return spacing
      const existingFees = fees.filter((_, i) => spacings[i]! > 0).sort((a, b) => a - b)
      return yield* new LiquidityRefusal({
        about: "FEE_TIER",
        reason: `There is no fee tier of ${feePips / 10_000} % on ${chainOf(chainId).name}. Expected one of ${existingFees.map(percentText).join(", ")}.`
      })
    })

    const openPool = Effect.fn("LiquidityMarket.openPool")(function* ({
      chainId,
      feePips,
      tokenIn,
      tokens: [a, b]
    }: Parameters<LiquidityMarket["Service"]["openPool"]>[0]) {
      const deployment = deploymentOf(chainId)
      const pooledAddress = (address: Address) => pooledToken(address, deployment)
      if (pooledAddress(a.address) === pooledAddress(b.address)) {
        return yield* new LiquidityRefusal({
          about: "PAIR",
          reason: `A pool needs two different tokens, and in pools ${a.symbol} and ${b.symbol} are the same token.`
        })
      }
      if (!Number.isInteger(feePips)) yield* tickSpacingOf(chainId, feePips)
      const ownKey = uniswapKey(chainId, pooledAddress(a.address), pooledAddress(b.address), feePips)
      const snapshot = yield* readSnapshot(chainId, ownKey, pooledAddress(tokenIn.address)).pipe(provideReader)
      const pool = poolOf(snapshot)
      const tickSpacing = pool?.tickSpacing ?? (yield* tickSpacingOf(chainId, feePips))
      const openedPool: OpenPool = {
        pool,
        manager: deployment.uniswapV3.nonfungiblePositionManager,
        address: ownKey.address,
        isInOrder: ownKey.token0 === pooledAddress(a.address),
        tickSpacing,
        deposit: ({ amountIn, range, startSqrtPriceX96 }) =>
          provideReader(
            depositOf({
              snapshot,
              identity: { key: ownKey, range },
              pool: pool ?? newPool(ownKey, tickSpacing, startSqrtPriceX96!),
              tokenIn,
              amountIn,
              tokenId: null,
              startSqrtPriceX96: pool === null ? startSqrtPriceX96 : null
            })
          )
      }
      return openedPool
    })

    const openPosition = Effect.fn("LiquidityMarket.openPosition")(function* ({
      chainId,
      token,
      tokenId
    }: Parameters<LiquidityMarket["Service"]["openPosition"]>[0]): Effect.fn.Return<
      OpenPosition,
      LiquidityRefusal | UpstreamUnavailable
    > {
      const identity = yield* identityOf(chainId, tokenId)
      const pooledAddress = token === null ? null : pooledToken(token.address, deploymentOf(chainId))
      const [snapshot, latestState] = yield* Effect.all(
        [provideReader(readSnapshot(chainId, identity.key, pooledAddress)), stateOf(chainId, tokenId, identity, null)],
        { concurrency: 2 }
      )
      const isOfBlock =
        latestState.position.blockNumber === snapshot.block.number &&
        latestState.position.pool.sqrtPriceX96 === ownPool(snapshot)?.sqrtPriceX96
      const state = isOfBlock ? latestState : yield* stateOf(chainId, tokenId, identity, snapshot.block)
      const { position } = state
      return {
        position,
        deposit: (amountIn) =>
          token === null
            ? Effect.die(new Error("A new position needs the deposited token"))
            : provideReader(
                depositOf({
                  snapshot,
                  identity,
                  pool: position.pool,
                  tokenIn: token,
                  amountIn,
                  tokenId,
                  startSqrtPriceX96: null
                })
              ),
        withdraw: (request) => provideReader(withdrawalOf(snapshot, state, request)),
        rebalance: (request) => provideReader(rebalancingOf(snapshot, state, request))
      }
    })

    return LiquidityMarket.of({
      readPosition: Effect.fn("LiquidityMarket.position")(function* (chainId, tokenId) {
        const identity = yield* identityOf(chainId, tokenId)
        return (yield* stateOf(chainId, tokenId, identity, null)).position
      }),
      listOwned: (chainId, owner) => rpc.call(chainId, (client) => readOwned(client, chainId, owner)),
      openPool,
      openPosition
    })
  })
)

/** Builds a pool that the operation creates. Until it has liquidity, only its price is used. */
const newPool = (
  { address, feePips, token0, token1 }: V3Key,
  tickSpacing: number,
  sqrtPriceX96: bigint
): PositionPool => ({
  address,
  token0,
  token1,
  feePips,
  tickSpacing,
  sqrtPriceX96,
  tick: tickAtSqrtPriceX96(sqrtPriceX96)
})
