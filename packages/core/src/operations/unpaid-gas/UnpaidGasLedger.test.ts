import { assert, describe, it } from "@effect/vitest"
import { DateTime, Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { aHash, anAddress, at } from "../../foundation/primitives/ids.fixture.ts"
import { HexBytes, NATIVE_TOKEN } from "../../foundation/primitives/index.ts"
import { tokenKey } from "../../foundation/tokens/index.ts"
import {
  anEvmFixture,
  anOutcome,
  aSimulation,
  type EvmFixture,
  evmFixtureLayer,
  include,
  reorgBlock,
  type runWorker,
  runWorkerLater,
  setClock,
  stageNameIn,
  transactionIn
} from "../executions/evm.fixture.ts"
import { UserOperations } from "../executions/index.ts"
import type { Quote } from "../quotes/index.ts"
import { anOperationIntent, aQuote } from "../quotes/Quote.fixture.ts"
import { UnpaidGasLedger } from "./UnpaidGasLedger.ts"
import { UnpaidGasLimits } from "./UnpaidGasLimits.ts"

const SIGNATURE = HexBytes.make(`0x${"5a".repeat(65)}`)
const TOKEN = anAddress()
const PAYMASTER = { address: anAddress(), verificationGasLimit: 0n, postOpGasLimit: 0n, data: HexBytes.make("0x") }

const plainIntent = anOperationIntent()
const { account } = plainIntent
const NATIVE_KEY = tokenKey({ chainId: 137, address: NATIVE_TOKEN })

/**
 * Creates a quote that pays gas with a token, at most 3,000 base units for 0.03 native tokens. The native token costs
 * $2.
 */
const aTokenQuote = (): Quote => {
  const intent = anOperationIntent({
    account,
    operation: { ...plainIntent.operation, nonce: BigInt(aHash()), paymaster: PAYMASTER },
    gas: {
      token: TOKEN,
      maxWei: 30_000n * 10n ** 12n,
      maxToken: 3_000n,
      expectedToken: 2_000n,
      unpaidWei: 0n,
      isFirstUse: false
    }
  })
  return {
    ...aQuote({ projectId, walletAddress: account.address, intents: [intent] }),
    id: intent.hash,
    prices: { [NATIVE_KEY]: 2n * 10n ** 18n }
  }
}

const { projectId } = aQuote()

let blockNumber = 100n

/** Creates an outcome that costs 0.02 native tokens. `paid` is the number of token base units that were paid for it. */
const anUnpaidOutcome = (paid: bigint | null = null) =>
  anOutcome({
    blockNumber: ++blockNumber,
    success: paid !== null,
    actualGasCost: 20_000n * 10n ** 12n,
    tokenPayment: paid === null ? null : { token: TOKEN, from: account.address, to: PAYMASTER.address, amount: paid }
  })

const operationOf = ({ intents }: Quote) => intents.find((intent) => intent.type === "USER_OPERATION")!

const quotedOperation = (quote: Quote) => ({ quote, intent: operationOf(quote) })

const execute = (fixture: EvmFixture, quote: Quote) => {
  fixture.memory.quotes.set(quote.id, quote)
  return UserOperations.use((operations) =>
    operations.execute(quote.projectId, { hash: operationOf(quote).hash, signature: SIGNATURE, authorization: null })
  )
}

/** Executes a quote of the wallet, and includes its operation with this outcome in a block. */
const settleOperation = Effect.fnUntraced(function* (fixture: EvmFixture, outcome = anUnpaidOutcome()) {
  yield* execute(fixture, aTokenQuote())
  include(fixture, 137, outcome)
  yield* runWorkerLater(1_000)
  fixture.outcome = () => Effect.succeedNone
})

const operationWallet = { projectId, account, usesPaymaster: true }
const admitCustomer = UnpaidGasLedger.use((ledger) => ledger.admit(operationWallet))
const readRejection = Effect.map(Effect.flip(admitCustomer), ({ retryAfterSeconds, scope, state }) => [
  scope,
  state,
  retryAfterSeconds
])

const scenario = <A, E>(
  name: string,
  test: (
    fixture: EvmFixture
  ) => Effect.Effect<A, E, Effect.Services<typeof runWorker> | UserOperations | UnpaidGasLedger>,
  limits = UnpaidGasLimits.defaultValue()
) => {
  const fixture = anEvmFixture(aTokenQuote())
  it.effect(name, () =>
    Effect.gen(function* () {
      yield* setClock(0)
      yield* test(fixture)
    }).pipe(Effect.provide(evmFixtureLayer(fixture).pipe(Layer.provide(Layer.succeed(UnpaidGasLimits, limits)))))
  )
}

describe("An operation in a block", () => {
  scenario("that paid nothing is recorded with its cost, at the native token's price in the quote", (fixture) =>
    Effect.gen(function* () {
      yield* settleOperation(fixture)
      const [entry] = fixture.memory.gasEntries
      const { hash } = operationOf([...fixture.memory.quotes.values()].at(-1)!)
      assert.deepStrictEqual(entry?.gasEntry, {
        projectId,
        walletAddress: account.address,
        owner: account.owner,
        chainId: 137,
        wei: 20_000n * 10n ** 12n,
        usd: "0.04" as never,
        cause: "UNPAID_OPERATION",
        at: at(1_000),
        userOperationHash: hash
      })
      assert.strictEqual(transactionIn(fixture).status, "FAILED")
    })
  )

  for (const [paid, wei] of [
    [2_000n, null],
    [1_800n, null],
    [1_000n, 10_000n],
    [0n, 20_000n]
  ] as const) {
    scenario(
      `that paid ${paid} of 2000 base units ${wei === null ? "is not recorded" : "is recorded with the missing part"}`,
      (fixture) =>
        Effect.gen(function* () {
          yield* settleOperation(fixture, anUnpaidOutcome(paid))
          assert.deepStrictEqual(
            fixture.memory.gasEntries.map(({ gasEntry }) => gasEntry.wei),
            wei === null ? [] : [wei * 10n ** 12n]
          )
        })
    )
  }

  scenario(
    "that succeeded without a visible payment is not recorded, because its calls revert if the fee is not charged",
    (fixture) =>
      Effect.gen(function* () {
        yield* settleOperation(fixture, { ...anUnpaidOutcome(), success: true })
        assert.lengthOf(fixture.memory.gasEntries, 0)
      })
  )

  scenario("that paid in the native token is not recorded, even if it reverted", (fixture) =>
    Effect.gen(function* () {
      const quote = aQuote({ projectId, walletAddress: account.address, intents: [anOperationIntent({ account })] })
      yield* execute(fixture, quote)
      include(fixture, 137, anOutcome({ success: false }))
      yield* runWorkerLater()
      assert.strictEqual(transactionIn(fixture).status, "FAILED")
      assert.lengthOf(fixture.memory.gasEntries, 0)
    })
  )

  scenario(
    "that reverted the operator's transactions is recorded with their cost, until a reorg removes them",
    (fixture) =>
      Effect.gen(function* () {
        const quote = aTokenQuote()
        const { hash } = operationOf(quote)
        yield* execute(fixture, quote)
        const ledger = yield* UnpaidGasLedger
        yield* ledger.settleReverted(quotedOperation(quote), 10n ** 16n)
        yield* ledger.settleReverted(quotedOperation(quote), 2n * 10n ** 16n)
        assert.deepStrictEqual(
          fixture.memory.gasEntries.map(({ gasEntry: { cause, usd, userOperationHash, wei } }) => [
            cause,
            usd,
            userOperationHash,
            wei
          ]),
          [["REVERTED_BUNDLE", "0.04" as never, hash, 2n * 10n ** 16n]]
        )
        yield* ledger.settleReverted(quotedOperation(quote), 0n)
        assert.lengthOf(fixture.memory.gasEntries, 0)
      })
  )

  scenario("counts once if a reorg replaces its block and it fails again, and not at all if it then pays", (fixture) =>
    Effect.gen(function* () {
      yield* execute(fixture, aTokenQuote())
      for (const outcome of [anUnpaidOutcome(), anUnpaidOutcome()]) {
        include(fixture, 137, outcome)
        yield* runWorkerLater()
        assert.strictEqual(stageNameIn(fixture), "finality")
        assert.lengthOf(fixture.memory.gasEntries, 1)
        reorgBlock(fixture, 137, outcome.blockNumber)
        yield* runWorkerLater()
        assert.strictEqual(stageNameIn(fixture), "inclusion")
      }
      include(fixture, 137, anUnpaidOutcome(2_000n))
      yield* runWorkerLater()
      assert.strictEqual(stageNameIn(fixture), "finality")
      assert.lengthOf(fixture.memory.gasEntries, 0)
    })
  )

  scenario("does not count after a reorg removed its block, if no other block includes it", (fixture) =>
    Effect.gen(function* () {
      const deadline = Math.floor(DateTime.toEpochMillis(at(600_000)) / 1_000)
      fixture.simulate = () => Effect.succeed(aSimulation({ validUntil: deadline }))
      yield* execute(fixture, aTokenQuote())
      const outcome = anUnpaidOutcome()
      include(fixture, 137, outcome)
      yield* runWorkerLater()
      assert.lengthOf(fixture.memory.gasEntries, 1)
      reorgBlock(fixture, 137, outcome.blockNumber)
      yield* runWorkerLater()
      fixture.blockTimestamp = deadline + 1_000
      yield* runWorkerLater(3_600_000)
      assert.strictEqual(transactionIn(fixture).substatus, "NOT_INCLUDED")
      assert.lengthOf(fixture.memory.gasEntries, 0)
    })
  )
})

describe("A wallet that leaves gas unpaid", () => {
  scenario("waits after its first entry, and then has one operation at a time", (fixture) =>
    Effect.gen(function* () {
      yield* settleOperation(fixture)
      assert.deepStrictEqual(yield* readRejection, ["wallet", "WAITING", 60])
      const error = yield* Effect.flip(execute(fixture, aTokenQuote()))
      assert.strictEqual(error._tag, "UNPAID_GAS_LIMIT")
      yield* TestClock.adjust("60 seconds")
      yield* admitCustomer
      const quotes = [aTokenQuote(), aTokenQuote(), aTokenQuote()].map((quote) => ({ ...quote, expiresAt: at(9e9) }))
      const responses = yield* Effect.forEach(quotes, (quote) => Effect.result(execute(fixture, quote)), {
        concurrency: 3
      })
      assert.deepStrictEqual(responses.map(({ _tag }) => _tag).toSorted(), ["Failure", "Failure", "Success"])
      // The next operation waits as long as this one is pending, regardless of how long.
      yield* TestClock.adjust("5 minutes")
      const rejectedQuote = quotes[responses.findIndex(({ _tag }) => _tag === "Failure")]!
      const busyError = yield* Effect.flip(execute(fixture, rejectedQuote))
      assert.strictEqual(busyError._tag === "UNPAID_GAS_LIMIT" && busyError.state, "BUSY")
      include(fixture, 137, anUnpaidOutcome(2_000n))
      yield* runWorkerLater()
      fixture.outcome = () => Effect.succeedNone
      yield* execute(fixture, rejectedQuote)
    })
  )

  scenario("is checked before any simulation", (fixture) =>
    Effect.gen(function* () {
      yield* settleOperation(fixture)
      fixture.simulate = () => Effect.die(new Error("simulated"))
      assert.strictEqual((yield* Effect.flip(execute(fixture, aTokenQuote())))._tag, "UNPAID_GAS_LIMIT")
    })
  )

  scenario("gets the result of an operation that was accepted before", (fixture) =>
    Effect.gen(function* () {
      const quote = aTokenQuote()
      const execution = yield* execute(fixture, quote)
      yield* UnpaidGasLedger.use((ledger) => ledger.settleReverted(quotedOperation(quote), 1n))
      assert.strictEqual((yield* execute(fixture, quote)).id, execution.id)
    })
  )

  const leaveUnpaid = (fixture: EvmFixture, count: number) =>
    Effect.forEach(
      Array.from({ length: count }),
      () => Effect.andThen(Effect.andThen(settleOperation(fixture), TestClock.adjust("1 hour")), Effect.void),
      { discard: true }
    )

  const extendQuoteExpiry = (fixture: EvmFixture) => {
    // Quotes of the fixture expire one minute after the start of the test, so they get a later expiry.
    const setQuote = fixture.memory.quotes.set.bind(fixture.memory.quotes)
    fixture.memory.quotes.set = (id, quote) => setQuote(id, { ...quote, expiresAt: at(9e9) })
  }

  scenario("is stopped by its third entry until that has decayed, and later has no limit", (fixture) =>
    Effect.gen(function* () {
      extendQuoteExpiry(fixture)
      yield* leaveUnpaid(fixture, 3)
      const [scope, state, seconds] = yield* readRejection
      assert.deepStrictEqual([scope, state], ["wallet", "STOPPED"])
      yield* TestClock.adjust(Number(seconds) * 1_000 - 1_000)
      assert.deepStrictEqual(yield* readRejection, ["wallet", "STOPPED", 1])
      yield* TestClock.adjust("1 second")
      yield* admitCustomer
      yield* TestClock.adjust("2 days")
      yield* Effect.all([execute(fixture, aTokenQuote()), execute(fixture, aTokenQuote())], { concurrency: 2 })
    })
  )

  scenario("continues after its unpaid gas is forgiven, and its entries are still listed", (fixture) =>
    Effect.gen(function* () {
      extendQuoteExpiry(fixture)
      yield* leaveUnpaid(fixture, 3)
      const ledger = yield* UnpaidGasLedger
      const [reportBefore] = yield* ledger.report(null)
      assert.deepStrictEqual(
        [reportBefore?.count, reportBefore?.usdE6, reportBefore?.admission._tag],
        [3, 120_000n, "Refused"]
      )
      assert.isTrue(reportBefore!.currentUsdE6 > 110_000n && reportBefore!.currentUsdE6 < 120_000n)
      assert.strictEqual(yield* ledger.forgive({ _tag: "Wallet", address: account.address }), 3)
      yield* admitCustomer
      const [reportAfter] = yield* ledger.report(projectId)
      assert.deepStrictEqual(
        [reportAfter?.count, reportAfter?.currentUsdE6, reportAfter?.admission._tag],
        [3, 0n, "Allowed"]
      )
    })
  )

  scenario("may pay in the native token, unless its entries are reverted bundles", (fixture) =>
    Effect.gen(function* () {
      extendQuoteExpiry(fixture)
      yield* leaveUnpaid(fixture, 3)
      const ledger = yield* UnpaidGasLedger
      const nativeCustomer = { ...operationWallet, usesPaymaster: false }
      yield* ledger.admit(nativeCustomer)
      for (const quote of [aTokenQuote(), aTokenQuote(), aTokenQuote()]) {
        yield* ledger.settleReverted(quotedOperation(quote), 1n)
        yield* ledger.settleReverted(quotedOperation(quote), 1n)
      }
      const error = yield* Effect.flip(ledger.admit(nativeCustomer))
      assert.deepStrictEqual([error.scope, error.state], ["wallet", "STOPPED"])
      assert.lengthOf(fixture.memory.gasEntries, 6)
    })
  )

  scenario(
    "does not stop other wallets, but uses up the budget for operations of the project that may stay unpaid",
    (fixture) =>
      Effect.gen(function* () {
        extendQuoteExpiry(fixture)
        yield* leaveUnpaid(fixture, 1)
        const ledger = yield* UnpaidGasLedger
        const otherWallet = { address: anAddress(), owner: anAddress() }
        yield* ledger.admit({ ...operationWallet, account: otherWallet })
        const unpaidGas = { owner: otherWallet.owner, usdE6: 60_000n, isFirstUse: true }
        const error = yield* Effect.flip(ledger.admitUnpaid(projectId, unpaidGas))
        assert.deepStrictEqual([error.scope, error.state], ["project", "STOPPED"])
        yield* ledger.admitUnpaid(projectId, { ...unpaidGas, usdE6: 20_000n })
        yield* ledger.admitUnpaid(aQuote().projectId, unpaidGas)
      }),
    { ...UnpaidGasLimits.defaultValue(), projectUsdE6PerDay: 80_000n }
  )
})

describe("An honest wallet", () => {
  scenario("has no unpaid gas after stale quotes, price changes and rejected operations", (fixture) =>
    Effect.gen(function* () {
      const revert = { decoded: "STF", raw: HexBytes.make("0x"), utf8: "" }
      for (let round = 0; round < 20; round++) {
        const simulate = fixture.simulate
        fixture.simulate = () => Effect.succeed({ revert } as never)
        assert.strictEqual((yield* Effect.flip(execute(fixture, aTokenQuote())))._tag, "QUOTE_STALE")
        fixture.simulate = simulate
        fixture.owner = anAddress()
        assert.strictEqual((yield* Effect.flip(execute(fixture, aTokenQuote())))._tag, "INVALID_SIGNATURE")
        fixture.owner = account.owner
        // At the time of the block, the price is half or double the quoted price.
        fixture.prices.set(NATIVE_KEY, 10n ** 18n * BigInt(1 + 3 * (round % 2)))
        yield* settleOperation(fixture, anUnpaidOutcome(2_000n))
      }
      assert.lengthOf(fixture.memory.gasEntries, 0)
      yield* admitCustomer
    })
  )
})
