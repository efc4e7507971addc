import {
  Address,
  HexBytes,
  isNativeToken,
  NATIVE_TOKEN,
  type Ratio,
  ratioFromPercent
} from "@countersign/core/foundation/primitives"
import type { Token } from "@countersign/core/foundation/tokens"
import { approveCall } from "@countersign/core/operations/user-operations"
import {
  LiquidityMarket,
  type LiquidityTerms,
  type OpenPosition,
  type OutputFee,
  type Position,
  pricesWithin,
  type TickRange,
  type TokenAmounts,
  usableTickEnds
} from "@countersign/core/trading/liquidity"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { liquidityMarketContract } from "../../../../core/src/trading/liquidity/LiquidityMarket.contract.ts"
import { concentratedToPrice } from "../../../../core/src/trading/liquidity/math/concentratedToPrice.fixture.ts"
import { type RandomNumbers, randomNumbers } from "../../../../core/src/trading/liquidity/math/randomPools.fixture.ts"
import { shortOrLong } from "../../../../core/test/support/longTests.ts"
import { sandboxPools } from "../../../sandbox/deployment/poolPlan.ts"
import { SandboxChains, sandboxTokens } from "../../../sandbox/index.ts"
import { PATIENT_RPC } from "../../../test/evm/patientRpc.ts"
import {
  balanceKeyOf,
  CHAIN,
  positionAccount,
  type TrialResult,
  type WatchedBalance
} from "../../../test/positions/positionAccount.ts"
import { deploymentOf, pooledToken } from "../../chains/deployments/index.ts"
import { RpcClientsLayer } from "../../chains/evm/index.ts"
import { PoolReader } from "../pools/index.ts"
import { swapCallOf } from "../uniswap/index.ts"
import { uniswapKey } from "./positionState.ts"
import * as UniswapLiquidityMarket from "./UniswapLiquidityMarket.ts"

/**
 * Executes random operations on positions, and compares the results with the real contracts on the sandbox's chain, to
 * the base unit.
 */

const OF_EACH_KIND = shortOrLong(25, 300)

const services = UniswapLiquidityMarket.layer.pipe(
  Layer.provideMerge(PoolReader.layer),
  Layer.provideMerge(
    Layer.unwrap(
      Effect.map(SandboxChains, ({ rpcUrl }) => RpcClientsLayer({ ...PATIENT_RPC, urls: (id) => [rpcUrl(id)] }))
    )
  ),
  Layer.provideMerge(SandboxChains.layerTemporary)
)

const deployment = deploymentOf(CHAIN)
const WETH = deployment.wrappedNative.address
const USDC = Address.make("0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48")
const { nonfungiblePositionManager: manager, swapRouter02 } = deployment.uniswapV3
const otherAddress = Address.make(`0x${"f1".repeat(20)}`)
const collectors = [1, 2, 3].map((digit) => Address.make(`0x${String(digit).repeat(2).padStart(40, "c")}`))

const tokens: ReadonlyArray<Token> = sandboxTokens(CHAIN)
  .filter(({ role }) => role !== "rwa")
  .map(({ address, chainId, decimals, name, symbol }) => ({
    chainId,
    address,
    name,
    symbol,
    decimals,
    realWorldAsset: false
  }))
const nativeToken: Token = { ...tokens[0]!, address: NATIVE_TOKEN, symbol: "ETH" }
const tokenAt = (address: Address) => tokens.find((token) => token.address === address)!
const pools = sandboxPools(CHAIN).filter(({ token0, token1 }) =>
  [token0, token1].every((address) => tokens.some((token) => token.address === address))
)

const usd = new Map(sandboxTokens(CHAIN).map(({ address, priceUsd8 }) => [address, priceUsd8]))

/** Returns an amount worth between a hundredth of a cent and about ten thousand US dollars. */
const amountOf = (random: RandomNumbers, token: Token): bigint => {
  const worthE8 = random.magnitude(40) + 10_000n
  const price = usd.get(pooledToken(token.address, deployment))!
  return (worthE8 * 10n ** BigInt(token.decimals)) / price + 1n
}

const unitOf = (token: Address): number => Number(usd.get(token)!) / 1e8 / 10 ** tokenAt(token).decimals

const dollarsOf = ({ amount0, amount1 }: TokenAmounts, token0: Address, token1: Address): number =>
  Number(amount0) * unitOf(token0) + Number(amount1) * unitOf(token1)

/** Whether the amounts are worth less than one base unit of the token whose base unit is more valuable. */
const isBelowUnit = (amounts: TokenAmounts, token0: Address, token1: Address): boolean =>
  dollarsOf(amounts, token0, token1) < Math.max(unitOf(token0), unitOf(token1))

const rangeOf = (random: RandomNumbers, tick: number, tickSpacing: number): TickRange => {
  const [lowest, highest] = usableTickEnds(tickSpacing)
  if (random.below(12) === 0) return { tickLower: lowest, tickUpper: highest }
  const maxTickOffset = random.of([2, 10, 60, 600])
  const usable = (at: number) => Math.min(highest, Math.max(lowest, Math.round(at / tickSpacing) * tickSpacing))
  const ends = [0, 1].map(() => usable(tick + (random.below(2 * maxTickOffset) - maxTickOffset) * tickSpacing))
  const tickLower = Math.min(...ends)
  return { tickLower, tickUpper: Math.max(...ends, tickLower + tickSpacing) }
}

const anyToken = (random: RandomNumbers, a: Address, b: Address): Token =>
  random.of([tokenAt(a), tokenAt(b), tokenAt(a), tokenAt(b), nativeToken, random.of(tokens)])

const termsOf = (random: RandomNumbers, sender: Address): LiquidityTerms => ({
  sender,
  recipient: random.of([sender, otherAddress]),
  slippagePercent: random.of([0, 0.5, 3, 99]),
  deadline: 4_000_000_000
})

const feesOf = (random: RandomNumbers): ReadonlyArray<OutputFee> =>
  collectors
    .slice(0, random.below(4))
    .map((recipient) => ({ recipient, share: ratioFromPercent(random.of([0.01, 0.3, 1, 2.5, 0.125, 20])) }))

const changeOf = ({ changes }: TrialResult, holder: Address, token: Address): bigint =>
  changes.get(balanceKeyOf({ holder, token: isNativeToken(token) ? null : token })) ?? 0n

/** Checks that no allowance of the account remains, and no tokens in the routers and the position manager. */
const nothingIsLeft = (tried: TrialResult) => {
  for (const allowance of tried.allowances) assert.strictEqual(allowance, 0n)
  for (const [key, change] of tried.changes) {
    const [holder] = key.split(" ")
    if ([swapRouter02, manager, deployment.universalRouter].some((address) => address === holder)) {
      assert.strictEqual(change, 0n, key)
    }
  }
}

const holdersOf = (account: Address): ReadonlyArray<Address> => [
  account,
  otherAddress,
  ...collectors,
  swapRouter02,
  deployment.universalRouter!,
  manager
]

const toWatchedBalances = (account: Address, addresses: ReadonlyArray<Address>): ReadonlyArray<WatchedBalance> =>
  holdersOf(account).flatMap((holder) =>
    [...new Set([...addresses, NATIVE_TOKEN])].map((token) => ({ holder, token: isNativeToken(token) ? null : token }))
  )

const increaseOf = ({ events }: TrialResult) => {
  const increase = events.find(({ eventName }) => eventName === "IncreaseLiquidity")
  if (increase?.eventName !== "IncreaseLiquidity") throw new Error("no liquidity was added to a position")
  return increase.args
}

const usdcAndWeth = [tokenAt(USDC), tokenAt(WETH)] as const

liquidityMarketContract("Uniswap V3", services, {
  chainId: CHAIN,
  tokens: usdcAndWeth,
  feePips: 3_000,
  amountIn: 1_000_000_000n,
  unknownFeePips: 3_100,
  readTokenId: Effect.gen(function* () {
    const market = yield* LiquidityMarket
    // The first NFTs belong to the sandbox, and one of them is in this pool.
    for (let tokenId = 1n; ; tokenId += 1n) {
      const { liquidity, pool } = yield* market.readPosition(CHAIN, tokenId)
      if (pool.feePips === 3_000 && pool.token0 === USDC && pool.token1 === WETH && liquidity > 0n) return tokenId
    }
  }).pipe(Effect.orDie),
  unknownTokenId: 10n ** 12n
})

layer(services, { excludeTestServices: true })("positions of Uniswap V3", (it) => {
  /** Moves the price of the 0.3 % WETH/USDC pool by a swap. */
  const movePrice = Effect.fnUntraced(function* (chain: Effect.Success<typeof positionAccount>, percent: number) {
    const key = uniswapKey(CHAIN, WETH, USDC, 3_000)
    const {
      block,
      pools: [pool]
    } = yield* (yield* PoolReader).read(CHAIN, [key])
    if (pool?._tag !== "Concentrated") return yield* Effect.die(new Error("there is no such pool"))
    const widenedUp = yield* (yield* PoolReader).widen(CHAIN, pool, pool.lastWord + 1, block)
    const widenedPool = (yield* (yield* PoolReader).widen(CHAIN, widenedUp ?? pool, pool.firstWord - 1, block)) ?? pool
    const { lowerPriceX96, upperPriceX96 } = pricesWithin(pool.sqrtPriceX96, Math.abs(percent))
    const zeroForOne = percent < 0
    const outcome = concentratedToPrice(widenedPool, zeroForOne, zeroForOne ? lowerPriceX96 : upperPriceX96)
    if (outcome._tag !== "Swapped") return yield* Effect.die(new Error("the pool's ticks were not read"))
    const token = tokenAt(zeroForOne ? key.token0 : key.token1)
    const hop = {
      key,
      zeroForOne,
      tokenIn: token.address,
      tokenOut: zeroForOne ? key.token1 : key.token0
    }
    yield* chain.make([
      approveCall(token, swapRouter02, outcome.amountIn),
      {
        to: swapRouter02,
        value: 0n,
        data: HexBytes.make(swapCallOf(outcome.amountIn, [hop], chain.account, 0n)),
        summary: "Move the price"
      }
    ])
  })

  /** Positions of the account in most pools, with ranges of all widths and earned fees. */
  const openedPositions = Effect.cached(
    Effect.gen(function* () {
      const market = yield* LiquidityMarket
      const chain = yield* positionAccount
      const random = randomNumbers(11)
      const ids: Array<bigint> = []
      const ranges = new Map<string, TickRange>()
      for (let i = 0; i < 48; i++) {
        const { feePips, token0, token1 } = pools[i % pools.length]!
        const tokenIn = anyToken(random, token0, token1)
        const openPool = yield* market.openPool({
          chainId: CHAIN,
          tokens: [tokenAt(token0), tokenAt(token1)],
          feePips,
          tokenIn
        })
        // Positions with the same range share the pool's record of that range, including its rounding.
        const sharedRange = random.below(2) === 0 ? ranges.get(openPool.address) : undefined
        const range = sharedRange ?? rangeOf(random, openPool.pool!.tick, openPool.tickSpacing)
        ranges.set(openPool.address, range)
        const amountIn = amountOf(random, tokenIn) * 20n
        const deposit = yield* Effect.option(openPool.deposit({ range, amountIn, startSqrtPriceX96: null }))
        if (deposit._tag === "None") continue
        const events = yield* chain.make(
          deposit.value.buildCalls({
            sender: chain.account,
            recipient: chain.account,
            slippagePercent: 0,
            deadline: 4e9
          })
        )
        for (const event of events) if (event.eventName === "IncreaseLiquidity") ids.push(event.args.tokenId)
      }
      assert.isAbove(ids.length, 30)
      for (const percent of [0.3, -0.6, 0.3]) yield* movePrice(chain, percent)
      const openPositions = yield* Effect.forEach(ids, (tokenId) => market.readPosition(CHAIN, tokenId))
      assert.isAbove(openPositions.filter(({ unclaimed }) => unclaimed.amount0 + unclaimed.amount1 > 0n).length, 15)
      const positions = new Map(openPositions.map((position) => [position.tokenId, position]))
      return { chain, ids, market, positions }
    })
  )
  const fixture = Effect.runSync(openedPositions)

  it.effect(`accept ${OF_EACH_KIND} deposits into new positions with the computed amounts`, () =>
    Effect.gen(function* () {
      const { chain, market } = yield* fixture
      const random = randomNumbers(1)
      let [done, belowUnit] = [0, 0]
      while (done < OF_EACH_KIND) {
        const { feePips, token0, token1 } = random.of(pools)
        const tokenIn = anyToken(random, token0, token1)
        const tokensOfPool = random.of([[token0, token1] as const, [token1, token0] as const])
        const openPool = yield* market.openPool({
          chainId: CHAIN,
          tokens: [tokenAt(tokensOfPool[0]), tokenAt(tokensOfPool[1])],
          feePips,
          tokenIn
        })
        const range = rangeOf(random, openPool.pool!.tick, openPool.tickSpacing)
        const amountIn = amountOf(random, tokenIn)
        const response = yield* Effect.option(openPool.deposit({ range, amountIn, startSqrtPriceX96: null }))
        if (response._tag === "None") continue
        const deposit = response.value
        const terms = termsOf(random, chain.account)
        const attemptResult = yield* chain.attempt(
          deposit.buildCalls(terms),
          toWatchedBalances(chain.account, [token0, token1, tokenIn.address])
        )
        const { tokenId: _, ...put } = increaseOf(attemptResult)
        assert.deepStrictEqual(put, { liquidity: deposit.liquidity, ...deposit.amounts })
        nothingIsLeft(attemptResult)
        const returnedAmount = (token: Address, amount: bigint) => {
          const isNative = isNativeToken(tokenIn.address) && token === deployment.wrappedNative.address
          return { token: isNative ? NATIVE_TOKEN : token, amount }
        }
        const expected = new Map<Address, bigint>([[tokenIn.address, -amountIn]])
        for (const { amount, token } of [
          returnedAmount(token0, deposit.leftovers.amount0),
          returnedAmount(token1, deposit.leftovers.amount1)
        ]) {
          expected.set(token, (expected.get(token) ?? 0n) + amount)
        }
        for (const [token, amount] of expected)
          assert.strictEqual(changeOf(attemptResult, chain.account, token), amount)
        done += 1
        if (isBelowUnit(deposit.leftovers, token0, token1)) belowUnit += 1
        assert.isBelow(dollarsOf(deposit.leftovers, token0, token1), 0.001)
      }
      // The remaining swaps used an intermediate token with fewer decimals than both tokens.
      assert.isAtLeast(belowUnit, OF_EACH_KIND * 0.95)
    })
  )

  const eachPosition = Effect.fnUntraced(function* (
    seed: number,
    tokenFor: (random: RandomNumbers, position: Position) => Token | null,
    check: (random: RandomNumbers, opened: OpenPosition, token: Token | null) => Effect.Effect<boolean, never, never>
  ) {
    const { ids, market, positions } = yield* fixture
    const random = randomNumbers(seed)
    let doneCount = 0
    while (doneCount < OF_EACH_KIND) {
      const tokenId = random.of(ids)
      const token = tokenFor(random, positions.get(tokenId)!)
      const openPosition = yield* market.openPosition({ chainId: CHAIN, tokenId, token })
      if (yield* check(random, openPosition, token)) doneCount += 1
    }
  })

  it.effect(`accept ${OF_EACH_KIND} additions with the computed amounts`, () =>
    Effect.gen(function* () {
      const { chain } = yield* fixture
      yield* eachPosition(
        2,
        (random, { pool }) => anyToken(random, pool.token0, pool.token1),
        Effect.fnUntraced(function* (random, { deposit, position: { pool, tokenId } }, token) {
          const response = yield* Effect.option(deposit(amountOf(random, token!)))
          if (response._tag === "None") return false
          const { amounts, buildCalls: calls, liquidity } = response.value
          const watchedBalances = toWatchedBalances(chain.account, [pool.token0, pool.token1, token!.address])
          const attemptResult = yield* chain.attempt(calls(termsOf(random, chain.account)), watchedBalances)
          assert.deepStrictEqual(increaseOf(attemptResult), { tokenId, liquidity, ...amounts })
          nothingIsLeft(attemptResult)
          return true
        })
      )
    })
  )

  it.effect(`return ${OF_EACH_KIND} shares with the computed amounts`, () =>
    Effect.gen(function* () {
      const { chain } = yield* fixture
      yield* eachPosition(
        3,
        (random, { pool }) => anyToken(random, pool.token0, pool.token1),
        Effect.fnUntraced(function* (random, { position, withdraw }, token) {
          const share: Ratio = ratioFromPercent(random.of([100, 100, 50, 33.33, 0.01, 7]))
          const fees = feesOf(random)
          const terms = termsOf(random, chain.account)
          const response = yield* Effect.option(
            withdraw({
              share,
              tokenOut: token!,
              isToOwner: terms.recipient === chain.account,
              fees,
              slippagePercent: terms.slippagePercent
            })
          )
          if (response._tag === "None") return false
          const withdrawal = response.value
          const { token0, token1 } = position.pool
          const attemptResult = yield* chain.attempt(
            withdrawal.buildCalls(terms),
            toWatchedBalances(chain.account, [token0, token1, token!.address])
          )
          nothingIsLeft(attemptResult)
          assert.strictEqual(changeOf(attemptResult, terms.recipient, token!.address), withdrawal.amountOut)
          for (const [i, { recipient }] of fees.entries()) {
            assert.strictEqual(changeOf(attemptResult, recipient, token!.address), withdrawal.payments[i])
          }
          const decreaseEvent = attemptResult.events.find(({ eventName }) => eventName === "DecreaseLiquidity")
          if (decreaseEvent?.eventName === "DecreaseLiquidity") {
            const { amount0, amount1, liquidity } = decreaseEvent.args
            assert.deepStrictEqual({ amount0, amount1 }, withdrawal.removed)
            assert.strictEqual(liquidity, withdrawal.liquidity)
          }
          return true
        })
      )
    })
  )

  it.effect(`move ${OF_EACH_KIND} positions to other ranges with the computed amounts`, () =>
    Effect.gen(function* () {
      const { chain } = yield* fixture
      yield* eachPosition(
        4,
        () => null,
        Effect.fnUntraced(function* (random, { position, rebalance }) {
          const { pool } = position
          const range = rangeOf(random, pool.tick, pool.tickSpacing)
          const fees = feesOf(random)
          const terms = termsOf(random, chain.account)
          const response = yield* Effect.option(rebalance({ range, fees, slippagePercent: terms.slippagePercent }))
          if (response._tag === "None") return false
          const { amounts, buildCalls: calls, leftovers, liquidity, payments } = response.value
          const attemptResult = yield* chain.attempt(
            calls(terms),
            toWatchedBalances(chain.account, [pool.token0, pool.token1])
          )
          const { tokenId: _, ...put } = increaseOf(attemptResult)
          assert.deepStrictEqual(put, { liquidity, ...amounts })
          nothingIsLeft(attemptResult)
          assert.strictEqual(changeOf(attemptResult, chain.account, pool.token0), leftovers.amount0)
          assert.strictEqual(changeOf(attemptResult, chain.account, pool.token1), leftovers.amount1)
          for (const [i, { recipient }] of fees.entries()) {
            assert.strictEqual(changeOf(attemptResult, recipient, pool.token0), payments[i]!.amount0)
            assert.strictEqual(changeOf(attemptResult, recipient, pool.token1), payments[i]!.amount1)
          }
          return true
        })
      )
    })
  )

  it.effect.each([0.4, -0.4, 1.5, -1.5])("handle a price that moved by %d percent with a slippage of 0.5", (percent) =>
    Effect.gen(function* () {
      const { chain, market } = yield* fixture
      const snapshot = yield* chain.request<string>("evm_snapshot")
      const [usdc, weth] = [tokenAt(USDC), tokenAt(WETH)]
      const request = { chainId: CHAIN, tokens: [usdc, weth] as const, feePips: 3_000, tokenIn: usdc } as const
      const { deposit, pool } = yield* market.openPool(request)
      const centerTick = Math.round(pool!.tick / 60) * 60
      const range = { tickLower: centerTick - 3_000, tickUpper: centerTick + 3_000 }
      const amountIn = 10_000_000_000n
      const terms = { sender: chain.account, recipient: chain.account, slippagePercent: 0.5, deadline: 4e9 }
      const depositQuote = yield* deposit({ range, amountIn, startSqrtPriceX96: null })
      const events = yield* chain.make(depositQuote.buildCalls(terms))
      const tokenId = events.flatMap((event) =>
        event.eventName === "IncreaseLiquidity" ? [event.args.tokenId] : []
      )[0]!

      const secondResponse = yield* (yield* market.openPool(request)).deposit({
        range,
        amountIn,
        startSqrtPriceX96: null
      })
      const openPosition = yield* market.openPosition({ chainId: CHAIN, tokenId, token: usdc })
      const fees: ReadonlyArray<OutputFee> = []
      const withdrawal = yield* openPosition.withdraw({
        share: ratioFromPercent(100),
        tokenOut: usdc,
        isToOwner: true,
        fees,
        slippagePercent: 0.5
      })
      const otherRange = { tickLower: centerTick - 600, tickUpper: centerTick + 1_200 }
      const rebalanceOffer = yield* openPosition.rebalance({ range: otherRange, fees, slippagePercent: 0.5 })
      yield* movePrice(chain, percent)
      for (const calls of [
        secondResponse.buildCalls(terms),
        withdrawal.buildCalls(terms),
        rebalanceOffer.buildCalls(terms)
      ]) {
        const exit = yield* Effect.exit(chain.attempt(calls, []))
        assert.strictEqual(exit._tag, Math.abs(percent) < 0.5 ? "Success" : "Failure", calls.at(-1)!.summary)
      }
      yield* chain.request("evm_revert", snapshot)
    })
  )
})
