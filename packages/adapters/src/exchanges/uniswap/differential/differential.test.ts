import type { Address } from "@countersign/core/foundation/primitives"
import {
  amountsForLiquidityRoundingDown,
  amountsForLiquidityRoundingUp,
  type ConcentratedPool,
  feeGrowthInside,
  feesEarnedRoundingDown,
  liquidityForAmountsRoundingDown,
  MAX_TICK,
  MIN_TICK,
  sqrtPriceX96AtTick,
  swapConcentrated,
  usableTickEnds
} from "@countersign/core/trading/liquidity"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { decodeFunctionResult, encodeFunctionData, type Hex, maxUint256, parseAbi } from "viem"
import { concentratedToPrice } from "../../../../../core/src/trading/liquidity/math/concentratedToPrice.fixture.ts"
import { maxLiquidityPerTick } from "../../../../../core/src/trading/liquidity/math/maxLiquidityPerTick.fixture.ts"
import {
  type RandomNumbers,
  randomNumbers
} from "../../../../../core/src/trading/liquidity/math/randomPools.fixture.ts"
import { shortOrLong } from "../../../../../core/test/support/longTests.ts"
import { SandboxChains, sandboxTokens } from "../../../../sandbox/index.ts"
import { PATIENT_RPC } from "../../../../test/evm/patientRpc.ts"
import {
  type ContractCall,
  liquidityChanges,
  managerAbi,
  poolFeesAbi,
  quoterAbi,
  resultsOf,
  treasury
} from "../../../../test/uniswap/uniswapContracts.ts"
import { deploymentOf } from "../../../chains/deployments/index.ts"
import { RpcClientsLayer } from "../../../chains/evm/index.ts"
import { type PoolBlock, PoolReader, type V3Key, v3ExchangesOf, v3Key } from "../../pools/index.ts"
import { swapRouterAbi } from "../abi.ts"

/**
 * Compares the swap math with Uniswap's contracts on the sandbox's EVM, to the base unit, for random and edge cases.
 */

const QUOTES = shortOrLong(2_000, 20_000)
const MINTS_OF_A_POOL = 40

const services = PoolReader.layer.pipe(
  Layer.provideMerge(
    Layer.unwrap(
      Effect.map(SandboxChains, ({ rpcUrl }) => RpcClientsLayer({ ...PATIENT_RPC, urls: (id) => [rpcUrl(id)] }))
    )
  ),
  Layer.provideMerge(SandboxChains.layerTemporary)
)

const { uniswapV3 } = deploymentOf(1)
const [exchange] = v3ExchangesOf(deploymentOf(1))
const tiers = [
  [100, 1],
  [500, 10],
  [3_000, 60],
  [10_000, 200]
] as const

interface TieredKey extends V3Key {
  readonly tickSpacing: number
}
const { nonfungiblePositionManager: manager, quoterV2, swapRouter02 } = uniswapV3

const tokens = sandboxTokens(1).filter(({ role }) => role !== "rwa")
const keys: ReadonlyArray<TieredKey> = tokens.flatMap((a, i) =>
  tokens
    .slice(i + 1)
    .flatMap((b) =>
      tiers.map(([feePips, tickSpacing]) => ({ ...v3Key(exchange!, a.address, b.address, feePips), tickSpacing }))
    )
)

/** Reads a pool with the maximum number of ticks, in both directions. */
const widenPool = Effect.fnUntraced(function* (start: ConcentratedPool, block: PoolBlock) {
  const reader = yield* PoolReader
  let pool = start
  for (;;) {
    const missingWords = [true, false].flatMap((zeroForOne) => {
      const outcome = swapConcentrated(pool, zeroForOne, 2n ** 120n, true)
      return outcome._tag === "TicksMissing" ? [outcome.word] : []
    })
    const wider = missingWords.length === 0 ? null : yield* reader.widen(1, pool, missingWords[0]!, block)
    if (wider === null) return pool
    pool = wider
  }
})

const readPools = Effect.fnUntraced(function* (wanted: ReadonlyArray<TieredKey>) {
  const { block, pools } = yield* (yield* PoolReader).read(1, wanted)
  return { block, pools: pools.filter((pool) => pool._tag === "Concentrated") }
})

const wholePools = Effect.gen(function* () {
  const { block, pools } = yield* readPools(keys)
  return yield* Effect.forEach(pools, (pool) => widenPool(pool, block))
})

/**
 * Returns an amount of any order of magnitude, or an amount that moves the pool's price by up to a third and crosses
 * the ticks in between.
 */
const amountFor = (random: RandomNumbers, pool: ConcentratedPool, zeroForOne: boolean, exactIn: boolean): bigint => {
  const tickDistance = 1 + random.below(3_000)
  const tick = Math.max(MIN_TICK + 1, Math.min(MAX_TICK - 1, pool.tick + (zeroForOne ? -tickDistance : tickDistance)))
  const swapOutcome = concentratedToPrice(pool, zeroForOne, sqrtPriceX96AtTick(tick))
  const amount = swapOutcome._tag !== "Swapped" ? 0n : exactIn ? swapOutcome.amountIn : swapOutcome.amountOut
  return amount === 0n || random.below(3) > 0 ? random.magnitude(85) + 1n : amount
}

interface PlannedMint {
  readonly tickLower: number
  readonly tickUpper: number
  readonly amount0: bigint
  readonly amount1: bigint
}

/**
 * Initial ticks at both ends of the price range and in between, for pools in fee tiers that the sandbox does not use.
 */
const startTicks = [-887_200, -600_000, 0, 500_000, 887_000]

const mintAt = (key: TieredKey, { amount0, amount1, tickLower, tickUpper }: PlannedMint, recipient: Hex): Hex =>
  encodeFunctionData({
    abi: managerAbi,
    functionName: "mint",
    args: [
      {
        token0: key.token0,
        token1: key.token1,
        fee: key.feePips,
        tickLower,
        tickUpper,
        amount0Desired: amount0,
        amount1Desired: amount1,
        amount0Min: 0n,
        amount1Min: 0n,
        recipient,
        deadline: maxUint256
      }
    ]
  })

const rangeOf = ({ tickLower, tickUpper }: Pick<PlannedMint, "tickLower" | "tickUpper">) => ({
  lowerPriceX96: sqrtPriceX96AtTick(tickLower),
  upperPriceX96: sqrtPriceX96AtTick(tickUpper)
})

layer(services, { excludeTestServices: true })("Uniswap V3's contracts", (it) => {
  it.effect("use the computed amounts for positions at any price, and pay the computed fees", () =>
    Effect.gen(function* () {
      const { address, send } = yield* treasury
      const random = randomNumbers(1)
      const slot0Call = encodeFunctionData({ abi: poolFeesAbi, functionName: "slot0" })
      // Does not use the reader, because it caches for a while that a pool does not exist.
      const states = yield* resultsOf(keys.map(({ address: target }) => ({ target, callData: slot0Call })))
      const free = keys.filter((key, i) => states[i] === "0x" && key.tickSpacing > 1).slice(0, startTicks.length)
      const mintedPositions: Array<{ readonly key: TieredKey; readonly tokenId: bigint; readonly plan: PlannedMint }> =
        []

      for (const [i, key] of free.entries()) {
        const price = sqrtPriceX96AtTick(startTicks[i]!) + BigInt(random.below(1_000))
        const [lowest, highest] = usableTickEnds(key.tickSpacing)
        const nearest = Math.floor(startTicks[i]! / key.tickSpacing) * key.tickSpacing
        const usable = (tick: number) => Math.min(highest, Math.max(lowest, tick))
        const plans = Array.from({ length: MINTS_OF_A_POOL }, (): PlannedMint => {
          const maxTickOffset = random.of([3, 60, 900, 100_000])
          const ends = [0, 1].map(() =>
            usable(nearest + (random.below(2 * maxTickOffset) - maxTickOffset) * key.tickSpacing)
          )
          const [tickLower, tickUpper] = [Math.min(...ends), Math.max(...ends)]
          return { tickLower, tickUpper, amount0: random.magnitude(78), amount1: random.magnitude(46) }
        }).filter((plan) => {
          if (plan.tickLower === plan.tickUpper) return false
          const liquidity = liquidityForAmountsRoundingDown(price, rangeOf(plan), plan)
          return liquidity > 0n && liquidity < maxLiquidityPerTick(key.tickSpacing) / BigInt(MINTS_OF_A_POOL)
        })
        const create = encodeFunctionData({
          abi: managerAbi,
          functionName: "createAndInitializePoolIfNecessary",
          args: [key.token0, key.token1, key.feePips, price]
        })
        const calls = [create, ...plans.map((plan) => mintAt(key, plan, address))]
        const receipt = yield* send(
          manager,
          encodeFunctionData({ abi: managerAbi, functionName: "multicall", args: [calls] })
        )
        const changes = liquidityChanges(receipt)
        assert.strictEqual(changes.length, plans.length)
        for (const [j, plan] of plans.entries()) {
          const { tokenId, ...change } = changes[j]!
          const liquidity = liquidityForAmountsRoundingDown(price, rangeOf(plan), plan)
          const amountsIn = amountsForLiquidityRoundingUp(price, rangeOf(plan), liquidity)
          assert.deepStrictEqual(
            change,
            { liquidity, ...amountsIn },
            `${key.address} ${JSON.stringify([plan.tickLower, plan.tickUpper])}`
          )
          mintedPositions.push({ key, tokenId, plan })
        }
      }
      assert.isAbove(mintedPositions.length, 50)

      assert.strictEqual(free.length, startTicks.length)

      // The pools that TickLens returned include the ticks of these positions.
      const { block, pools } = yield* readPools(free)
      assert.strictEqual(pools.length, startTicks.length)
      for (const pool of pools) {
        const fullPool = yield* widenPool(pool, block)
        const nets = new Map<number, bigint>()
        for (const { key, plan } of mintedPositions) {
          if (key.address !== pool.id) continue
          const liquidity = liquidityForAmountsRoundingDown(pool.sqrtPriceX96, rangeOf(plan), plan)
          nets.set(plan.tickLower, (nets.get(plan.tickLower) ?? 0n) + liquidity)
          nets.set(plan.tickUpper, (nets.get(plan.tickUpper) ?? 0n) - liquidity)
        }
        assert.isAbove(fullPool.ticks.length, 1)
        for (const { index, liquidityNet } of fullPool.ticks) assert.strictEqual(liquidityNet, nets.get(index))
      }

      // Swaps in both directions, so that fees accrue on both sides of the ticks.
      for (const token of tokens) {
        const approve = encodeFunctionData({
          abi: parseAbi(["function approve(address spender, uint256 amount) returns (bool)"]),
          args: [swapRouter02, maxUint256]
        })
        yield* send(token.address, approve)
      }
      for (const pool of pools) {
        for (const zeroForOne of [true, false, true]) {
          const fullPool = (yield* readPools([keys.find(({ address }) => address === pool.id)!])).pools[0]!
          const swappableAmount = [1n << 50n, 1n << 30n, 1n << 12n].find(
            (amount) => swapConcentrated(fullPool, zeroForOne, amount, true)._tag === "Swapped"
          )
          if (swappableAmount === undefined) continue
          const [tokenIn, tokenOut] = zeroForOne ? [pool.token0, pool.token1] : [pool.token1, pool.token0]
          const params = {
            tokenIn,
            tokenOut,
            fee: pool.feePips,
            recipient: address,
            amountIn: swappableAmount,
            amountOutMinimum: 0n,
            sqrtPriceLimitX96: 0n
          }
          yield* send(
            swapRouter02,
            encodeFunctionData({ abi: swapRouterAbi, functionName: "exactInputSingle", args: [params] })
          )
        }
      }

      let positionsWithFees = 0
      for (const { key, plan, tokenId } of mintedPositions.filter((_, i) => i % 2 === 0)) {
        const ask = (target: Address, callData: Hex): ContractCall => ({ target, callData })
        const [slot0, global0, global1, lower, upper, position] = yield* resultsOf([
          ask(key.address, slot0Call),
          ask(key.address, encodeFunctionData({ abi: poolFeesAbi, functionName: "feeGrowthGlobal0X128" })),
          ask(key.address, encodeFunctionData({ abi: poolFeesAbi, functionName: "feeGrowthGlobal1X128" })),
          ask(key.address, encodeFunctionData({ abi: poolFeesAbi, functionName: "ticks", args: [plan.tickLower] })),
          ask(key.address, encodeFunctionData({ abi: poolFeesAbi, functionName: "ticks", args: [plan.tickUpper] })),
          ask(manager, encodeFunctionData({ abi: managerAbi, functionName: "positions", args: [tokenId] }))
        ])
        const tickFees = (index: number, data: Hex) => {
          const [, , feeGrowth0X128, feeGrowth1X128] = decodeFunctionResult({
            abi: poolFeesAbi,
            functionName: "ticks",
            data
          })
          return { index, outside: { feeGrowth0X128, feeGrowth1X128 } }
        }
        const [sqrtPriceX96, tick] = decodeFunctionResult({ abi: poolFeesAbi, functionName: "slot0", data: slot0! })
        const positionData = decodeFunctionResult({ abi: managerAbi, functionName: "positions", data: position! })
        const [liquidity, feeGrowth0X128, feeGrowth1X128] = [positionData[7], positionData[8], positionData[9]]
        const growthInside = feeGrowthInside(tickFees(plan.tickLower, lower!), tickFees(plan.tickUpper, upper!), tick, {
          feeGrowth0X128: BigInt(global0!),
          feeGrowth1X128: BigInt(global1!)
        })
        const earnedFees = feesEarnedRoundingDown(growthInside, { feeGrowth0X128, feeGrowth1X128 }, liquidity)
        if (earnedFees.amount0 > 0n || earnedFees.amount1 > 0n) positionsWithFees += 1
        const part = liquidity / 3n
        if (part === 0n) continue
        const decrease = encodeFunctionData({
          abi: managerAbi,
          functionName: "decreaseLiquidity",
          args: [{ tokenId, liquidity: part, amount0Min: 0n, amount1Min: 0n, deadline: maxUint256 }]
        })
        const receipt = yield* send(manager, decrease)
        const amountsOut = amountsForLiquidityRoundingDown(sqrtPriceX96, rangeOf(plan), part)
        assert.deepStrictEqual(liquidityChanges(receipt), [{ tokenId, liquidity: part, ...amountsOut }])
        const [after] = yield* resultsOf([
          ask(manager, encodeFunctionData({ abi: managerAbi, functionName: "positions", args: [tokenId] }))
        ])
        const owedFees = decodeFunctionResult({ abi: managerAbi, functionName: "positions", data: after! })
        assert.strictEqual(owedFees[10], amountsOut.amount0 + earnedFees.amount0)
        assert.strictEqual(owedFees[11], amountsOut.amount1 + earnedFees.amount1)
      }
      assert.isAbove(positionsWithFees, 10)
    })
  )

  it.effect(`quote the computed outputs for ${QUOTES} swaps in all pools`, () =>
    Effect.gen(function* () {
      const pools = yield* wholePools
      const random = randomNumbers(2)
      const cases: Array<{ readonly question: ContractCall; readonly said: string }> = []
      let crossedCount = 0
      while (cases.length < QUOTES) {
        const pool = random.of(pools)
        const [zeroForOne, exactIn] = [random.below(2) === 0, random.below(2) === 0]
        const amount = amountFor(random, pool, zeroForOne, exactIn)
        const outcome = swapConcentrated(pool, zeroForOne, amount, exactIn)
        if (outcome._tag !== "Swapped") continue
        const [tokenIn, tokenOut] = zeroForOne ? [pool.token0, pool.token1] : [pool.token1, pool.token0]
        const params = {
          tokenIn,
          tokenOut,
          amount,
          fee: pool.feePips,
          sqrtPriceLimitX96: 0n
        }
        const functionName = exactIn ? "quoteExactInputSingle" : "quoteExactOutputSingle"
        cases.push({
          question: {
            target: quoterV2,
            callData: encodeFunctionData({ abi: quoterAbi, functionName, args: [params] })
          },
          said: [exactIn ? outcome.amountOut : outcome.amountIn, outcome.poolAfter().sqrtPriceX96].join()
        })
        crossedCount += outcome.ticksCrossed
      }
      const responses = yield* resultsOf(cases.map(({ question }) => question))
      for (const [i, response] of responses.entries()) {
        const contractResult =
          response === null
            ? null
            : decodeFunctionResult({ abi: quoterAbi, functionName: "quoteExactInputSingle", data: response })
        if (cases[i]!.said !== contractResult?.slice(0, 2).join()) {
          assert.fail(`${cases[i]!.question.callData}: ${cases[i]!.said}, the contract says ${contractResult}`)
        }
      }
      assert.isAbove(crossedCount, QUOTES / 4)
    })
  )
})
