import { poolEventsContract } from "@countersign/core/contracts/trading/pools/PoolEvents"
import { poolMarketContract } from "@countersign/core/contracts/trading/pools/PoolMarket"
import { positionHistoryContract } from "@countersign/core/contracts/trading/pools/PositionHistory"
import { Address } from "@countersign/core/foundation/primitives"
import { Finality } from "@countersign/core/operations/executions"
import { LiquidityMarket } from "@countersign/core/trading/liquidity"
import {
  addHours,
  type PoolHour,
  PoolIndexing,
  PoolIndexStore,
  PoolMarket,
  type PoolRef,
  PositionHistory
} from "@countersign/core/trading/pools"
import { assert, layer } from "@effect/vitest"
import { DateTime, Effect, Layer, Option } from "effect"
import { encodeFunctionData, type Hex, maxUint256, numberToHex, parseAbi, toFunctionSelector } from "viem"
import { randomNumbers } from "../../../../core/src/trading/liquidity/math/randomPools.fixture.ts"
import { SandboxChains, sandboxTokens } from "../../../sandbox/index.ts"
import { layerAlteredNode } from "../../../test/evm/layerAlteredNode.ts"
import { PATIENT_RPC } from "../../../test/evm/patientRpc.ts"
import { managerAbi } from "../../../test/uniswap/uniswapContracts.ts"
import { deploymentOf } from "../../chains/deployments/index.ts"
import { RpcClients, RpcClientsLayer } from "../../chains/evm/index.ts"
import { layerSqlite } from "../../storage/kysely/index.ts"
import { PoolReader, uniswapV3Of, v3Key } from "../pools/index.ts"
import { UniswapLiquidityMarket } from "../positions/index.ts"
import { OnChainPoolMarket, ViemPoolEvents, ViemPositionHistory } from "./index.ts"

/** Compares the index of a pool with sums of the contract's events that viem decodes, on the sandbox's chain. */

const FINALITY = 6

const node = Layer.unwrap(
  Effect.map(SandboxChains, ({ rpcUrl }) => RpcClientsLayer({ ...PATIENT_RPC, urls: (id) => [rpcUrl(id)] }))
).pipe(Layer.provideMerge(SandboxChains.layerTemporary))

const services = Layer.mergeAll(
  PoolIndexing.layer.pipe(Layer.provide(Layer.succeed(Finality, () => ({ blocks: FINALITY, pollEveryMs: 100 })))),
  OnChainPoolMarket.layer,
  ViemPositionHistory.layer,
  UniswapLiquidityMarket.layer.pipe(Layer.provide(PoolReader.layer))
).pipe(Layer.provideMerge(ViemPoolEvents.layer), Layer.provideMerge(layerSqlite(":memory:")), Layer.provideMerge(node))

const [usdc, weth] = (["usdc", "native"] as const).map(
  (role) => sandboxTokens(1).find((token) => token.role === role)!.address
) as [Address, Address]

const eventsAbi = parseAbi([
  "event Initialize(uint160 sqrtPriceX96, int24 tick)",
  "event Swap(address indexed sender, address indexed recipient, int256 amount0, int256 amount1, uint160 sqrtPriceX96, uint128 liquidity, int24 tick)",
  "event Mint(address sender, address indexed owner, int24 indexed tickLower, int24 indexed tickUpper, uint128 amount, uint256 amount0, uint256 amount1)",
  "event Burn(address indexed owner, int24 indexed tickLower, int24 indexed tickUpper, uint128 amount, uint256 amount0, uint256 amount1)",
  "event Collect(address indexed owner, address recipient, int24 indexed tickLower, int24 indexed tickUpper, uint128 amount0, uint128 amount1)"
])

const actionsAbi = parseAbi([
  "struct Swap { address tokenIn; address tokenOut; uint24 fee; address recipient; uint256 amountIn; uint256 amountOutMinimum; uint160 sqrtPriceLimitX96; }",
  "function exactInputSingle(Swap params) payable returns (uint256 amountOut)",
  "function multicall(bytes[] data) payable returns (bytes[] results)",
  "struct Collect { uint256 tokenId; address recipient; uint128 amount0Max; uint128 amount1Max; }",
  "function collect(Collect params) payable returns (uint256 amount0, uint256 amount1)",
  "function approve(address spender, uint256 amount) returns (bool)"
])

const { nonfungiblePositionManager: manager, swapRouter02: router } = deploymentOf(1).uniswapV3

/** The first four bytes of `feeAmountTickSpacing`, and those of a function that the factory does not have. */
const FEE_TIER_SELECTOR = toFunctionSelector("feeAmountTickSpacing(uint24)").slice(2)
const UNKNOWN_SELECTOR = "deadbeef"

const thePool = Effect.gen(function* () {
  const { pools } = yield* (yield* PoolMarket).search(1, [[usdc, weth]], 3_000)
  const { address, chainId, feePips, token0, token1 } = pools[0]!
  return { address, chainId, feePips, token0, token1 }
})

const rpc = Effect.fnUntraced(function* (method: string, ...params: ReadonlyArray<unknown>) {
  const { rpcUrl } = yield* SandboxChains
  return yield* Effect.promise(async () => {
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params })
    const response = await fetch(rpcUrl(1), { method: "POST", body, headers: { "content-type": "application/json" } })
    const { error, result } = (await response.json()) as { readonly error?: unknown; readonly result: unknown }
    assert.isUndefined(error, JSON.stringify(error))
    return result
  })
})

/** Sends a transaction from the treasury. Its gas price is higher than any base fee after a reorg. */
const send = Effect.fnUntraced(function* (to: Address, data: Hex) {
  const { keys } = yield* SandboxChains
  const from = keys.treasury.address
  yield* rpc("anvil_impersonateAccount", from)
  const gas = { gas: numberToHex(28_000_000), maxFeePerGas: numberToHex(10n ** 12n), maxPriorityFeePerGas: "0x1" }
  const hash = yield* rpc("eth_sendTransaction", { from, to, data, ...gas })
  let receipt: unknown = null
  while (receipt === null) receipt = yield* rpc("eth_getTransactionReceipt", hash)
  assert.propertyVal(receipt, "status", "0x1")
})

/** Sends transactions with one to four random swaps each, and some with a new position. */
const act = Effect.fnUntraced(function* (seed: number, transactions: number) {
  const random = randomNumbers(seed)
  const { keys } = yield* SandboxChains
  const account = keys.treasury.address
  const swap = (): Hex => {
    const [tokenIn, tokenOut, unit] = random.below(2) === 0 ? [usdc, weth, 10n ** 6n] : [weth, usdc, 10n ** 15n]
    const params = {
      tokenIn,
      tokenOut,
      fee: 3_000,
      recipient: account,
      amountIn: unit * BigInt(1 + random.below(5_000)) + BigInt(random.below(1_000)),
      amountOutMinimum: 0n,
      sqrtPriceLimitX96: 0n
    }
    return encodeFunctionData({ abi: actionsAbi, functionName: "exactInputSingle", args: [params] })
  }
  const mint = (): Hex =>
    encodeFunctionData({
      abi: managerAbi,
      functionName: "mint",
      args: [
        {
          token0: usdc,
          token1: weth,
          fee: 3_000,
          tickLower: 60 * (3_200 + random.below(30)),
          tickUpper: 60 * (3_400 + random.below(30)),
          amount0Desired: 10n ** 9n,
          amount1Desired: 10n ** 18n,
          amount0Min: 0n,
          amount1Min: 0n,
          recipient: account,
          deadline: maxUint256
        }
      ]
    })
  for (let i = 0; i < transactions; i++) {
    if (random.below(5) === 0) {
      yield* send(manager, mint())
      continue
    }
    const swaps = Array.from({ length: 1 + random.below(4) }, swap)
    yield* send(router, encodeFunctionData({ abi: actionsAbi, functionName: "multicall", args: [swaps] }))
  }
})

const abs = (value: bigint): bigint => (value < 0n ? -value : value)

/** Sums the contract's events by the hour of their block. */
const sumsByViem = Effect.fnUntraced(function* ({ address, feePips }: PoolRef) {
  const client = (yield* RpcClients).client(1)
  return yield* Effect.promise(async () => {
    const logs = await client.getContractEvents({ abi: eventsAbi, address, fromBlock: 0n, strict: true })
    const hours = new Map<number, { sums: PoolHour; hashes: Set<string> }>()
    for (const log of logs) {
      const { timestamp } = await client.getBlock({ blockNumber: log.blockNumber })
      const hour = Number(timestamp / 3_600n)
      const emptyHour = { hour, transactions: 0, volume0: 0n, volume1: 0n, fees0: 0n, fees1: 0n }
      const { hashes, sums } = hours.get(hour) ?? { sums: emptyHour, hashes: new Set<string>() }
      hashes.add(log.transactionHash)
      const { amount0, amount1 } = log.eventName === "Swap" ? log.args : { amount0: 0n, amount1: 0n }
      const fee = (amount: bigint) => (amount > 0n ? (amount * BigInt(feePips) + 999_999n) / 1_000_000n : 0n)
      hours.set(hour, {
        hashes,
        sums: {
          hour,
          transactions: hashes.size,
          volume0: sums.volume0 + abs(amount0),
          volume1: sums.volume1 + abs(amount1),
          fees0: sums.fees0 + fee(amount0),
          fees1: sums.fees1 + fee(amount1)
        }
      })
    }
    return [...hours.values()].map(({ sums }) => sums).sort((a, b) => a.hour - b.hour)
  })
})

/** Returns the index after the indexer has read the entire chain. */
const indexPool = Effect.fnUntraced(function* (pool: PoolRef) {
  const store = yield* PoolIndexStore
  const indexing = yield* PoolIndexing
  const client = (yield* RpcClients).client(1)
  yield* store.recordRequest(pool, yield* DateTime.now, 10)
  const head = yield* Effect.promise(() => client.getBlockNumber())
  for (;;) {
    yield* indexing.indexDue
    // Leases and retry delays depend on the clock, so delayed work is made due immediately.
    yield* store.recordRequest(pool, DateTime.makeUnsafe(0), 10)
    const index = Option.getOrThrow(yield* store.find(pool))
    const { progress } = index
    if (progress?.isWhole && progress.headSeenAt !== null && progress.last.number >= Number(head) - FINALITY) break
  }
  yield* indexing.indexDue
  const hours = yield* store.listHours(pool, 0)
  return [...Map.groupBy(hours, ({ hour }) => hour).values()].map((parts) => parts.reduce(addHours))
})

poolMarketContract("Uniswap V3", OnChainPoolMarket.layer.pipe(Layer.provide(node)), {
  chainId: 1,
  tokens: [usdc, weth],
  contract: manager
})

poolEventsContract("viem", ViemPoolEvents.layer.pipe(Layer.provide(node)), {
  chainId: 1,
  address: v3Key(uniswapV3Of(deploymentOf(1)), usdc, weth, 500).address
})

positionHistoryContract(
  "the logs of NFTs",
  Layer.merge(ViemPositionHistory.layer, UniswapLiquidityMarket.layer.pipe(Layer.provide(PoolReader.layer))).pipe(
    Layer.provide(node)
  )
)

layer(services, { excludeTestServices: true })("The index of a pool", (it) => {
  it.effect("contains the sums of the contract's events for each hour", () =>
    Effect.gen(function* () {
      const pool = yield* thePool
      for (const token of [usdc, weth]) {
        for (const spender of [router, manager]) {
          const args = [spender, maxUint256] as const
          yield* send(token, encodeFunctionData({ abi: actionsAbi, functionName: "approve", args }))
        }
      }
      yield* act(1, 20)
      yield* rpc("evm_increaseTime", 3_700)
      yield* act(2, 20)
      const expected = yield* sumsByViem(pool)
      assert.isAtLeast(expected.length, 2)
      assert.isAtLeast(
        expected.reduce((sum, { transactions }) => sum + transactions, 0),
        40
      )
      assert.deepStrictEqual(yield* indexPool(pool), expected)
      yield* act(3, 10)
      assert.deepStrictEqual(yield* indexPool(pool), yield* sumsByViem(pool))
    })
  )

  it.effect("reads the fee tiers again if the node returned none, and fails until then", () =>
    Effect.gen(function* () {
      let hasFactory = false
      const emptyNode = layerAlteredNode((client, args) =>
        client.request(
          (hasFactory
            ? args
            : JSON.parse(JSON.stringify(args).replaceAll(FEE_TIER_SELECTOR, UNKNOWN_SELECTOR))) as never
        )
      )
      const market = yield* Effect.provide(
        PoolMarket,
        Layer.fresh(OnChainPoolMarket.layer).pipe(Layer.provide(emptyNode))
      )
      const searchPools = market.search(1, [[usdc, weth]], 3_000)
      assert.strictEqual((yield* Effect.flip(searchPools)).reason, "it returned no fee tier of Uniswap V3's factory")
      hasFactory = true
      assert.strictEqual((yield* searchPools).pools.length, 1)
    })
  )

  it.effect("does not read addresses without a pool again in searches of several pairs", () =>
    Effect.gen(function* () {
      let sentCharacters = 0
      const countingNode = layerAlteredNode((client, args) => {
        if (args.method === "eth_call") sentCharacters += JSON.stringify(args.params).length
        return client.request(args as never)
      })
      const market = yield* Effect.provide(
        PoolMarket,
        Layer.fresh(OnChainPoolMarket.layer).pipe(Layer.provide(countingNode))
      )
      const otherToken = Address.make(`0x${"ab".repeat(20)}`)
      const search = Effect.fnUntraced(function* (...pairs: ReadonlyArray<readonly [Address, Address]>) {
        sentCharacters = 0
        const { pools } = yield* market.search(1, pairs, null)
        return { characters: sentCharacters, pools: pools.map(({ address }) => address) }
      })
      yield* search([usdc, weth])
      const pairs = [[usdc, weth] as const, [usdc, otherToken] as const, [weth, otherToken] as const]
      const firstSearch = yield* search(...pairs)
      const secondSearch = yield* search(...pairs)
      assert.isAbove(firstSearch.pools.length, 0)
      assert.deepStrictEqual(secondSearch.pools, firstSearch.pools)
      assert.isBelow(secondSearch.characters, firstSearch.characters / 2)
      assert.strictEqual((yield* search([usdc, otherToken])).characters, (yield* search([usdc, weth])).characters)
    })
  )

  it.effect("computes the earned fees of a position from its collected and withdrawn amounts", () =>
    Effect.gen(function* () {
      const { keys } = yield* SandboxChains
      const client = (yield* RpcClients).client(1)
      yield* act(9, 3)
      const tokenId = yield* Effect.promise(async () => {
        const logs = await client.getContractEvents({
          abi: managerAbi,
          address: manager,
          eventName: "IncreaseLiquidity",
          fromBlock: 0n,
          strict: true
        })
        return logs.at(-1)!.args.tokenId
      })
      const position = Effect.flatMap(LiquidityMarket, (market) => market.readPosition(1, tokenId))
      const { liquidity } = yield* position
      const collect = encodeFunctionData({
        abi: actionsAbi,
        functionName: "collect",
        args: [
          {
            tokenId,
            recipient: keys.treasury.address,
            amount0Max: 2n ** 128n - 1n,
            amount1Max: 2n ** 128n - 1n
          }
        ]
      })
      const earnedFees = Effect.gen(function* () {
        const { unclaimed, ...rest } = yield* position
        const { collected, removed } = (yield* (yield* PositionHistory).readLifetime({ ...rest, unclaimed }))!
        return [
          collected.amount0 - removed.amount0 + unclaimed.amount0,
          collected.amount1 - removed.amount1 + unclaimed.amount1
        ]
      })
      yield* act(10, 4)
      const previous = yield* earnedFees
      assert.isTrue(previous[0]! > 0n && previous[1]! > 0n)
      yield* send(manager, collect)
      assert.deepStrictEqual(yield* earnedFees, previous)
      const decrease = { tokenId, liquidity: liquidity / 3n, amount0Min: 0n, amount1Min: 0n, deadline: maxUint256 }
      yield* send(manager, encodeFunctionData({ abi: managerAbi, functionName: "decreaseLiquidity", args: [decrease] }))
      assert.deepStrictEqual(yield* earnedFees, previous)
      yield* send(manager, collect)
      assert.deepStrictEqual(yield* earnedFees, previous)
    })
  )

  it.effect.each([FINALITY - 2, FINALITY + 4])("follows a reorg of %i blocks", (depth) =>
    Effect.gen(function* () {
      const pool = yield* thePool
      yield* act(depth, depth + 2)
      const stateBefore = yield* indexPool(pool)
      yield* rpc("anvil_reorg", depth, [])
      const expected = yield* sumsByViem(pool)
      assert.notDeepEqual(expected, stateBefore)
      assert.deepStrictEqual(yield* indexPool(pool), expected)
      yield* act(depth + 1, 3)
      assert.deepStrictEqual(yield* indexPool(pool), yield* sumsByViem(pool))
    })
  )
})
