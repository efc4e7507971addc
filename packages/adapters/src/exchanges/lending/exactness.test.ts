import { Address, decimalFromBaseUnits } from "@countersign/core/foundation/primitives"
import type { Token } from "@countersign/core/foundation/tokens"
import type { Call } from "@countersign/core/operations/user-operations"
import type { LendingLegs, LendingMarket } from "@countersign/core/trading/lending"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { createPublicClient, encodeFunctionData, erc20Abi, http } from "viem"
import { SandboxChains, sandboxTokens } from "../../../sandbox/index.ts"
import { PATIENT_RPC } from "../../../test/evm/patientRpc.ts"
import { deploymentOf, lendingOf } from "../../chains/deployments/index.ts"
import { multicall3Abi, RpcClientsLayer } from "../../chains/evm/index.ts"
import { aaveAbi } from "./aave/abi.ts"
import { AaveV3, MorphoBlue } from "./index.ts"
import { morphoAbi } from "./morpho/abi.ts"

/**
 * Compares quoted figures with the contracts' own figures after the execution, to the base unit, along random walks of
 * a position.
 */

const CHAIN = 1
const STEPS = 60
const DAY_SECONDS = 86_400
const WALLET = Address.make(`0x${"7e57".repeat(10)}`)
const { aaveV3, morphoBlue } = lendingOf(CHAIN)
const WBTC_USDC = morphoBlue!.markets[1]!

const chainsLayer = Layer.unwrap(
  Effect.map(SandboxChains, (chains) => RpcClientsLayer({ ...PATIENT_RPC, urls: (id) => [chains.rpcUrl(id)] }))
).pipe(Layer.provideMerge(SandboxChains.layerTemporary))

const tokenOf = (symbol: string): Token => {
  const sandboxToken = sandboxTokens(CHAIN).find((token) => token.symbol === symbol)!
  return { ...sandboxToken, realWorldAsset: false }
}

/** Deterministic random numbers. */
const dice = (seed: number) => {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

const openChain = Effect.gen(function* () {
  const chains = yield* SandboxChains
  const client = createPublicClient({ transport: http(chains.rpcUrl(CHAIN)) })
  const ask = (method: string, ...params: ReadonlyArray<unknown>) =>
    client.request({ method, params } as never) as Promise<unknown>
  const multicall3 = deploymentOf(CHAIN).multicall3
  const from = chains.keys.treasury.address
  const code = yield* Effect.promise(() => ask("eth_getCode", multicall3, "latest"))
  yield* Effect.promise(() => ask("anvil_setCode", WALLET, code))
  for (const symbol of ["WETH", "USDC", "WBTC", "DAI"]) {
    const { address, decimals } = tokenOf(symbol)
    yield* chains.fund(CHAIN, WALLET, address, 10n ** BigInt(decimals + 5))
  }

  /**
   * Executes all calls in one transaction, at the timestamp of the last block. The calls then use the same state as the
   * quote.
   */
  const execute = async (calls: ReadonlyArray<Call>): Promise<boolean> => {
    const data = encodeFunctionData({
      abi: multicall3Abi,
      functionName: "aggregate3",
      args: [calls.map(({ data: callData, to }) => ({ target: to, callData, allowFailure: false }))]
    })
    const { timestamp } = await client.getBlock()
    await ask("evm_setNextBlockTimestamp", `0x${timestamp.toString(16)}`)
    const receipt = (await ask("eth_sendTransactionSync", { from, to: WALLET, data, gas: "0x2dc6c0" })) as {
      readonly status: string
    }
    return receipt.status === "0x1"
  }
  return {
    client,
    execute,
    pass: async (seconds: number) => {
      await ask("evm_increaseTime", seconds)
      await ask("evm_mine")
    },
    balanceOf: (token: Token) =>
      client.readContract({
        abi: erc20Abi,
        address: token.address,
        functionName: "balanceOf",
        args: [WALLET]
      }),
    allowanceOf: (token: Token, spender: Address) =>
      client.readContract({
        abi: erc20Abi,
        address: token.address,
        functionName: "allowance",
        args: [WALLET, spender]
      })
  }
})
type Chain = Effect.Success<typeof openChain>

const NO_DEBT = 2n ** 256n - 1n

const aaveHealth = async ({ client }: Chain): Promise<bigint | null> => {
  const [, , , , , healthFactor] = await client.readContract({
    abi: aaveAbi,
    address: aaveV3.pool,
    functionName: "getUserAccountData",
    args: [WALLET]
  })
  return healthFactor === NO_DEBT ? null : healthFactor
}

/**
 * Computes Morpho's `_isHealthy` as a ratio. Reads the stored state, because every operation except a supply of
 * collateral accrues interest first.
 */
const morphoHealth = async ({ client }: Chain): Promise<bigint | null> => {
  const morphoCall = { abi: morphoAbi, address: morphoBlue!.morpho, args: [WBTC_USDC.id] as const }
  const [, borrowShares, collateral] = await client.readContract({
    ...morphoCall,
    functionName: "position",
    args: [WBTC_USDC.id, WALLET]
  })
  const [, , totalAssets, totalShares] = await client.readContract({ ...morphoCall, functionName: "market" })
  const price = await client.readContract({
    abi: morphoAbi,
    address: WBTC_USDC.params!.oracle,
    functionName: "price"
  })
  if (borrowShares === 0n) return null
  const shares = totalShares + 1_000_000n
  const debt = (borrowShares * (totalAssets + 1n) + shares - 1n) / shares
  return (((((collateral * price) / 10n ** 36n) * 86n) / 100n) * 10n ** 18n) / debt
}

/** Computes the health factor by an independent formula, from the wallet's balances and the markets' thresholds. */
const ownHealth = Effect.fnUntraced(function* (market: LendingMarket) {
  const infos = yield* market.listMarkets(CHAIN)
  let [secured, owed] = [0, 0]
  for (const { amount, isCollateral, token, type } of yield* market.listPositions(CHAIN, WALLET)) {
    const { decimals, priceUsd8 } = sandboxTokens(CHAIN).find(({ address }) => address === token)!
    const usd = (Number(amount) / 10 ** decimals) * (Number(priceUsd8) / 1e8)
    const { liquidationThresholdE18 } = infos.find(({ collateralToken }) => collateralToken === token) ?? {
      liquidationThresholdE18: 0n
    }
    if (type === "borrow") owed += usd
    else if (isCollateral) secured += (usd * Number(liquidationThresholdE18)) / 1e18
  }
  return owed === 0 ? null : secured / owed
})

interface RandomWalk {
  readonly market: Effect.Effect<LendingMarket, never, never>
  readonly collateral: ReadonlyArray<Token>
  readonly loans: ReadonlyArray<Token>
  readonly healthOf: (chain: Chain) => Promise<bigint | null>
  readonly seed: number
}

/** Generates a random lending request. Most requests are executable; some exceed the limits. */
const someLegs = (
  random: () => number,
  { collateral, loans }: Pick<RandomWalk, "collateral" | "loans">
): LendingLegs => {
  const pick = <A>(from: ReadonlyArray<A>): A => from[Math.floor(random() * from.length)]!
  const units = (token: Token, usd: number): bigint => {
    const { priceUsd8 } = sandboxTokens(CHAIN).find(({ address }) => address === token.address)!
    const cents = BigInt(Math.ceil(usd * 100 * random()))
    return (cents * 10n ** BigInt(token.decimals + 6)) / priceUsd8 + BigInt(Math.floor(random() * 1_000)) + 1n
  }
  const leg = (token: Token, amount: bigint | "MAX") => ({ token, amount, marketId: null, side: null })
  const supply = leg(pick(collateral), 0n)
  const borrow = leg(pick(loans), 0n)
  const isMax = random() < 0.25
  const supplyLeg = { ...supply, amount: units(supply.token, 100_000) }
  const borrowLeg = { ...borrow, amount: units(borrow.token, 20_000) }
  const repayLeg = { ...borrow, amount: isMax ? ("MAX" as const) : units(borrow.token, 10_000) }
  const withdrawLeg = { ...supply, amount: isMax ? ("MAX" as const) : units(supply.token, 20_000) }
  return pick<LendingLegs>([
    { supply: supplyLeg },
    { supply: supplyLeg, borrow: borrowLeg },
    { borrow: borrowLeg },
    { borrow: borrowLeg },
    { repay: repayLeg },
    { withdraw: withdrawLeg },
    { repay: repayLeg, withdraw: withdrawLeg }
  ])
}

/** Applies random lending requests to a position, with days between them. Returns the number of executed requests. */
const walk = Effect.fnUntraced(function* (chain: Chain, { healthOf, market: make, seed, ...tokens }: RandomWalk) {
  const market = yield* make
  const random = dice(seed)
  let executedCount = 0
  for (let step = 0; step < STEPS; step++) {
    yield* Effect.promise(() => chain.pass(Math.floor(random() * 29 * DAY_SECONDS) + 1))
    const legs = someLegs(random, tokens)
    const order = { chainId: CHAIN, account: WALLET, legs } as const
    const offerResult = yield* Effect.result(market.offer(order))
    if (offerResult._tag === "Failure") continue
    const offer = offerResult.success
    const calls = offer.buildCalls(legs, 0n)
    const { after, before } = yield* offer.simulateOutcome(calls)
    const changes = yield* Effect.promise(() =>
      Promise.all(Object.values(legs).map(async ({ token }) => [token, await chain.balanceOf(token)] as const))
    )
    const hasSucceeded = yield* Effect.promise(() => chain.execute(calls))
    const name = `step ${step}: ${Object.entries(legs).map(([action, { amount, token }]) => `${action} ${amount === "MAX" ? amount : decimalFromBaseUnits(amount, token.decimals)} ${token.symbol}`)}`
    assert.strictEqual(after !== null, hasSucceeded, `${name}; ${offer.conflictsOf(legs).join(" ")}`)
    if (after === null) continue
    executedCount++
    const health = yield* Effect.promise(() => healthOf(chain))
    assert.strictEqual(after.healthFactorE18, health, name)
    const computedHealth = yield* ownHealth(market)
    if (health === null || computedHealth === null) assert.isTrue(health === null && computedHealth === null, name)
    // Aave rounds the average threshold to one basis point.
    else assert.approximately(computedHealth / (Number(health) / 1e18), 1, 2e-4, name)
    assert.isTrue(before.healthFactorE18 === null || before.healthFactorE18 > 10n ** 18n)
    for (const [token, balance] of changes) {
      const change = (yield* Effect.promise(() => chain.balanceOf(token))) - balance
      const expected = Object.entries(legs).reduce((sum, [action, leg]) => {
        if (leg.token.address !== token.address) return sum
        const amount = offer.amountOf(action as "supply", leg.amount)
        return action === "supply" || action === "repay" ? sum - amount : sum + amount
      }, 0n)
      assert.strictEqual(change, expected, `${name}: ${token.symbol}`)
      assert.strictEqual(yield* Effect.promise(() => chain.allowanceOf(token, offer.contract)), 0n, name)
    }
  }
  return executedCount
})

/** Closes a position with a quote that is one month old. */
const closesLate = Effect.fnUntraced(function* (
  chain: Chain,
  make: RandomWalk["market"],
  [collateral, collateralAmount]: readonly [Token, bigint],
  [loan, loanAmount]: readonly [Token, bigint]
) {
  const market = yield* make
  const leg = (token: Token, amount: bigint | "MAX") => ({ token, amount, marketId: null, side: null })
  const run = Effect.fnUntraced(function* (legs: LendingLegs, days: number) {
    const offer = yield* market.offer({ chainId: CHAIN, account: WALLET, legs })
    const debt = offer.debtAtRoundingUp(
      Number((yield* Effect.promise(() => chain.client.getBlock())).timestamp) + days * DAY_SECONDS
    )
    if (days > 0) yield* Effect.promise(() => chain.pass(days * DAY_SECONDS))
    const balanceBefore = yield* Effect.promise(() => chain.balanceOf(loan))
    assert.isTrue(yield* Effect.promise(() => chain.execute(offer.buildCalls(legs, 0n))))
    const paidAmount = balanceBefore - (yield* Effect.promise(() => chain.balanceOf(loan)))
    assert.strictEqual(yield* Effect.promise(() => chain.allowanceOf(loan, offer.contract)), 0n)
    return { debt, paid: paidAmount }
  })
  yield* run({ repay: leg(loan, "MAX"), withdraw: leg(collateral, "MAX") }, 0).pipe(
    Effect.catchDefect(() => Effect.void)
  )
  yield* run({ supply: leg(collateral, collateralAmount), borrow: leg(loan, loanAmount) }, 0)
  const { debt, paid } = yield* run({ repay: leg(loan, "MAX"), withdraw: leg(collateral, "MAX") }, 30)
  assert.isTrue(paid > loanAmount && paid <= debt, `${paid} of ${debt}`)
  assert.deepStrictEqual(
    (yield* market.listPositions(CHAIN, WALLET)).filter(
      ({ token }) => token === loan.address || token === collateral.address
    ),
    []
  )
})

layer(chainsLayer, { excludeTestServices: true })("lending", (it) => {
  const walks = {
    "Aave V3": {
      market: AaveV3.make,
      collateral: ["WETH", "WBTC", "DAI"].map(tokenOf),
      loans: ["USDC", "DAI", "WETH"].map(tokenOf),
      healthOf: aaveHealth,
      seed: 11
    },
    "Morpho Blue": {
      market: MorphoBlue.make,
      collateral: [tokenOf("WBTC")],
      loans: [tokenOf("USDC")],
      healthOf: morphoHealth,
      seed: 13
    }
  }
  for (const [name, { market, ...rest }] of Object.entries(walks)) {
    it.effect(`of ${name} results in the quoted health factor and balances, to the base unit`, () =>
      Effect.gen(function* () {
        const chain = yield* openChain
        const context = yield* Effect.context<Effect.Services<typeof market>>()
        const executedCount = yield* walk(chain, { ...rest, market: Effect.provide(market, context) })
        assert.isAbove(executedCount, STEPS / 3)
      })
    )
    it.effect(`of ${name} is closed without dust by a quote that is a month old`, () =>
      Effect.gen(function* () {
        const chain = yield* openChain
        const context = yield* Effect.context<Effect.Services<typeof market>>()
        yield* closesLate(
          chain,
          Effect.provide(market, context),
          [tokenOf("WBTC"), 10n ** 8n],
          [tokenOf("USDC"), 10n ** 10n]
        )
      })
    )
  }
})
