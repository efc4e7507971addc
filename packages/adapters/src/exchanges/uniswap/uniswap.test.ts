import { NATIVE_TOKEN } from "@countersign/core/foundation/primitives"
import type { Token } from "@countersign/core/foundation/tokens"
import { type ConcentratedPool, swapConcentrated } from "@countersign/core/trading/liquidity"
import { type SwapProvider, SwapProviders } from "@countersign/core/trading/swap"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { encodePacked, parseAbi, parseUnits } from "viem"
import { SandboxChains, sandboxTokens } from "../../../sandbox/index.ts"
import { PATIENT_RPC } from "../../../test/evm/patientRpc.ts"
import { deploymentOf } from "../../chains/deployments/index.ts"
import { RpcClients, RpcClientsLayer } from "../../chains/evm/index.ts"
import { type PoolBlock, PoolReader } from "../pools/index.ts"
import { PoolSwapProvider } from "./index.ts"

/** Compares the swap math with Uniswap's contracts: QuoterV2 simulates swaps in the pools of the sandbox's chain. */

const quoterAbi = parseAbi([
  "struct Single { address tokenIn; address tokenOut; uint256 amount; uint24 fee; uint160 sqrtPriceLimitX96; }",
  "function quoteExactInputSingle(Single params) returns (uint256 amountOut, uint160 sqrtPriceX96After, uint32 initializedTicksCrossed, uint256 gasEstimate)",
  "function quoteExactOutputSingle(Single params) returns (uint256 amountIn, uint160 sqrtPriceX96After, uint32 initializedTicksCrossed, uint256 gasEstimate)",
  "function quoteExactInput(bytes path, uint256 amountIn) returns (uint256 amountOut, uint160[] sqrtPriceX96AfterList, uint32[] initializedTicksCrossedList, uint256 gasEstimate)"
])

let requests: Array<ReadonlyArray<string>> = []

const services = Layer.effect(SwapProviders, Effect.all([PoolSwapProvider.make])).pipe(
  Layer.provideMerge(PoolReader.layer),
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

const { quoterV2 } = deploymentOf(1).uniswapV3
const tokens = sandboxTokens(1).filter(({ role }) => role !== "rwa")

const allPools = Effect.gen(function* () {
  const reader = yield* PoolReader
  const pairs = tokens.flatMap((a, i) => tokens.slice(i + 1).map((b) => [a, b] as const))
  const keys = pairs
    .flatMap(([a, b]) => reader.keys(1, a.address, b.address))
    .filter(({ venue }) => venue === "Uniswap V3")
  const { block, pools } = yield* reader.read(1, keys)
  return { block, pools: pools.filter((pool) => pool._tag === "Concentrated") }
})

const quoter = (
  functionName: "quoteExactInputSingle" | "quoteExactOutputSingle",
  pool: ConcentratedPool,
  zeroForOne: boolean,
  amount: bigint
) =>
  Effect.gen(function* () {
    const rpc = yield* RpcClients
    const [tokenIn, tokenOut] = zeroForOne ? [pool.token0, pool.token1] : [pool.token1, pool.token0]
    const { result } = yield* Effect.promise(() =>
      rpc.client(1).simulateContract({
        address: quoterV2,
        abi: quoterAbi,
        functionName,
        args: [{ tokenIn, tokenOut, amount, fee: pool.feePips, sqrtPriceLimitX96: 0n }]
      })
    )
    return { amount: result[0], sqrtPriceX96: result[1], ticksCrossed: result[2] }
  })

/** Simulates a swap, and reads more ticks until they are sufficient. Null if the pool can't be read. */
const swapInPool = Effect.fnUntraced(function* (
  start: ConcentratedPool,
  block: PoolBlock,
  zeroForOne: boolean,
  amount: bigint,
  exactIn: boolean
) {
  const reader = yield* PoolReader
  let pool = start
  for (;;) {
    const outcome = swapConcentrated(pool, zeroForOne, amount, exactIn)
    if (outcome._tag !== "TicksMissing") return outcome
    const wider = yield* reader.widen(1, pool, outcome.word, block)
    if (wider === null) return null
    pool = wider
  }
})

/**
 * Returns amounts from dust to a large share of the pool, evenly distributed over the orders of magnitude.
 * Deterministic.
 */
const amounts = (pool: ConcentratedPool, zeroForOne: boolean): ReadonlyArray<bigint> => {
  const token = tokens.find(({ address }) => address === (zeroForOne ? pool.token0 : pool.token1))!
  const dollars = ["0.01", "0.5", "7", "123.456789", "999.99", "25000", "400000", "2500000"]
  return [
    1n,
    2n,
    1_001n,
    ...dollars.map((text) => (parseUnits(text, 8) * 10n ** BigInt(token.decimals)) / token.priceUsd8 + 1n)
  ]
}

layer(services, { excludeTestServices: true })("Uniswap V3", (it) => {
  it.effect("computes the same output as QuoterV2 for every swap in every pool, to the base unit", () =>
    Effect.gen(function* () {
      const { block, pools } = yield* allPools
      assert.isAtLeast(pools.length, 12)
      let comparedCount = 0
      let crossedTickCount = 0
      for (const pool of pools) {
        for (const zeroForOne of [true, false]) {
          for (const amount of amounts(pool, zeroForOne)) {
            const computedSwap = yield* swapInPool(pool, block, zeroForOne, amount, true)
            if (computedSwap === null || computedSwap._tag !== "Swapped") continue
            const quoterResult = yield* quoter("quoteExactInputSingle", pool, zeroForOne, amount)
            assert.strictEqual(computedSwap.amountOut, quoterResult.amount, `${pool.id} ${zeroForOne} ${amount}`)
            assert.strictEqual(computedSwap.amountIn, amount)
            assert.strictEqual(computedSwap.poolAfter().sqrtPriceX96, quoterResult.sqrtPriceX96)
            comparedCount += 1
            crossedTickCount += quoterResult.ticksCrossed
          }
        }
      }
      assert.isAtLeast(comparedCount, 250)
      assert.isAtLeast(crossedTickCount, 50)
    })
  )

  it.effect("computes the same input as QuoterV2 for exact outputs", () =>
    Effect.gen(function* () {
      const { block, pools } = yield* allPools
      for (const pool of pools.slice(0, 6)) {
        for (const zeroForOne of [true, false]) {
          for (const amount of amounts(pool, !zeroForOne).slice(0, 9)) {
            const computedSwap = yield* swapInPool(pool, block, zeroForOne, amount, false)
            if (computedSwap === null || computedSwap._tag !== "Swapped") continue
            const quoterResult = yield* quoter("quoteExactOutputSingle", pool, zeroForOne, amount)
            assert.strictEqual(computedSwap.amountIn, quoterResult.amount, `${pool.id} ${zeroForOne} ${amount}`)
          }
        }
      }
    })
  )

  const tokenOf = (symbol: string): Token => {
    const tokenWithSymbol = tokens.find((token) => token.symbol === symbol)!
    return { ...tokenWithSymbol, realWorldAsset: false }
  }
  const nativeToken: Token = {
    chainId: 1,
    address: NATIVE_TOKEN,
    name: "Ether",
    symbol: "ETH",
    decimals: 18,
    realWorldAsset: false
  }
  const provider = Effect.map(SwapProviders, ([first]): SwapProvider => first!)

  it.effect("offers at least the output that QuoterV2 returns for Uniswap V3 paths through one hub token", () =>
    Effect.gen(function* () {
      const rpc = yield* RpcClients
      const uniswap = yield* provider
      for (const [from, to, amount, hub, fees] of [
        ["USDC", "LINK", "5000", "WETH", [500, 3_000]],
        ["LINK", "WBTC", "300", "WETH", [3_000, 500]],
        ["DAI", "LINK", "12000", "WETH", [3_000, 3_000]]
      ] as const) {
        const tokenIn = tokenOf(from)
        const amountIn = parseUnits(amount, tokenIn.decimals)
        const offer = yield* uniswap.offer({ tokenIn, tokenOut: tokenOf(to), amountIn, limit: null })
        const path = encodePacked(
          ["address", "uint24", "address", "uint24", "address"],
          [tokenIn.address, fees[0], tokenOf(hub).address, fees[1], tokenOf(to).address]
        )
        const quotedAmount = yield* Effect.promise(() =>
          rpc
            .client(1)
            .simulateContract({
              address: quoterV2,
              abi: quoterAbi,
              functionName: "quoteExactInput",
              args: [path, amountIn]
            })
            .catch(() => null)
        )
        assert.isTrue(quotedAmount === null || offer.amountOut >= quotedAmount.result[0], `${from} to ${to}`)
      }
    })
  )

  it.effect("offers another amount at the same block without an RPC request, also from a copy", () =>
    Effect.gen(function* () {
      const uniswap = yield* provider
      const request = {
        tokenIn: tokenOf("USDC"),
        tokenOut: tokenOf("WETH"),
        amountIn: 1_000_000_000n,
        limit: null
      } as const
      const route = yield* uniswap.offer(request)
      requests = []
      const smallerOffer = yield* { ...route }.requoteAmount(990_000_000n)
      assert.deepStrictEqual(requests, [])
      assert.strictEqual(smallerOffer.blockNumber, route.blockNumber)
      assert.isTrue(smallerOffer.amountOut < route.amountOut)
      const direct = yield* uniswap.offer({ ...request, amountIn: 990_000_000n })
      assert.strictEqual(smallerOffer.amountOut, direct.amountOut)
    })
  )

  it.effect("requests only the block if the pair was already quoted at this block", () =>
    Effect.gen(function* () {
      const uniswap = yield* provider
      const request = {
        tokenIn: tokenOf("USDT"),
        tokenOut: tokenOf("WETH"),
        amountIn: 1_000_000n,
        limit: null
      } as const
      yield* uniswap.offer(request)
      requests = []
      yield* uniswap.offer(request)
      assert.deepStrictEqual(requests, [["eth_getBlockByNumber"]])
    })
  )

  it.effect("wraps and unwraps the native token at par, without a pool", () =>
    Effect.gen(function* () {
      const uniswap = yield* provider
      for (const [tokenIn, tokenOut] of [
        [nativeToken, tokenOf("WETH")],
        [tokenOf("WETH"), nativeToken]
      ] as const) {
        const { amountOut, route } = yield* uniswap.offer({ tokenIn, tokenOut, amountIn: 7n, limit: null })
        assert.strictEqual(amountOut, 7n)
        assert.deepStrictEqual(
          route.map(({ hops }) => hops.map(({ feePips, venue }) => ({ feePips, venue }))),
          [[{ feePips: 0, venue: "Wrapped Ether" }]]
        )
      }
    })
  )

  it.effect("reports that there is no pool, or that no pool has enough liquidity", () =>
    Effect.gen(function* () {
      const uniswap = yield* provider
      const tokenWithoutPools = {
        ...tokenOf("USDC"),
        address: tokenOf("LINK").address.replace("0x5", "0x6") as Token["address"],
        symbol: "NONE"
      }
      const routeError = yield* Effect.flip(
        uniswap.offer({ tokenIn: tokenWithoutPools, tokenOut: tokenOf("WETH"), amountIn: 1_000n, limit: null })
      )
      assert.include(routeError.message, "no route of pools leads from NONE to WETH")
      const tooMuch = yield* Effect.flip(
        uniswap.offer({ tokenIn: tokenOf("USDC"), tokenOut: tokenOf("WETH"), amountIn: 10n ** 30n, limit: null })
      )
      const [, named = ""] =
        /enough liquidity for 1000000000000000000000000 USDC\. The largest possible amount is currently (\d+) USDC$/u.exec(
          tooMuch.message
        ) ?? []
      const largest = BigInt(named) * 10n ** 6n
      const swap = (amountIn: bigint) =>
        uniswap.offer({ tokenIn: tokenOf("USDC"), tokenOut: tokenOf("WETH"), amountIn, limit: null })
      assert.isAbove(Number((yield* swap(largest)).amountOut), 0)
      assert.include((yield* Effect.flip(swap((largest * 5n) / 4n))).message, "enough liquidity")
      const tooLittle = yield* Effect.flip(
        uniswap.offer({ tokenIn: tokenOf("WETH"), tokenOut: tokenOf("USDC"), amountIn: 1n, limit: null })
      )
      assert.include(tooLittle.message, "0.000000000000000001 WETH is too small")
    })
  )
})
