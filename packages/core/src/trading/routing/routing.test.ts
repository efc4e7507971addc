import { assert, describe, it } from "@effect/vitest"
import type { Address } from "../../foundation/primitives/index.ts"
import {
  type ConcentratedPool,
  NO_PROTOCOL_FEE,
  type Pool,
  sqrtPriceX96AtTick,
  swapThrough,
  tickToWord
} from "../liquidity/index.ts"
import { type RandomNumbers, randomNumbers } from "../liquidity/math/randomPools.fixture.ts"
import {
  bestPath,
  bestSplit,
  type Path,
  priceImpactE18RoundingUp,
  type Route,
  type RouteRequest,
  type Routing
} from "./index.ts"
import { randomPools, tokens } from "./randomGraph.fixture.ts"

const freeOfGas = () => 0n

/** Returns all paths with at most three hops through different hubs, by brute force. */
const allPaths = (
  pools: ReadonlyArray<Pool>,
  from: Address,
  to: Address,
  hubs: ReadonlyArray<Address>
): Array<Path> => {
  const paths: Array<Path> = []
  const extendPath = (token: Address, path: Path, remainingHubs: ReadonlyArray<Address>) => {
    if (token === to) {
      paths.push(path)
      return
    }
    if (path.length === 3) return
    for (const pool of pools) {
      const zeroForOne = pool.token0 === token
      if (!zeroForOne && pool.token1 !== token) continue
      const nextToken = zeroForOne ? pool.token1 : pool.token0
      if (nextToken === to || remainingHubs.includes(nextToken)) {
        extendPath(
          nextToken,
          [...path, { pool, zeroForOne }],
          remainingHubs.filter((hub) => hub !== nextToken)
        )
      }
    }
  }
  extendPath(from, [], hubs)
  return paths
}

/**
 * Returns the output of a path, and the pools after it. Null if a pool can't swap the amount or pays nothing for it.
 */
const swapAlongPath = (path: Path, amountIn: bigint, states: ReadonlyMap<string, Pool>) => {
  const statesAfter = new Map(states)
  let amount = amountIn
  for (const { pool, zeroForOne } of path) {
    const outcome = swapThrough(statesAfter.get(pool.id) ?? pool, zeroForOne, amount, true)
    if (outcome._tag !== "Swapped" || outcome.amountOut === 0n) return null
    statesAfter.set(pool.id, outcome.poolAfter())
    amount = outcome.amountOut
  }
  return { amount, statesAfter }
}

const noChanges: ReadonlyMap<string, Pool> = new Map()
const gasOfPath = (path: Path, gasOf: RouteRequest["gasOf"]) => path.reduce((sum, { pool }) => sum + gasOf(pool), 0n)

const bestNetOutput = ({ amountIn, gasOf, hubs, pools, tokenIn, tokenOut }: RouteRequest): bigint | null => {
  let best: bigint | null = null
  for (const path of allPaths(pools, tokenIn, tokenOut, hubs)) {
    const swapResult = swapAlongPath(path, amountIn, noChanges)
    if (swapResult === null) continue
    const net = swapResult.amount - gasOfPath(path, gasOf)
    if (best === null || net > best) best = net
  }
  return best
}

const netOutputOf = ({ amountOut, gas }: Route) => amountOut - gas

/** Executes a route part by part and hop by hop, and checks all of its amounts. */
const assertExecutable = (route: Route, { amountIn, gasOf, tokenIn, tokenOut }: RouteRequest) => {
  let states: ReadonlyMap<string, Pool> = noChanges
  let total = 0n
  let gas = 0n
  for (const part of route.parts) {
    const [first] = part.hops
    assert.strictEqual(first?.amountIn, part.amountIn)
    assert.strictEqual(first?.zeroForOne ? first.pool.token0 : first?.pool.token1, tokenIn)
    const lastHop = part.hops.at(-1)!
    assert.strictEqual(lastHop.zeroForOne ? lastHop.pool.token1 : lastHop.pool.token0, tokenOut)
    const swapResult = swapAlongPath(part.hops, part.amountIn, states)
    assert.strictEqual(swapResult?.amount, part.amountOut)
    assert.strictEqual(lastHop.amountOut, part.amountOut)
    states = swapResult!.statesAfter
    total += part.amountOut
    gas += gasOfPath(part.hops, gasOf)
  }
  assert.strictEqual(
    route.parts.reduce((sum, part) => sum + part.amountIn, 0n),
    amountIn
  )
  assert.strictEqual(route.amountOut, total)
  assert.strictEqual(route.gas, gas)
  assert.deepStrictEqual(new Map([...route.poolsAfter()]), new Map([...states]))
  assert.deepStrictEqual(
    route.parts.map((part) => part.amountIn),
    route.parts.map((part) => part.amountIn).sort((a, b) => (a > b ? -1 : 1))
  )
}

const requestOf = (random: RandomNumbers, tokenCount: number, poolsPerPair: number, gas: number): RouteRequest => {
  const amountIn = 10n ** BigInt(17 + random.below(6)) * BigInt(1 + random.below(9))
  // The gas of a hop through a pair costs `gas` hundredths of a percent of the swapped amount. Through a pool with
  // ticks, it costs 1.3 times as much.
  const unit = gas === 0 ? 0n : (amountIn * BigInt(gas)) / 10_000n
  return {
    pools: randomPools(random, tokenCount, poolsPerPair),
    tokenIn: tokens[0]!,
    tokenOut: tokens[1]!,
    hubs: tokens.slice(2, tokenCount),
    amountIn,
    gasOf: unit === 0n ? freeOfGas : ({ _tag }) => (_tag === "Concentrated" ? (unit * 13n) / 10n : unit)
  }
}

describe("bestPath", () => {
  for (const gas of [0, 3, 300]) {
    it(`finds the best of all paths, if a hop costs gas of ${gas} hundredths of a percent`, () => {
      const random = randomNumbers(21 + gas)
      let routeCount = 0
      for (let i = 0; i < 150; i++) {
        const request = requestOf(random, 5, 2, gas)
        const { missing, route } = bestPath(request)
        assert.deepStrictEqual(missing, [])
        assert.strictEqual(route === null ? null : netOutputOf(route), bestNetOutput(request))
        if (route === null) continue
        routeCount += 1
        assertExecutable(route, request)
      }
      assert.isAbove(routeCount, 100)
    })
  }
})

const SLICES = 400

/**
 * Splits the amount greedily: each slice uses the path with the highest output on the pools after the previous slices.
 */
const fineGrainedOutput = ({ amountIn, hubs, pools, tokenIn, tokenOut }: RouteRequest): bigint => {
  const paths = allPaths(pools, tokenIn, tokenOut, hubs)
  const slice = amountIn / BigInt(SLICES)
  let states: ReadonlyMap<string, Pool> = noChanges
  let total = 0n
  for (let i = 0; i < SLICES; i++) {
    let best: ReturnType<typeof swapAlongPath> = null
    for (const path of paths) {
      const swapResult = swapAlongPath(path, slice, states)
      if (swapResult !== null && (best === null || swapResult.amount > best.amount)) best = swapResult
    }
    if (best === null) break
    states = best.statesAfter
    total += best.amount
  }
  return total
}

/** Returns the best output after gas among all splits into multiples of `amountIn / steps`. */
const bestGridOutput = ({ amountIn, gasOf }: RouteRequest, paths: ReadonlyArray<Path>, steps: bigint): bigint => {
  let best = 0n
  const trySplits = (pathIndex: number, remainingSteps: bigint, states: ReadonlyMap<string, Pool>, net: bigint) => {
    if (remainingSteps === 0n && net > best) best = net
    if (pathIndex === paths.length) return
    const path = paths[pathIndex]!
    trySplits(pathIndex + 1, remainingSteps, states, net)
    const isLast = pathIndex === paths.length - 1
    for (let count = isLast ? remainingSteps : 1n; count > 0n && count <= remainingSteps; count++) {
      const usedSteps = steps - remainingSteps
      const amount = (amountIn * (usedSteps + count)) / steps - (amountIn * usedSteps) / steps
      const swapResult = swapAlongPath(path, amount, states)
      if (swapResult === null) return
      trySplits(
        pathIndex + 1,
        remainingSteps - count,
        swapResult.statesAfter,
        net + swapResult.amount - gasOfPath(path, gasOf)
      )
    }
  }
  trySplits(0, steps, noChanges, 0n)
  return best
}

/**
 * Returns whether the best single path returns at least half as much per unit as for a very small amount. For a
 * constant-product pool, this is the case for amounts up to about its reserve.
 */
const isWithinDepth = (request: RouteRequest): boolean => {
  const fraction = 1_000_000n
  const fullOutput = bestNetOutput({ ...request, gasOf: freeOfGas })
  const smallOutput = bestNetOutput({ ...request, gasOf: freeOfGas, amountIn: request.amountIn / fraction })
  return fullOutput !== null && smallOutput !== null && fullOutput * 2n >= smallOutput * fraction
}

describe("bestSplit", () => {
  it("is within 0.01 % of a fine greedy split, without gas", () => {
    const random = randomNumbers(31)
    const counts = { one: 0, several: 0, shared: 0 }
    for (let i = 0; i < 120; i++) {
      const request = requestOf(random, 3, 2, 0)
      if (!isWithinDepth(request)) continue
      const { missing, route } = bestSplit(request)
      if (route === null) assert.fail("there is a path")
      assert.deepStrictEqual(missing, [])
      assertExecutable(route, request)
      assert.isTrue(netOutputOf(route) >= bestNetOutput(request)!)
      const referenceOutput = fineGrainedOutput(request)
      const hundredthsOfAPercent = Number(((referenceOutput - route.amountOut) * 1_000_000n) / referenceOutput) / 100
      assert.isAtMost(hundredthsOfAPercent, 1)
      const pools = route.parts.flatMap(({ hops }) => hops.map(({ pool }) => pool.id))
      if (new Set(pools).size < pools.length) counts.shared += 1
      counts[route.parts.length > 1 ? "several" : "one"] += 1
    }
    assert.isAbove(counts.several, 40)
    assert.isAbove(counts.shared, 20)
  })

  for (const gas of [3, 300]) {
    it(`returns at least as much as any split into fortieths, if a hop costs gas of ${gas} hundredths of a percent`, () => {
      const random = randomNumbers(41 + gas)
      const counts = { one: 0, several: 0 }
      for (let i = 0; i < 200; i++) {
        const request = requestOf(random, 3, 1, gas)
        if (!isWithinDepth(request)) continue
        const { route } = bestSplit(request)
        if (route === null) assert.fail("there is a path")
        assertExecutable(route, request)
        assert.isTrue(netOutputOf(route) >= bestNetOutput(request)!)
        const paths = allPaths(request.pools, request.tokenIn, request.tokenOut, request.hubs)
        const gridOutput = bestGridOutput(request, paths, 40n)
        assert.isTrue(netOutputOf(route) * 10_000n >= gridOutput * 9_999n)
        counts[route.parts.length > 1 ? "several" : "one"] += 1
      }
      assert.isAbove(gas > 100 ? counts.one : counts.several, 20)
    })
  }
})

describe("missing ticks", () => {
  const random = randomNumbers(51)
  const request = requestOf(random, 3, 2, 0)
  /** Returns the pool with only the bitmap word of the current price. */
  const narrowPool = (pool: Pool): Pool => {
    if (pool._tag !== "Concentrated") return pool
    const word = tickToWord(pool.tick, pool.tickSpacing)
    const ticks = pool.ticks.filter(({ index }) => tickToWord(index, pool.tickSpacing) === word)
    return { ...pool, ticks, firstWord: word, lastWord: word }
  }

  for (const findRouting of [bestPath, bestSplit]) {
    it(`are returned if ${findRouting.name} could improve with them, and reading them leads to the same output`, () => {
      const poolsById = new Map(request.pools.map((pool) => [pool.id, pool]))
      let readCount = 0
      for (let i = 0; i < 60; i++) {
        const graph = requestOf(random, 3, 2, 0)
        for (const pool of graph.pools) poolsById.set(pool.id, pool)
        let pools = graph.pools.map(narrowPool)
        let routingResult = findRouting({ ...graph, pools })
        for (let round = 0; round < 10 && routingResult.missing.length > 0; round++) {
          readCount += 1
          const ids = new Set(routingResult.missing.map(({ pool }) => pool.id))
          pools = pools.map((pool) => (ids.has(pool.id) ? poolsById.get(pool.id)! : pool))
          routingResult = findRouting({ ...graph, pools })
        }
        const completeRouting = findRouting(graph)
        const amountOf = ({ route }: Routing) => route?.amountOut ?? 0n
        // A split may differ slightly. A single path is either the best one or not, so it has no tolerance.
        const tolerance = findRouting === bestSplit ? amountOf(completeRouting) / 10_000n : 0n
        assert.isTrue(
          amountOf(routingResult) + tolerance >= amountOf(completeRouting),
          `${i}: ${amountOf(routingResult)} ${amountOf(completeRouting)}`
        )
      }
      assert.isAbove(readCount, 10)
    })
  }

  it("are not returned if their pool can't pay more than another pool", () => {
    const [deepPool] = randomPools(randomNumbers(3), 2, 1)
    if (deepPool?._tag !== "ConstantProduct") assert.fail("a pair")
    const shallowPool: Pool = {
      _tag: "Concentrated",
      id: "0xdust",
      token0: deepPool.token0,
      token1: deepPool.token1,
      feePips: 3_000,
      protocolFeePips: NO_PROTOCOL_FEE,
      tickSpacing: 60,
      sqrtPriceX96: sqrtPriceX96AtTick(-3_100),
      tick: -3_100,
      liquidity: 1_000n,
      ticks: [],
      firstWord: -2,
      lastWord: 0
    }
    const requestFields = { tokenIn: deepPool.token0, tokenOut: deepPool.token1, hubs: [], gasOf: freeOfGas }
    const amountIn = deepPool.reserve0 / 100n
    assert.deepStrictEqual(bestPath({ ...requestFields, amountIn, pools: [deepPool, shallowPool] }).missing, [])
    assert.deepStrictEqual(
      bestPath({ ...requestFields, amountIn, pools: [shallowPool] }).missing.map(({ pool, word }) => [pool.id, word]),
      [["0xdust", -3]]
    )
  })
})

describe("priceImpactE18RoundingUp", () => {
  it("is the loss from the price change, without the fee", () => {
    const [pair] = randomPools(randomNumbers(3), 2, 1)
    if (pair?._tag !== "ConstantProduct") assert.fail("a pair")
    const impactOf = (amountIn: bigint) => {
      const { route } = bestPath({
        pools: [pair],
        tokenIn: pair.token0,
        tokenOut: pair.token1,
        hubs: [],
        amountIn,
        gasOf: freeOfGas
      })
      return Number(priceImpactE18RoundingUp(route!)) / 1e18
    }
    // For a constant-product pool, the impact is x / (reserve + x), where x is the input after its fee.
    const inputAfterFee = Number(pair.feeNumerator) / Number(pair.feeDenominator)
    assert.closeTo(impactOf(pair.reserve0 / 100n), (0.01 * inputAfterFee) / (1 + 0.01 * inputAfterFee), 1e-12)
    assert.closeTo(impactOf(pair.reserve0), inputAfterFee / (1 + inputAfterFee), 1e-12)
    assert.isBelow(impactOf(pair.reserve0 / 10n ** 9n), 1e-8)
  })
})

describe("Hostile pools", () => {
  const [pair] = randomPools(randomNumbers(3), 2, 1)
  if (pair?._tag !== "ConstantProduct") throw new Error("a pair")
  const requestFields = {
    tokenIn: pair.token0,
    tokenOut: pair.token1,
    hubs: [],
    gasOf: freeOfGas,
    amountIn: pair.reserve0 / 50n
  }
  const singleRoute = bestSplit({ ...requestFields, pools: [pair] }).route!
  const emptyPool: ConcentratedPool = {
    _tag: "Concentrated",
    id: "0xempty",
    token0: pair.token0,
    token1: pair.token1,
    feePips: 0,
    protocolFeePips: NO_PROTOCOL_FEE,
    tickSpacing: 60,
    sqrtPriceX96: sqrtPriceX96AtTick(800_000),
    tick: 800_000,
    liquidity: 0n,
    ticks: [],
    firstWord: -60,
    lastWord: 60
  }

  it.each([
    ["that has a price and no liquidity", emptyPool],
    ["that has one unit of liquidity", { ...emptyPool, liquidity: 1n }],
    ["at the lowest price", { ...emptyPool, sqrtPriceX96: sqrtPriceX96AtTick(-887_272), tick: -887_272 }],
    [
      "that keeps the whole input",
      { ...emptyPool, feePips: 999_999, protocolFeePips: { zeroForOne: 1_000, oneForZero: 1_000 } }
    ],
    ["that has no reserve of one token", { ...pair, id: "0xhalf", reserve0: 0n }]
  ] as const)("do not change the result: a pool %s", (_, hostilePool) => {
    for (const pools of [
      [pair, hostilePool],
      [hostilePool, pair]
    ]) {
      const { missing, route } = bestSplit({ ...requestFields, pools })
      assert.deepStrictEqual(missing, [])
      assert.isTrue(route !== null && route.amountOut >= singleRoute.amountOut)
      assert.strictEqual(route?.parts.flatMap(({ hops }) => hops).filter(({ pool }) => pool.id === pair.id).length, 1)
    }
    assert.isNull(bestSplit({ ...requestFields, pools: [hostilePool] }).route)
  })
})
