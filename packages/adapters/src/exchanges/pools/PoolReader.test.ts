import type { EvmChainId } from "@countersign/core/foundation/chains"
import { Address } from "@countersign/core/foundation/primitives"
import type { Token } from "@countersign/core/foundation/tokens"
import { type ConcentratedPool, type Pool, swapThrough } from "@countersign/core/trading/liquidity"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import {
  decodeFunctionResult,
  encodeFunctionData,
  type Hex,
  numberToHex,
  type PublicClient,
  parseAbi,
  toFunctionSelector
} from "viem"
import { SandboxChains, sandboxTokens } from "../../../sandbox/index.ts"
import { layerAlteredNode } from "../../../test/evm/layerAlteredNode.ts"
import { PATIENT_RPC } from "../../../test/evm/patientRpc.ts"
import { deploymentOf } from "../../chains/deployments/index.ts"
import { multicall3Abi, RpcClients, RpcClientsLayer } from "../../chains/evm/index.ts"
import { PoolReader, surveyPair } from "./index.ts"
import type { PoolKey } from "./PoolKey.ts"
import { ZERO_ADDRESS } from "./poolKeys.ts"

/** Compares pools of every type with the contracts themselves, on the sandbox's chains. */

const quoteAbi = parseAbi([
  "struct PoolKey { address currency0; address currency1; uint24 fee; int24 tickSpacing; address hooks; }",
  "struct QuoteExactSingleParams { PoolKey poolKey; bool zeroForOne; uint128 exactAmount; bytes hookData; }",
  "function quoteExactInputSingle(QuoteExactSingleParams params) returns (uint256 amountOut, uint256 gasEstimate)",
  "function quoteExactOutputSingle(QuoteExactSingleParams params) returns (uint256 amountIn, uint256 gasEstimate)",
  "function initialize(PoolKey key, uint160 sqrtPriceX96) returns (int24 tick)",
  "function getAmountsOut(uint256 amountIn, address[] path) view returns (uint256[] amounts)",
  "struct Decrease { uint256 tokenId; uint128 liquidity; uint256 amount0Min; uint256 amount1Min; uint256 deadline; }",
  "function decreaseLiquidity(Decrease params) returns (uint256 amount0, uint256 amount1)",
  "function getAmountsIn(uint256 amountOut, address[] path) view returns (uint256[] amounts)"
])

const otherAddress = Address.make(`0x${"5e".repeat(20)}`)

let requests: Array<ReadonlyArray<string>> = []

const services = PoolReader.layer.pipe(
  Layer.provideMerge(
    Layer.unwrap(
      Effect.map(SandboxChains, (chains) =>
        RpcClientsLayer({
          ...PATIENT_RPC,
          urls: (id) => [chains.rpcUrl(id)],
          onRequest: (_, methods) => requests.push(methods)
        })
      )
    )
  ),
  Layer.provideMerge(SandboxChains.layerTemporary)
)

const keysOn = Effect.fnUntraced(function* (chainId: EvmChainId) {
  const reader = yield* PoolReader
  const tokens = sandboxTokens(chainId)
  return tokens.flatMap((a, i) => tokens.slice(i + 1).flatMap((b) => reader.keys(chainId, a.address, b.address)))
})

/** Returns the result of a swap. Reads more ticks as often as the swap needs them. */
const simulateSwap = Effect.fnUntraced(function* (
  chainId: EvmChainId,
  start: Pool,
  block: Parameters<PoolReader["Service"]["widen"]>[3],
  zeroForOne: boolean,
  amount: bigint,
  exactIn: boolean
) {
  const reader = yield* PoolReader
  let pool = start
  for (;;) {
    const outcome = swapThrough(pool, zeroForOne, amount, exactIn)
    if (outcome._tag !== "TicksMissing") return outcome
    const wider = yield* reader.widen(chainId, pool as ConcentratedPool, outcome.word, block)
    if (wider === null) return outcome
    pool = wider
  }
})

interface Case {
  readonly pool: Pool
  readonly zeroForOne: boolean
  readonly exactIn: boolean
  readonly amount: bigint
}

/**
 * Returns amounts from one base unit to a large share of a pool's balance, evenly distributed over the orders of
 * magnitude. Deterministic.
 */
const casesOf = (pool: Pool): ReadonlyArray<Case> =>
  [true, false].flatMap((zeroForOne) =>
    [true, false].flatMap((exactIn) =>
      Array.from({ length: 15 }, (_, i) => {
        const isToken0 = zeroForOne === exactIn
        const depth =
          pool._tag === "ConstantProduct"
            ? isToken0
              ? pool.reserve0
              : pool.reserve1
            : isToken0
              ? (pool.liquidity << 96n) / pool.sqrtPriceX96
              : (pool.liquidity * pool.sqrtPriceX96) >> 96n
        return { pool, zeroForOne, exactIn, amount: (depth >> BigInt(3 * i)) + BigInt(i) + 1n }
      })
    )
  )

/** Builds the contract call that returns the expected result of a case. */
const contractCallOf = (chainId: EvmChainId, key: PoolKey, { amount, exactIn, zeroForOne }: Case) => {
  const [tokenIn, tokenOut] = (zeroForOne ? [key.token0, key.token1] : [key.token1, key.token0]) as [Hex, Hex]
  if (key._tag === "V2") {
    const functionName = exactIn ? "getAmountsOut" : "getAmountsIn"
    return {
      target: key.router,
      callData: encodeFunctionData({ abi: quoteAbi, functionName, args: [amount, [tokenIn, tokenOut]] }),
      read: (data: Hex) => decodeFunctionResult({ abi: quoteAbi, functionName, data })[exactIn ? 1 : 0]!
    }
  }
  if (key._tag !== "V4") throw new Error("QuoterV2 is asked in uniswap.test.ts")
  const functionName = exactIn ? "quoteExactInputSingle" : "quoteExactOutputSingle"
  const poolKey = {
    currency0: key.currency0,
    currency1: key.currency1,
    fee: key.feePips,
    tickSpacing: key.tickSpacing,
    hooks: ZERO_ADDRESS
  }
  return {
    target: deploymentOf(chainId).uniswapV4!.quoter,
    callData: encodeFunctionData({
      abi: quoteAbi,
      functionName,
      args: [{ poolKey, zeroForOne, exactAmount: amount, hookData: "0x" }]
    }),
    read: (data: Hex) => decodeFunctionResult({ abi: quoteAbi, functionName, data })[0]
  }
}

/** The first four bytes of TickLens's `getPopulatedTicksInWord`, and those of a function that it does not have. */
const TICK_LENS_SELECTOR = toFunctionSelector("getPopulatedTicksInWord(address,int16)").slice(2)
const UNKNOWN_SELECTOR = "deadbeef"

/** Builds a reader without cached pools, with the responses of `request`. */
const readerWith = (request: Parameters<typeof layerAlteredNode>[0]) =>
  Effect.provide(PoolReader, Layer.fresh(PoolReader.layer).pipe(Layer.provide(layerAlteredNode(request))))

const askAll = async (
  client: PublicClient,
  chainId: EvmChainId,
  calls: ReadonlyArray<{ target: Hex; callData: Hex }>
) => {
  const data = encodeFunctionData({
    abi: multicall3Abi,
    functionName: "aggregate3",
    args: [calls.map(({ callData, target }) => ({ target, callData, allowFailure: true }))]
  })
  const response = await client.call({ to: deploymentOf(chainId).multicall3, data, gas: 2_000_000_000n })
  return decodeFunctionResult({ abi: multicall3Abi, functionName: "aggregate3", data: response.data! })
}

layer(services, { excludeTestServices: true })("PoolReader", (it) => {
  it.effect.each([1, 137, 43114] as const)(
    "reads pairs and Uniswap V4 pools of chain %i so that every swap equals Router02's and V4Quoter's result",
    (chainId) =>
      Effect.gen(function* () {
        const reader = yield* PoolReader
        const rpc = yield* RpcClients
        const keys = (yield* keysOn(chainId)).filter(({ _tag }) => _tag !== "V3")
        const { block, pools } = yield* reader.read(chainId, keys)
        const keyOf = (pool: Pool) => keys.find(({ id }) => id === pool.id)!
        const venues = new Set(pools.map((pool) => keyOf(pool).venue))
        assert.isTrue(venues.has("Uniswap V4") && venues.has("Uniswap V2"), [...venues].join())
        if (chainId === 137) assert.isTrue(venues.has("QuickSwap"))
        if (chainId === 43114) assert.isTrue(venues.has("Trader Joe V1"))
        const cases = pools.flatMap(casesOf)
        const calls = cases.map((each) => contractCallOf(chainId, keyOf(each.pool), each))
        const responses = yield* Effect.promise(() => askAll(rpc.client(chainId), chainId, calls))
        let comparedCount = 0
        for (const [i, { amount, exactIn, pool, zeroForOne }] of cases.entries()) {
          const outcome = yield* simulateSwap(chainId, pool, block, zeroForOne, amount, exactIn)
          const text = `${keyOf(pool).venue} ${pool.id} ${zeroForOne} ${exactIn} ${amount}`
          const { returnData, success } = responses[i]!
          if (!success) assert.notStrictEqual(outcome._tag === "Swapped" && outcome.amountOut > 0n, true, text)
          else if (outcome._tag !== "Swapped") assert.fail(`${text}: ${outcome._tag}`)
          else {
            assert.strictEqual(exactIn ? outcome.amountOut : outcome.amountIn, calls[i]!.read(returnData), text)
            comparedCount += 1
          }
        }
        assert.isAtLeast(comparedCount, 200)
      })
  )

  it.effect("reads the factories' fee tiers, and PancakeSwap's pools for these tiers", () =>
    Effect.gen(function* () {
      const reader = yield* PoolReader
      const { pools } = yield* reader.read(56, yield* keysOn(56))
      const fees = (venue: string, all: ReadonlyArray<PoolKey>) => [
        ...new Set(all.flatMap((key) => (key._tag === "V3" && key.venue === venue ? [key.feePips] : [])))
      ]
      const keys = yield* keysOn(56)
      assert.deepStrictEqual(fees("Uniswap V3", keys), [100, 500, 3_000, 10_000])
      assert.deepStrictEqual(fees("PancakeSwap V3", keys), [100, 500, 2_500, 10_000])
      const pancake = pools.filter(({ id }) => keys.some((key) => key.id === id && key.venue === "PancakeSwap V3"))
      assert.isAtLeast(pancake.length, 4)
      for (const pool of pancake) assert.isTrue(pool._tag === "Concentrated" && pool.ticks.length >= 2)
    })
  )

  it.effect("reads no pool twice in a block, and only the prices in the next block", () =>
    Effect.gen(function* () {
      const chains = yield* SandboxChains
      const reader = yield* PoolReader
      const keys = yield* keysOn(1)
      yield* chains.fund(1, otherAddress, "native", 1n)
      const first = yield* reader.read(1, keys)
      requests = []
      const secondResponse = yield* reader.read(1, keys)
      assert.isFalse(requests.flat().includes("eth_call"))
      assert.isTrue(secondResponse.pools.every((pool, i) => pool === first.pools[i]))

      yield* chains.fund(1, otherAddress, "native", 1n)
      requests = []
      const next = yield* reader.read(1, keys)
      assert.isTrue(next.block.number > first.block.number)
      assert.isNotNull(next.block.hash)
      assert.isTrue(
        next.pools.every((pool, i) => pool === first.pools[i]),
        "an unchanged pool is the same value"
      )
    })
  )

  /** Compares each pool with the result of a reader without a cache. */
  const assertAsFresh = Effect.fnUntraced(function* (pools: ReadonlyArray<Pool>, keys: ReadonlyArray<PoolKey>) {
    const freshReader = yield* Effect.provide(PoolReader, Layer.fresh(PoolReader.layer))
    const freshPools = new Map((yield* freshReader.read(1, keys)).pools.map((pool) => [pool.id, pool]))
    assert.strictEqual(pools.length, freshPools.size)
    for (const pool of pools) {
      const freshPool = freshPools.get(pool.id)!
      if (pool._tag !== "Concentrated" || freshPool._tag !== "Concentrated") assert.deepStrictEqual(pool, freshPool)
      else {
        const { firstWord, lastWord, ticks, ...state } = freshPool
        const size = pool.tickSpacing * 256
        const inWindow = ({ index }: { readonly index: number }) =>
          index >= firstWord * size && index < (lastWord + 1) * size
        assert.deepStrictEqual(
          { ...pool, firstWord, lastWord, ticks: pool.ticks.filter(inWindow) },
          { ...state, firstWord, lastWord, ticks }
        )
      }
    }
  })

  const sendTo1 = Effect.fnUntraced(function* (method: string, ...params: ReadonlyArray<unknown>) {
    const rpc = yield* RpcClients
    return yield* Effect.promise(() => rpc.request(1, method, params))
  })

  const decreaseLiquidity = Effect.gen(function* () {
    const { keys } = yield* SandboxChains
    yield* sendTo1("anvil_impersonateAccount", keys.treasury.address)
    const receipt = yield* sendTo1("eth_sendTransactionSync", {
      from: keys.treasury.address,
      to: deploymentOf(1).uniswapV3.nonfungiblePositionManager,
      data: encodeFunctionData({
        abi: quoteAbi,
        functionName: "decreaseLiquidity",
        args: [{ tokenId: 1n, liquidity: 1_000_000n, amount0Min: 0n, amount1Min: 0n, deadline: 2n ** 40n }]
      })
    })
    // On a busy machine, anvil may return the block before it returns the block's logs.
    const { blockNumber } = receipt as { readonly blockNumber: Hex }
    yield* Effect.repeat(sendTo1("eth_getLogs", { fromBlock: blockNumber, toBlock: blockNumber }), {
      until: (logs) => (logs as ReadonlyArray<unknown>).length > 0
    })
  })

  it.effect("reads the ticks again of a pool whose liquidity changed, and of all pools after a reorg", () =>
    Effect.gen(function* () {
      const chains = yield* SandboxChains
      const reader = yield* PoolReader
      const keys = yield* keysOn(1)
      yield* sendTo1("anvil_mine", "0x5")
      const stateBefore = yield* reader.read(1, keys)
      const snapshot = yield* sendTo1("evm_snapshot")
      yield* decreaseLiquidity
      requests = []
      const stateAfter = yield* reader.read(1, keys)
      assert.strictEqual(stateAfter.pools.filter((pool, i) => pool !== stateBefore.pools[i]).length, 1)
      assert.isTrue(requests.flat().includes("eth_getLogs"))
      yield* assertAsFresh(stateAfter.pools, keys)

      yield* sendTo1("evm_revert", snapshot)
      yield* chains.fund(1, otherAddress, "native", 1n)
      const otherRead = yield* reader.read(1, keys)
      assert.strictEqual(otherRead.block.number, stateAfter.block.number)
      assert.notStrictEqual(otherRead.block.hash, stateAfter.block.hash)
      yield* assertAsFresh(otherRead.pools, keys)
    })
  )

  it.effect("finds a liquidity event that was missing from the logs of the previous read", () =>
    Effect.gen(function* () {
      const lagBlocks = 10n
      const reader = yield* readerWith(async (client, { method, params }) => {
        if (method !== "eth_getLogs") return client.request({ method, params } as never)
        const [{ fromBlock, ...filter }] = params as [{ readonly fromBlock: Hex }]
        const head = BigInt((await client.request({ method: "eth_blockNumber" })) as Hex) - lagBlocks
        if (BigInt(fromBlock) > head) return []
        return client.request({ method, params: [{ ...filter, fromBlock, toBlock: numberToHex(head) }] } as never)
      })
      const keys = yield* keysOn(1)
      yield* sendTo1("anvil_mine", "0x14")
      yield* reader.read(1, keys)
      yield* decreaseLiquidity
      yield* sendTo1("anvil_mine", "0x9")
      yield* reader.read(1, keys)
      yield* sendTo1("anvil_mine", "0xa")
      yield* assertAsFresh((yield* reader.read(1, keys)).pools, keys)
    })
  )

  it.effect("keeps no old ticks of a pool whose ticks can't be read after a liquidity event", () =>
    Effect.gen(function* () {
      let hasTickLens = true
      const reader = yield* readerWith((client, args) =>
        client.request(
          (hasTickLens
            ? args
            : JSON.parse(JSON.stringify(args).replaceAll(TICK_LENS_SELECTOR, UNKNOWN_SELECTOR))) as never
        )
      )
      const keys = yield* keysOn(1)
      const poolsBefore = (yield* reader.read(1, keys)).pools
      yield* decreaseLiquidity
      hasTickLens = false
      const { block, pools } = yield* reader.read(1, keys)
      const changedPools = pools.filter((pool, i) => pool !== poolsBefore[i])
      assert.strictEqual(changedPools.length, 1)
      const [pool] = changedPools as [ConcentratedPool]
      assert.deepStrictEqual(pool.ticks, [])
      assert.strictEqual(swapThrough(pool, true, 1n, true)._tag, "TicksMissing")
      assert.strictEqual(swapThrough(pool, false, 1n, true)._tag, "TicksMissing")
      assert.isNull(yield* reader.widen(1, pool, pool.firstWord, block))

      hasTickLens = true
      assert.isAbove((yield* reader.widen(1, pool, pool.firstWord, block))!.ticks.length, 0)
      yield* sendTo1("anvil_mine", "0x32")
      yield* assertAsFresh((yield* reader.read(1, keys)).pools, keys)
    })
  )

  it.effect("lists a pool with a hook as skipped, with the reason", () =>
    Effect.gen(function* () {
      const chains = yield* SandboxChains
      const rpc = yield* RpcClients
      const tokenOf = (role: string): Token => {
        const token = sandboxTokens(1).find((each) => each.role === role)!
        return { ...token, realWorldAsset: false }
      }
      const [usdc, native] = [tokenOf("usdc"), tokenOf("native")]
      // A hook address whose flags enable hooks for donations only, so no hook runs for swaps.
      const hooks = `0x${"77".repeat(18)}0020` as const
      const key = {
        currency0: ZERO_ADDRESS,
        currency1: usdc.address,
        fee: 500,
        tickSpacing: 10,
        hooks
      } as const
      yield* Effect.promise(() =>
        rpc.request(1, "eth_sendTransactionSync", [
          {
            from: chains.keys.treasury.address,
            to: deploymentOf(1).uniswapV4!.poolManager,
            data: encodeFunctionData({ abi: quoteAbi, functionName: "initialize", args: [key, 2n ** 96n] })
          }
        ])
      )
      const { skipped, pools } = yield* surveyPair(1, usdc, native)
      assert.isAtLeast(pools.length, 6)
      assert.deepStrictEqual(
        skipped.map(({ reason, venue }) => [venue, reason]),
        [["Uniswap V4", `it has a hook (${hooks})`]]
      )
      for (const { amounts, ticksRead } of pools) {
        assert.isTrue(amounts[0] > 0n && amounts[1] > 0n)
        assert.isTrue(ticksRead === null || ticksRead > 0)
      }
    })
  )
})
