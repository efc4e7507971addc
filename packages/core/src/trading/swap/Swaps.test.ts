import { assert, describe, it } from "@effect/vitest"
import { DateTime, Deferred, Effect, Fiber, Layer, Option } from "effect"
import { TestClock } from "effect/testing"
import { UpstreamUnavailable } from "../../foundation/errors/index.ts"
import { anAddress, at } from "../../foundation/primitives/ids.fixture.ts"
import { Address, HexBytes } from "../../foundation/primitives/index.ts"
import { tokenKey } from "../../foundation/tokens/index.ts"
import { aSimulation, setClock } from "../../operations/executions/evm.fixture.ts"
import type { Intent } from "../../operations/intents/index.ts"
import { QuoteSettings, QuoteStore } from "../../operations/quotes/index.ts"
import { ChainReader, transferCall } from "../../operations/user-operations/index.ts"
import { type Offer, type OfferRequest, RouteNotFound, type SwapProvider } from "./provider/Offer.ts"
import { swapKind } from "./SwapContent.ts"
import { anOffer, aPool, aProvider, aSwapFixture, aSwapRequest, listTokenOn, quote, swapLayer } from "./swap.fixture.ts"

const REVERT = { decoded: "STF", raw: HexBytes.make("0x"), utf8: "" }
const LYING_RATE = 0xdeadn
/** 100 USDC. */
const AMOUNT = 100_000_000n

const withDelay = (provider: SwapProvider, milliseconds: number): SwapProvider => ({
  ...provider,
  offer: (request) => Effect.delay(provider.offer(request), milliseconds)
})

const rejectingProvider = (id: string) =>
  aProvider(id, () => Effect.fail(new RouteNotFound({ provider: id, reason: "no pool" })))
const failingProvider = (id: string) =>
  aProvider(id, () => Effect.fail(new UpstreamUnavailable({ upstream: id, reason: "down" })))
const crashingProvider = (id: string) => aProvider(id, () => Effect.die(new Error("a bug")))
const throwingProvider = (id: string) =>
  aProvider(id, () => {
    throw new Error("a bug")
  })
/** Creates a provider that offers a high output, but whose calls revert. */
const overstatingProvider = (id: string) => aPool(id, LYING_RATE)

interface HangingProvider {
  readonly provider: SwapProvider
  wasInterrupted: boolean
}
const aHangingProvider = (id: string): HangingProvider => {
  const hangingProvider: HangingProvider = {
    wasInterrupted: false,
    provider: aProvider(id, () =>
      Effect.onInterrupt(Effect.never, () =>
        Effect.sync(() => void Object.assign(hangingProvider, { wasInterrupted: true }))
      )
    )
  }
  return hangingProvider
}

/** Creates a scene in which calls with the rate of `overstatingProvider` revert. */
const aFixture = (fields: Parameters<typeof aSwapFixture>[0] = {}) => {
  const fixture = aSwapFixture(fields)
  fixture.simulate = ({ callData }) =>
    Effect.sync(() =>
      aSimulation({ revert: callData.includes(LYING_RATE.toString(16).padStart(64, "0")) ? REVERT : null })
    )
  return fixture
}

const providersOf = ({
  quotes
}: {
  readonly quotes: ReadonlyArray<{ readonly content: { readonly provider: string } }>
}) => quotes.map(({ content }) => content.provider)

describe("Swaps.quote, with several providers", () => {
  it.effect("QUICKEST_QUOTE ends with the first executable quote, and interrupts the rest", () => {
    const fixture = aFixture()
    const slowProvider = aHangingProvider("hanging")
    const providers = [
      slowProvider.provider,
      withDelay(aPool("better but later", 9n), 60),
      withDelay(aPool("good", 3n), 50),
      withDelay(overstatingProvider("lying"), 20),
      withDelay(rejectingProvider("refusing"), 10)
    ]
    return Effect.gen(function* () {
      const quoteFiber = yield* Effect.forkChild(quote(fixture, { routeProfile: "QUICKEST_QUOTE" }))
      yield* TestClock.adjust(55)
      const result = yield* Fiber.join(quoteFiber)
      assert.deepStrictEqual(providersOf(result), ["good", "lying"])
      assert.deepStrictEqual(
        result.candidates.map(({ amountOut, latencyMs, provider, refusal }) => [
          provider,
          latencyMs,
          amountOut,
          refusal
        ]),
        [
          ["refusing", 10, null, "refusing has no route: no pool"],
          ["lying", 20, AMOUNT * LYING_RATE, "STF"],
          ["good", 50, AMOUNT * 3n, null],
          ["hanging", 50, null, "no response within 50 ms, when the quotes were returned"],
          ["better but later", 50, null, "no response within 50 ms, when the quotes were returned"]
        ]
      )
      assert.isTrue(slowProvider.wasInterrupted)
    }).pipe(Effect.provide(swapLayer(fixture, providers)))
  })

  it.effect("QUICKEST_QUOTE returns all quotes with their reasons if none is executable", () => {
    const fixture = aFixture()
    const slowProvider = aHangingProvider("hanging")
    const providers = [
      overstatingProvider("lying"),
      slowProvider.provider,
      crashingProvider("dying"),
      throwingProvider("throwing"),
      failingProvider("failing")
    ]
    return Effect.gen(function* () {
      const quoteFiber = yield* Effect.forkChild(quote(fixture, { routeProfile: "QUICKEST_QUOTE" }))
      yield* TestClock.adjust(899)
      assert.isUndefined(quoteFiber.pollUnsafe())
      yield* TestClock.adjust(1)
      const result = yield* Fiber.join(quoteFiber)
      assert.deepStrictEqual(providersOf(result), ["lying"])
      assert.deepStrictEqual(result.quotes[0]!.quote.revertReason, REVERT)
      assert.deepStrictEqual(
        Object.fromEntries(result.candidates.map(({ provider, refusal }) => [provider, refusal])),
        {
          lying: "STF",
          hanging: "no response within 900 ms, when the quotes were returned",
          dying: "The dying has no route: it failed with an unexpected error",
          throwing: "The throwing has no route: it failed with an unexpected error",
          failing: "failing is unavailable: down. Try again shortly."
        }
      )
      assert.isTrue(slowProvider.wasInterrupted)
    }).pipe(Effect.provide(swapLayer(fixture, providers)))
  })

  it.effect("QUICKEST_QUOTE waits for the first quote beyond its time limit if there is none", () => {
    const fixture = aFixture()
    const slowProvider = aHangingProvider("hanging")
    const providers = [
      rejectingProvider("refusing"),
      withDelay(overstatingProvider("lying"), 2_000),
      slowProvider.provider
    ]
    return Effect.gen(function* () {
      const quoteFiber = yield* Effect.forkChild(quote(fixture, { routeProfile: "QUICKEST_QUOTE" }))
      yield* TestClock.adjust(1_999)
      assert.isUndefined(quoteFiber.pollUnsafe())
      yield* TestClock.adjust(1)
      assert.deepStrictEqual(providersOf(yield* Fiber.join(quoteFiber)), ["lying"])
      assert.isTrue(slowProvider.wasInterrupted)
    }).pipe(Effect.provide(swapLayer(fixture, providers)))
  })

  it.effect(
    "shares one result among identical concurrent requests, and computes another result for other requests",
    () => {
      const fixture = aFixture()
      let requestCount = 0
      const countingProvider = aProvider("counting", (request) => {
        requestCount += 1
        return Effect.delay(Effect.succeed(anOffer(request, 3n)), 10)
      })
      return Effect.gen(function* () {
        const requests = [{}, {}, {}, { slippage: 1 }]
        const quoteFiber = yield* Effect.forkChild(
          Effect.forEach(requests, (request) => quote(fixture, request), { concurrency: "unbounded" })
        )
        yield* TestClock.adjust(10)
        const responses = yield* Fiber.join(quoteFiber)
        assert.strictEqual(requestCount, 2)
        const ids = responses.map(({ quotes }) => quotes[0]!.quote.id)
        assert.deepStrictEqual(new Set(ids.slice(0, 3)), new Set([ids[0]]))
        assert.notStrictEqual(ids[3], ids[0])
      }).pipe(Effect.provide(swapLayer(fixture, [countingProvider])))
    }
  )

  it.effect("BEST_OUTPUT includes gas that is paid in addition to the amount", () => {
    const fixture = aFixture()
    const costlyRate = 1_001n
    const { limits } = aSimulation()
    fixture.simulate = ({ callData }) =>
      Effect.sync(() => {
        const isCostly = callData.includes(costlyRate.toString(16).padStart(64, "0"))
        return aSimulation({ limits: { ...limits, callGasLimit: isCostly ? 10n ** 12n : limits.callGasLimit } })
      })
    return Effect.gen(function* () {
      assert.deepStrictEqual(providersOf(yield* quote(fixture)), ["cheap", "costly"])
    }).pipe(Effect.provide(swapLayer(fixture, [aPool("costly", costlyRate), aPool("cheap", 1_000n)])))
  })

  it.effect("reports why each provider has no quote, and stores nothing", () => {
    const fixture = aFixture()
    return Effect.gen(function* () {
      const error = yield* Effect.flip(quote(fixture))
      assert.strictEqual(error._tag, "SWAP_QUOTE")
      for (const name of ["refusing has no route: no pool", "The dying", "failing is unavailable"]) {
        assert.include(error.message, name)
      }
      assert.strictEqual(fixture.memory.quotes.size, 0)
    }).pipe(
      Effect.provide(
        swapLayer(fixture, [rejectingProvider("refusing"), crashingProvider("dying"), failingProvider("failing")])
      )
    )
  })

  it.effect("BEST_OUTPUT waits for all providers until the deadline, and not longer", () => {
    const fixture = aFixture()
    const providers = [
      withDelay(aPool("late", 5n), 9_999),
      withDelay(aPool("too late", 9n), 10_001),
      aPool("quick", 3n)
    ]
    return Effect.gen(function* () {
      const quoteFiber = yield* Effect.forkChild(quote(fixture))
      yield* TestClock.adjust(9_998)
      assert.isUndefined(quoteFiber.pollUnsafe())
      yield* TestClock.adjust(2)
      const result = yield* Fiber.join(quoteFiber)
      assert.deepStrictEqual(providersOf(result), ["late", "quick"])
      assert.lengthOf(result.candidates, 3)
    }).pipe(Effect.provide(swapLayer(fixture, providers)))
  })

  it.effect(
    "sorts by the guaranteed output: the full amount of a floor, other amounts minus the slippage; reverting quotes come last",
    () => {
      const fixture = aFixture()
      const providers = [
        overstatingProvider("lying"),
        aPool("exact", 1_000n),
        aPool("floor", 999n, { certainty: "FLOOR" })
      ]
      return Effect.gen(function* () {
        const { quotes } = yield* quote(fixture)
        assert.deepStrictEqual(
          quotes.map(({ content }) => [content.provider, content.minAmountOut]),
          [
            ["floor", AMOUNT * 999n],
            ["exact", AMOUNT * 995n],
            ["lying", (AMOUNT * LYING_RATE * 995n) / 1_000n]
          ]
        )
      }).pipe(Effect.provide(swapLayer(fixture, providers)))
    }
  )

  it.effect("sorts FASTEST_BRIDGE by duration, and only for cross-chain swaps", () => {
    const fixture = aFixture()
    const wethOnOptimism = { ...fixture.weth, chainId: 10 as const }
    fixture.listedTokens.push(wethOnOptimism)
    const bridgeWith = (id: string, rate: bigint, executionSeconds: number) => ({
      ...aPool(id, rate, { executionSeconds }),
      serves: () => true
    })
    const providers = [bridgeWith("slow", 9n, 600), bridgeWith("fast", 3n, 60)]
    return Effect.gen(function* () {
      const result = yield* quote(fixture, { routeProfile: "FASTEST_BRIDGE", chainIdOut: 10 })
      assert.deepStrictEqual(providersOf(result), ["fast", "slow"])
      assert.strictEqual(result.quotes[0]!.quote.transaction.type, "CROSS_SWAP")
      const error = yield* Effect.flip(quote(fixture, { routeProfile: "FASTEST_BRIDGE" }))
      assert.strictEqual(error._tag === "BAD_REQUEST" && error.problems[0].path, "routeProfile")
    }).pipe(Effect.provide(swapLayer(fixture, providers)))
  })

  it.effect("reads the account once for all providers, even if one of them is interrupted", () => {
    const fixture = aFixture()
    let readCount = 0
    return Effect.gen(function* () {
      const mayRead = yield* Deferred.make<void>()
      const reader = Layer.effect(
        ChainReader,
        Effect.map(ChainReader, (innerReader) => ({
          ...innerReader,
          readAccountState: (...args: Parameters<typeof innerReader.readAccountState>) => {
            readCount += 1
            return Effect.andThen(Deferred.await(mayRead), innerReader.readAccountState(...args))
          }
        }))
      )
      const quoteFiber = yield* quote(fixture).pipe(
        Effect.provide(swapLayer(fixture, [withDelay(rejectingProvider("refusing"), 1), aPool("good", 3n)], reader)),
        Effect.forkChild
      )
      yield* TestClock.adjust(1)
      yield* Deferred.succeed(mayRead, undefined)
      assert.deepStrictEqual(providersOf(yield* Fiber.join(quoteFiber)), ["good"])
      assert.strictEqual(readCount, 1)
    })
  })
})

describe("Swaps.quote, gas limits", () => {
  const outOfGas = { decoded: "Out of gas", raw: HexBytes.make("0x"), utf8: "" }
  const { limits } = aSimulation()

  /** The operation's plan needs more gas as soon as the fee is known, so the first gas limits are too low. */
  it.effect("are raised if an operation runs out of gas within the computed limits", () => {
    const fixture = aFixture()
    let unlimitedCount = 0
    fixture.simulate = ({ callGasLimit }) =>
      Effect.sync(() => {
        if (callGasLimit === 0n) unlimitedCount += 1
        const neededGas = unlimitedCount < 2 ? 100_000n : 300_000n
        const isShort = callGasLimit > 0n && callGasLimit < 300_000n
        return aSimulation({ revert: isShort ? outOfGas : null, limits: { ...limits, callGasLimit: neededGas } })
      })
    return Effect.gen(function* () {
      const [bestQuote] = (yield* quote(fixture)).quotes
      assert.isNull(bestQuote!.quote.revertReason)
      const [intent] = bestQuote!.quote.intents
      assert.strictEqual(intent?.type === "USER_OPERATION" && intent.operation.callGasLimit, 300_000n)
      assert.strictEqual(unlimitedCount, 2)
    }).pipe(Effect.provide(swapLayer(fixture, [aPool("pool", 3n)])))
  })

  it.effect("are not raised if an operation reverts with any limits", () => {
    const fixture = aFixture()
    fixture.balances.set(tokenKey(fixture.usdc), 0n)
    let simulations = 0
    fixture.simulate = () =>
      Effect.sync(() => {
        simulations += 1
        return aSimulation({ revert: REVERT })
      })
    return Effect.gen(function* () {
      const [bestQuote] = (yield* quote(fixture)).quotes
      assert.match(bestQuote!.quote.revertReason!.decoded, /STF/u)
      assert.strictEqual(simulations, 1)
    }).pipe(Effect.provide(swapLayer(fixture, [aPool("pool", 3n)])))
  })
})

describe("Swaps.quote, rejections", () => {
  const fixture = aFixture()
  let requests = 0
  const countingProvider = aProvider("counting", (request) => {
    requests += 1
    return Effect.succeed(anOffer(request, 3n))
  })
  const assertRejected = (name: string, fields: Parameters<typeof quote>[1], tag: string, path?: string) =>
    it.effect(name, () =>
      Effect.gen(function* () {
        requests = 0
        const error = yield* Effect.flip(quote(fixture, fields))
        assert.strictEqual(error._tag, tag)
        if (path !== undefined) {
          assert.strictEqual(error._tag === "BAD_REQUEST" && error.problems[0].path, path)
        }
        assert.strictEqual(requests, 0)
        assert.strictEqual(fixture.memory.quotes.size, 0)
      }).pipe(Effect.provide(swapLayer(fixture, [countingProvider])))
    )

  assertRejected(
    "a wallet that is not registered",
    { walletAddress: anAddress() },
    "ACCOUNT_ABSTRACTION_ADDRESS_NOT_REGISTERED_WITH_PROJECT"
  )
  assertRejected("a token that is not listed", { tokenOut: anAddress() }, "NOT_AUTHORIZED_TOKENS")
  assertRejected("a token that is listed on another chain only", { chainIdOut: 10 }, "NOT_AUTHORIZED_TOKENS")
  assertRejected(
    "gas in a token that no paymaster accepts",
    { payGasFeeToken: fixture.usdc.address },
    "BAD_REQUEST",
    "payGasFeeToken"
  )
  assertRejected("a slippage above the maximum", { slippage: 150 }, "BAD_REQUEST", "slippage")
  assertRejected("a slippage that is not a number", { slippage: Number.NaN }, "BAD_REQUEST", "slippage")
  assertRejected("an amount of zero", { amountIn: "0" }, "BAD_REQUEST", "amountIn")
  assertRejected("an amount with more decimals than the token", { amountIn: "0.0000001" }, "BAD_REQUEST", "amountIn")
  assertRejected("one token for itself", { tokenOut: fixture.usdc.address }, "BAD_REQUEST", "tokenOut")
  assertRejected(
    "gas deducted from an amount in another token",
    { gasFeePaymentMethod: "DEDUCT_FROM_AMOUNT" },
    "BAD_REQUEST",
    "gasFeePaymentMethod"
  )
  assertRejected(
    "gas deducted from the output",
    { gasFeePaymentMethod: "DEDUCT_FROM_AMOUNT", tokenOut: fixture.nativeToken.address },
    "BAD_REQUEST",
    "gasFeePaymentMethod"
  )
  assertRejected(
    "fees that equal the amount",
    { transactionFeePercent: 60, extraFee: { percentage: 40, toAddress: anAddress() } },
    "BAD_REQUEST",
    "extraFee"
  )
  assertRejected(
    "a Bitcoin receiver of a token",
    { toAddress: "bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq" },
    "BAD_REQUEST",
    "toAddress"
  )
  assertRejected("a limit order without a book", { minAmountOut: "1" }, "SWAP_QUOTE")
})

describe("Swaps.quote, results", () => {
  it.effect("collects fees for the treasury, the operator and the caller's receivers before the swap", () => {
    const [treasury, operatorTreasury, friend] = [anAddress(), anAddress(), anAddress()]
    const fixture = aFixture({ treasury })
    const settings = Layer.succeed(QuoteSettings, { quoteSeconds: 60, operatorTreasury, operatorSharePercent: 25 })
    return Effect.gen(function* () {
      const {
        quotes: [firstQuote]
      } = yield* quote(fixture, { transactionFeePercent: 1, extraFee: { percentage: 2, toAddress: friend } })
      const { content, quote: storedQuote } = firstQuote!
      assert.deepStrictEqual(content.split, {
        gasFee: 0n,
        transactionFee: 1_000_000n,
        extraFee: 2_000_000n,
        net: 97_000_000n,
        treasuryFee: 750_000n,
        operatorFee: 250_000n
      })
      const paymentCall = (to: typeof friend, amount: bigint) => transferCall(fixture.usdc, to, amount)
      assert.deepStrictEqual(content.calls.slice(0, 3), [
        paymentCall(treasury, 750_000n),
        paymentCall(operatorTreasury, 250_000n),
        paymentCall(friend, 2_000_000n)
      ])
      assert.strictEqual(content.amountIn, AMOUNT)
      assert.strictEqual(content.amountOut, 97_000_000n * 3n)
      assert.deepStrictEqual(
        content.fees.map(({ amount, toAddress, type }) => [type, amount, toAddress]),
        [
          ["GAS", 250_000n * 10n, null],
          ["SERVICE", 1_000_000n, treasury],
          ["EXTRA", 2_000_000n, friend]
        ]
      )
      assert.deepStrictEqual(
        storedQuote.transaction.expected.map(({ amount, counterparty, direction, role, usd }) => [
          direction,
          role,
          amount,
          usd,
          role === "FEE" ? counterparty : null
        ]),
        [
          ["OUT", "PRINCIPAL", 97_000_000n, "97", null],
          ["OUT", "FEE", 750_000n, "0.75", treasury],
          ["OUT", "FEE", 250_000n, "0.25", operatorTreasury],
          ["OUT", "FEE", 2_000_000n, "2", friend],
          ["IN", "PRINCIPAL", 291_000_000n, "0", null]
        ]
      )
    }).pipe(Effect.provide(swapLayer(fixture, [aPool("pool", 3n)]).pipe(Layer.provide(settings))))
  })

  it.effect("deducts the gas fee from the amount, and swaps the remainder", () => {
    const fixture = aFixture()
    return Effect.gen(function* () {
      const {
        quotes: [firstQuote]
      } = yield* quote(fixture, {
        amountIn: "1",
        tokenIn: fixture.nativeToken.address,
        gasFeePaymentMethod: "DEDUCT_FROM_AMOUNT"
      })
      const { content } = firstQuote!
      assert.strictEqual(content.split.gasFee, content.gas!.maxToken)
      assert.strictEqual(content.split.net, 10n ** 18n - 2_500_000n)
      assert.strictEqual(content.amountOut, content.split.net * 3n)
    }).pipe(Effect.provide(swapLayer(fixture, [aPool("pool", 3n)])))
  })

  it.effect("rejects an amount that does not exceed the gas fee", () => {
    const fixture = aFixture()
    return Effect.gen(function* () {
      const error = yield* Effect.flip(
        quote(fixture, {
          amountIn: "0.000000000001",
          tokenIn: fixture.nativeToken.address,
          gasFeePaymentMethod: "DEDUCT_FROM_AMOUNT"
        })
      )
      assert.strictEqual(error._tag === "BAD_REQUEST" && error.problems[0].code, "fees_exceed_amount")
    }).pipe(Effect.provide(swapLayer(fixture, [aPool("pool", 3n)])))
  })

  it.effect("stores the prices for US dollar values, and the simulated movements", () => {
    const fixture = aFixture()
    const wallet = fixture.wallet.account.address
    const pool = anAddress()
    fixture.prices.delete(tokenKey(fixture.weth))
    fixture.simulate = () =>
      Effect.succeed(
        aSimulation({
          transfers: [
            { token: fixture.usdc.address, from: wallet, to: pool, amount: AMOUNT },
            { token: fixture.weth.address, from: pool, to: wallet, amount: 3n * AMOUNT },
            { token: fixture.weth.address, from: pool, to: anAddress(), amount: 8n }
          ]
        })
      )
    return Effect.gen(function* () {
      const {
        quotes: [firstQuote]
      } = yield* quote(fixture)
      const { content, quote: storedQuote } = firstQuote!
      const prices = { [tokenKey(fixture.usdc)]: 10n ** 18n, [tokenKey(fixture.nativeToken)]: 5n * 10n ** 17n }
      assert.deepStrictEqual(content.prices, prices)
      assert.deepStrictEqual(storedQuote.prices, prices)
      assert.isNull(storedQuote.transaction.expected.at(-1)!.usd)
      assert.deepStrictEqual(content.assetChanges, [
        { chainId: 137, token: fixture.usdc.address, change: -AMOUNT },
        { chainId: 137, token: fixture.weth.address, change: 3n * AMOUNT }
      ])
    }).pipe(Effect.provide(swapLayer(fixture, [aPool("pool", 3n)])))
  })

  /**
   * Simulates a swap that sends `arrivedAmount` to the wallet, and a later transfer that delivers only `percent` of its
   * amount to a pool.
   */
  const simulateArrival = (fixture: ReturnType<typeof aFixture>, arrivedAmount: bigint, percent: bigint) => {
    const request = { tokenIn: fixture.usdc, tokenOut: fixture.weth, amountIn: 1n, limit: null }
    const throughToken = Address.make(anOffer(request, 3n).route[0]!.hops[0]!.through)
    const wallet = fixture.wallet.account.address
    const token = fixture.weth.address
    fixture.simulate = ({ callData }) =>
      Effect.sync(() => {
        const boughtTransfer = { token, from: throughToken, to: wallet, amount: arrivedAmount }
        const poolFeeTransfer = { token, from: throughToken, to: anAddress(), amount: 5n }
        const walletTransfer = { token, from: wallet, to: throughToken, amount: (arrivedAmount * percent) / 100n }
        return aSimulation({
          transfers: [boughtTransfer, poolFeeTransfer, ...(callData.includes("a9059cbb") ? [walletTransfer] : [])]
        })
      })
  }

  it.effect("rejects a token with a transfer fee, and reports the fee", () => {
    const fixture = aFixture()
    return Effect.gen(function* () {
      for (const slippage of [0.5, 5]) {
        simulateArrival(fixture, (3n * AMOUNT * 98n) / 100n, 98n)
        const error = yield* Effect.flip(quote(fixture, { slippage }))
        assert.match(
          error.message,
          /received amount of WETH is less than the sent amount: the token charges a fee on transfers/u
        )
      }
      simulateArrival(fixture, 3n * AMOUNT, 98n)
      assert.lengthOf((yield* quote(fixture)).quotes, 1)
    }).pipe(Effect.provide(swapLayer(fixture, [aPool("pool", 3n)])))
  })

  it.effect("does not report a transfer fee if a pool of the route pays a part to another account", () => {
    const fixture = aFixture()
    simulateArrival(fixture, 3n * AMOUNT - 5n, 100n)
    return Effect.gen(function* () {
      const error = yield* Effect.flip(quote(fixture))
      assert.match(
        error.message,
        /received amount of WETH is less than the route's offer: a contract on the route pays a part/u
      )
    }).pipe(Effect.provide(swapLayer(fixture, [aPool("pool", 3n)])))
  })

  it.effect("requests another offer if other trades have moved the pools, without reporting a transfer fee", () => {
    const fixture = aFixture()
    const to = fixture.wallet.account.address
    const [pool, router] = [anAddress(), anAddress()]
    let deliveredAmount = 0n
    fixture.simulate = () =>
      Effect.sync(() => {
        const delivery = { token: fixture.weth.address, amount: deliveredAmount }
        return aSimulation({
          transfers: [
            { ...delivery, from: pool, to: router },
            { ...delivery, from: router, to }
          ]
        })
      })
    /** Each offer is one base unit lower than the previous one. */
    let offeredAmount = 3n * AMOUNT + 1n
    const decreasingProvider = (isRead: boolean) =>
      aProvider("pool", (request) =>
        Effect.sync(() => {
          offeredAmount -= 1n
          deliveredAmount = isRead ? offeredAmount : offeredAmount - 1n
          return anOffer(request, 3n, { amountOut: offeredAmount })
        })
      )
    return Effect.gen(function* () {
      const quoteOf = (isRead: boolean) =>
        quote(fixture, { slippage: 5 }).pipe(Effect.provide(swapLayer(fixture, [decreasingProvider(isRead)])))
      assert.lengthOf((yield* quoteOf(true)).quotes, 1)
      const error = yield* Effect.flip(quoteOf(false))
      assert.match(error.message, /other trades changed the pools.*Request the quote again/u)
    })
  })

  it.effect("distinguishes tokens with the same address on different chains", () => {
    const fixture = aFixture()
    const to = fixture.wallet.account.address
    const wethOnOptimism = listTokenOn(fixture, 10, fixture.weth)
    fixture.simulate = () =>
      Effect.succeed(aSimulation({ transfers: [{ token: fixture.weth.address, from: anAddress(), to, amount: 1n }] }))
    const bridgeProvider = aProvider("bridge", (request) => Effect.sync(() => anOffer(request, 3n)), {
      serves: () => true
    })
    return Effect.gen(function* () {
      const { quotes } = yield* quote(fixture, { chainIdOut: 10, tokenOut: wethOnOptimism.address })
      assert.lengthOf(quotes, 1)
    }).pipe(Effect.provide(swapLayer(fixture, [bridgeProvider])))
  })

  it.effect("sends nothing to the wallet's address on a chain on which the address has another owner", () => {
    const fixture = aFixture()
    const wethOnOptimism = listTokenOn(fixture, 10, fixture.weth)
    const bridgeProvider = aProvider("bridge", (request) => Effect.sync(() => anOffer(request, 3n)), {
      serves: () => true
    })
    const otherRecipientRequest = { chainIdOut: 10, tokenOut: wethOnOptimism.address }
    return Effect.gen(function* () {
      assert.lengthOf((yield* quote(fixture, otherRecipientRequest)).quotes, 1)
      fixture.accountChange = "its owner has changed"
      const error = yield* Effect.flip(quote(fixture, otherRecipientRequest))
      assert.match(error.message, /its owner has changed/u)
      const otherRecipientQuotes = yield* quote(fixture, { ...otherRecipientRequest, toAddress: anAddress() })
      assert.deepStrictEqual(otherRecipientQuotes.quotes[0]!.content.warnings, [])
    }).pipe(Effect.provide(swapLayer(fixture, [bridgeProvider])))
  })

  it.effect("uses the second offer if less arrives because the pools have changed", () => {
    const fixture = aFixture()
    const to = fixture.wallet.account.address
    let rate = 4n
    fixture.simulate = () =>
      Effect.sync(() => {
        rate = 3n
        const amount = 3n * AMOUNT
        return aSimulation({ transfers: [{ token: fixture.weth.address, from: anAddress(), to, amount }] })
      })
    const changingProvider = aProvider("changing", (request) => Effect.sync(() => anOffer(request, rate)))
    return Effect.gen(function* () {
      const [bestQuote] = (yield* quote(fixture, { slippage: 50 })).quotes
      assert.strictEqual(bestQuote!.content.amountOut, 3n * AMOUNT)
    }).pipe(Effect.provide(swapLayer(fixture, [changingProvider])))
  })

  it.effect("reports a transfer fee if a swap reverts because less of the token arrives at the pool", () => {
    const fixture = aFixture()
    const request = { tokenIn: fixture.usdc, tokenOut: fixture.weth, amountIn: 1n, limit: null }
    const throughToken = Address.make(anOffer(request, 3n).route[0]!.hops[0]!.through)
    const simulateSent = (arrivingAmount: bigint) => {
      fixture.simulate = ({ callData }) =>
        Effect.sync(() =>
          callData.includes("a9059cbb")
            ? aSimulation({
                transfers: [
                  {
                    token: fixture.usdc.address,
                    from: fixture.wallet.account.address,
                    to: throughToken,
                    amount: arrivingAmount
                  }
                ]
              })
            : aSimulation({ revert: REVERT })
        )
    }
    return Effect.gen(function* () {
      simulateSent(AMOUNT - 1n)
      const error = yield* Effect.flip(quote(fixture))
      assert.match(
        error.message,
        /received amount of USDC is less than the sent amount: the token charges a fee on transfers/u
      )
      simulateSent(AMOUNT)
      assert.deepStrictEqual((yield* quote(fixture)).quotes[0]!.quote.revertReason, REVERT)
    }).pipe(Effect.provide(swapLayer(fixture, [aPool("pool", 3n)])))
  })

  it.effect("stores each quote once, under the hash of its operation", () => {
    const fixture = aFixture()
    return Effect.gen(function* () {
      yield* setClock(0)
      const { candidates, quotes } = yield* quote(fixture, { metadata: { order: "7" } })
      assert.strictEqual(fixture.memory.quotes.size, 2)
      assert.lengthOf(candidates, 3)
      for (const { content, quote: createdQuote } of quotes) {
        const storedQuote = yield* QuoteStore.use((store) => store.find(fixture.project.id, createdQuote.id))
        assert.deepStrictEqual(storedQuote, Option.some(createdQuote))
        assert.deepStrictEqual(swapKind.decode(createdQuote.content!), content)
        assert.deepStrictEqual(content.candidates, candidates)
        assert.deepStrictEqual(content.request, aSwapRequest(fixture, { metadata: { order: "7" } }))
        const [intent] = createdQuote.intents
        assert.strictEqual(intent?.type === "USER_OPERATION" ? String(intent.hash) : null, createdQuote.id)
        assert.deepStrictEqual(createdQuote.metadata, { order: "7" })
        assert.deepStrictEqual(createdQuote.createdAt, at(0))
        assert.deepStrictEqual(createdQuote.expiresAt, at(60_000))
        assert.deepStrictEqual(
          createdQuote.stages.map(({ name, status }) => [name, status]),
          [
            ["inclusion", "PROCESSING"],
            ["finality", "COMPLETED"]
          ]
        )
      }
    }).pipe(Effect.provide(swapLayer(fixture, [aPool("a", 3n), aPool("b", 4n), rejectingProvider("c")])))
  })

  it.effect("accepts an offer that was wrapped, copied and logged", () => {
    const fixture = aFixture()
    const withCopiedOffers = (provider: SwapProvider): SwapProvider => {
      const copy = (offer: Offer): Offer => {
        JSON.stringify(offer, (_key, value) => (typeof value === "bigint" ? value.toString() : value))
        return {
          ...Object.fromEntries(Object.entries(offer)),
          requoteAmount: (amountIn: bigint) => Effect.map(offer.requoteAmount(amountIn), copy)
        } as unknown as Offer
      }
      return { ...provider, offer: (request) => Effect.map(provider.offer(request), copy) }
    }
    const fees = { treasury: anAddress() }
    const quoteWith = (provider: SwapProvider) =>
      Effect.gen(function* () {
        yield* setClock(0)
        const { quotes } = yield* quote(
          { ...fixture, project: { ...fixture.project, ...fees } },
          { transactionFeePercent: 1 }
        )
        const { calls, amountOut, minAmountOut, route } = quotes[0]!.content
        return { calls, amountOut, minAmountOut, route }
      }).pipe(Effect.provide(swapLayer(fixture, [provider])))
    return Effect.gen(function* () {
      assert.deepStrictEqual(yield* quoteWith(withCopiedOffers(aPool("pool", 3n))), yield* quoteWith(aPool("pool", 3n)))
    })
  })

  it.effect("stores offers with their own intents for the amount after fees, and with the fee payments", () => {
    const fixture = aFixture({ treasury: anAddress() })
    const orderIntentOf = (uid: string): Intent => ({
      type: "LIMIT_ORDER",
      chainId: 137,
      uid: HexBytes.make(uid),
      signer: fixture.wallet.account.owner,
      validTo: at(600_000),
      signData: []
    })
    const requests: Array<unknown> = []
    const uid = `0x${"ab".repeat(56)}`
    const book = aPool("book", 3n)
    const makeOffer = (request: OfferRequest): Offer =>
      anOffer(request, 3n, {
        stages: [{ name: "order-book", intent: 0, status: "PROCESSING" }],
        requoteAmount: (amountIn) => Effect.sync(() => makeOffer({ ...request, amountIn })),
        intent: {
          _tag: "Intents",
          buildIntents: (terms, payments) => {
            requests.push([request.amountIn, terms.minAmountOut, payments])
            return Effect.succeed([orderIntentOf(uid)])
          }
        }
      })
    return Effect.gen(function* () {
      yield* setClock(0)
      const {
        quotes: [firstQuote]
      } = yield* quote(fixture, { transactionFeePercent: 1 })
      const { content, quote: storedQuote } = firstQuote!
      assert.deepStrictEqual(requests, [
        [99_000_000n, (99_000_000n * 3n * 995n) / 1_000n, [{ recipient: fixture.project.treasury, amount: 1_000_000n }]]
      ])
      assert.match(storedQuote.id, /^0x[0-9a-f]{64}$/u)
      assert.deepStrictEqual(storedQuote.intents, [orderIntentOf(uid)])
      assert.deepStrictEqual(storedQuote.stages, [{ name: "order-book", intent: 0, status: "PROCESSING" }])
      assert.isNull(content.gas)
      assert.deepStrictEqual(content.calls, [])
      assert.deepStrictEqual(swapKind.decode(storedQuote.content!), content)
      assert.deepStrictEqual(DateTime.toEpochMillis(storedQuote.expiresAt), DateTime.toEpochMillis(at(60_000)))
    }).pipe(
      Effect.provide(swapLayer(fixture, [{ ...book, offer: (request) => Effect.sync(() => makeOffer(request)) }]))
    )
  })
})
