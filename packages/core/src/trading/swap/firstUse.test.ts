import { assert, describe, it } from "@effect/vitest"
import { DateTime, Effect, Layer } from "effect"
import { anAddress } from "../../foundation/primitives/ids.fixture.ts"
import { HexBytes } from "../../foundation/primitives/index.ts"
import { aSimulation, chainReaderOf, setClock } from "../../operations/executions/evm.fixture.ts"
import { mainOperation } from "../../operations/intents/index.ts"
import {
  ChainReader,
  type FirstUse,
  FirstUseOfGasToken,
  inclusionGraceSeconds
} from "../../operations/user-operations/index.ts"
import { anOffer, aProvider, aSwapFixture, quote, type SwapFixture, swapLayer } from "./swap.fixture.ts"

const PAYMASTER = anAddress()
const STUB = HexBytes.make("0x")
const [HUGE_ALLOWANCE, NO_ALLOWANCE] = [10n ** 30n, 0n]
const LIMITS = {
  callGasLimit: 100_000n,
  verificationGasLimit: 100_000n,
  preVerificationGas: 50_000n,
  paymasterVerificationGasLimit: 90_000n,
  paymasterPostOpGasLimit: 60_000n
}

/** Gas limits of an operation whose gas fee is charged before its calls. */
const SETTLED_LIMITS = { ...LIMITS, paymasterVerificationGasLimit: 135_000n, preVerificationGas: 50_400n }

interface Fixture {
  readonly fixture: SwapFixture
  /** Returns how often the calls were planned. */
  readonly countPlans: () => number
  readonly layer: ReturnType<typeof swapLayer>
}

/**
 * Creates a swap that pays gas in USDC, where one base unit equals one wei. `allowances`: the wallet's and the
 * treasury's.
 */
const fixtureOf = (firstUse: FirstUse, allowances: ReadonlyArray<bigint>): Fixture => {
  const fixture = aSwapFixture()
  let plans = 0
  fixture.gasTerms = {
    address: PAYMASTER,
    tokenUnitsPerNativeToken: 10n ** 18n,
    postOpGasCharge: 50_000n,
    verificationGasLimit: 60_000n,
    postOpGasLimit: 90_000n,
    stubData: STUB,
    refundsFrom: anAddress()
  }
  fixture.simulate = () => Effect.succeed(aSimulation({ limits: LIMITS }))
  const reader = chainReaderOf(fixture)
  const provider = aProvider("pool", (request) =>
    Effect.sync(() =>
      anOffer(request, 3n, {
        requoteAmount: (amountIn) =>
          Effect.sync(() => {
            plans++
            return anOffer({ ...request, amountIn }, 3n)
          })
      })
    )
  )
  const layer = swapLayer(
    fixture,
    [provider],
    Layer.succeed(ChainReader, {
      ...reader,
      readAccountState: (...args) => Effect.map(reader.readAccountState(...args), (state) => ({ ...state, allowances }))
    })
  ).pipe(Layer.provide(Layer.succeed(FirstUseOfGasToken, firstUse)))
  return { fixture, countPlans: () => plans, layer }
}

const scenario = (
  name: string,
  setup: Fixture,
  test: (setup: Fixture) => Effect.Effect<unknown, unknown, Layer.Success<Fixture["layer"]>>
) =>
  it.effect(name, () =>
    Effect.gen(function* () {
      yield* setClock(0)
      yield* test(setup)
    }).pipe(Effect.provide(setup.layer))
  )

const readFirstQuote = ({ fixture }: Fixture, fields = {}) =>
  Effect.map(
    quote(fixture, { payGasFeeToken: fixture.usdc.address, ...fields }),
    ({ quotes: [firstQuote] }) => firstQuote!
  )

/** Decodes the deadline from the calls in the provider's encoding. */
const deadlineOf = (data: string) => Number(`0x${data.slice(-64)}`)

describe("The first use of a gas token", () => {
  scenario(
    "needs one operation, which grants the allowance, if it is TRUSTED",
    fixtureOf("TRUSTED", [NO_ALLOWANCE, HUGE_ALLOWANCE]),
    (setup) =>
      Effect.gen(function* () {
        const { content, quote: storedQuote } = yield* readFirstQuote(setup)
        assert.lengthOf(storedQuote.intents, 1)
        assert.lengthOf(content.calls, 2)
      })
  )

  scenario(
    "needs two operations if it is PAID, and all amounts cover both",
    fixtureOf("PAID", [NO_ALLOWANCE, HUGE_ALLOWANCE]),
    (setup) =>
      Effect.gen(function* () {
        const { content, quote: stored } = yield* readFirstQuote(setup, { gasFeePaymentMethod: "DEDUCT_FROM_AMOUNT" })
        const operations = stored.intents.flatMap((intent) => (intent.type === "USER_OPERATION" ? [intent] : []))
        const [first, second] = operations
        assert.lengthOf(operations, 2)
        assert.strictEqual(second!.operation.nonce, first!.operation.nonce + 1n)
        assert.strictEqual(stored.id, second!.hash)
        assert.strictEqual(mainOperation(stored.intents)?.hash, second!.hash)
        assert.strictEqual(content.gas?.maxToken, first!.gas.maxToken + second!.gas.maxToken)
        assert.strictEqual(content.split.gasFee, content.gas?.maxToken)
        assert.strictEqual(content.fees.find(({ type }) => type === "GAS")?.amount, content.gas?.maxToken)
        assert.match(
          content.calls[0]!.summary,
          /for the gas of this and later operations, only for operations that the owner signs, and at most [\d.]+ \w+ for this operation$/u
        )
        assert.lengthOf(content.calls, 2)
        assert.deepStrictEqual(
          stored.stages.map(({ intent, name }) => [name, intent]),
          [
            ["inclusion", 0],
            ["inclusion", 1],
            ["finality", null]
          ]
        )
        assert.deepStrictEqual(
          stored.transaction.legs.map(({ stage }) => stage),
          [1, 0]
        )
      })
  )

  scenario(
    "sets a later deadline for the calls of the second operation",
    fixtureOf("PAID", [NO_ALLOWANCE, HUGE_ALLOWANCE]),
    (setup) =>
      Effect.gen(function* () {
        const { content, quote: storedQuote } = yield* readFirstQuote(setup)
        const expiresAtSeconds = Math.floor(DateTime.toEpochMillis(storedQuote.expiresAt) / 1000)
        const deadline = deadlineOf(content.calls.at(-1)!.data)
        assert.strictEqual(deadline - expiresAtSeconds, 2 * inclusionGraceSeconds(137))
      })
  )

  const outOfGasFixture = fixtureOf("PAID", [HUGE_ALLOWANCE, HUGE_ALLOWANCE])
  scenario("keeps the paymaster's gas limit when the call gas limit is raised", outOfGasFixture, (setup) =>
    Effect.gen(function* () {
      const outOfGas = { decoded: "Out of gas", raw: HexBytes.make("0x"), utf8: "" }
      const noPrefund = { decoded: "AA33 reverted", raw: HexBytes.make("0x"), utf8: "" }
      let unlimitedCount = 0
      setup.fixture.simulate = ({ callGasLimit, paymaster }) =>
        Effect.sync(() => {
          if (callGasLimit === 0n) unlimitedCount += 1
          const neededLimits = { ...LIMITS, callGasLimit: unlimitedCount < 2 ? 100_000n : 300_000n }
          if (callGasLimit === 0n) return aSimulation({ limits: neededLimits })
          const revert =
            paymaster!.verificationGasLimit < 135_000n ? noPrefund : callGasLimit < 300_000n ? outOfGas : null
          return aSimulation({ revert, limits: { ...neededLimits, paymasterVerificationGasLimit: 135_000n } })
        })
      assert.isNull((yield* readFirstQuote(setup)).quote.revertReason)
    })
  )

  scenario(
    "needs one operation if the paymaster has its allowance",
    fixtureOf("PAID", [HUGE_ALLOWANCE, HUGE_ALLOWANCE]),
    (setup) =>
      Effect.gen(function* () {
        assert.lengthOf((yield* readFirstQuote(setup)).quote.intents, 1)
      })
  )

  scenario(
    "needs one operation if no fee could be refunded",
    fixtureOf("PAID", [NO_ALLOWANCE, NO_ALLOWANCE]),
    (setup) =>
      Effect.gen(function* () {
        const { content, quote: storedQuote } = yield* readFirstQuote(setup)
        assert.lengthOf(storedQuote.intents, 1)
        assert.lengthOf(content.calls, 2)
      })
  )

  scenario(
    "needs one simulation of each operation if similar operations were simulated before",
    fixtureOf("PAID", [NO_ALLOWANCE, HUGE_ALLOWANCE]),
    (setup) =>
      Effect.gen(function* () {
        const simulatedNonces: Array<bigint> = []
        setup.fixture.simulate = ({ nonce }) =>
          Effect.sync(() => {
            simulatedNonces.push(nonce & 1n)
            return aSimulation({ limits: SETTLED_LIMITS })
          })
        yield* readFirstQuote(setup)
        simulatedNonces.length = 0
        yield* readFirstQuote(setup)
        assert.deepStrictEqual(simulatedNonces, [0n, 1n])
      })
  )

  scenario(
    "signs nothing if the second operation would revert",
    fixtureOf("PAID", [NO_ALLOWANCE, HUGE_ALLOWANCE]),
    (setup) =>
      Effect.gen(function* () {
        const revert = { decoded: "STF", raw: HexBytes.make("0x"), utf8: "" }
        setup.fixture.simulate = (_operation, _signature, _by, after) =>
          Effect.succeed(aSimulation({ limits: LIMITS, revert: after === undefined ? null : revert }))
        const { quote: stored } = yield* readFirstQuote(setup)
        assert.deepStrictEqual(stored.revertReason, revert)
        assert.deepStrictEqual(
          stored.intents.map((intent) => intent.type === "USER_OPERATION" && intent.operation.paymaster?.data),
          [STUB, STUB]
        )
      })
  )
})

describe("A quote of an operation", () => {
  scenario(
    "plans its calls three times if no similar operation was planned before, and otherwise twice",
    fixtureOf("TRUSTED", [HUGE_ALLOWANCE, HUGE_ALLOWANCE]),
    (setup) =>
      Effect.gen(function* () {
        setup.fixture.simulate = () => Effect.succeed(aSimulation({ limits: SETTLED_LIMITS }))
        yield* readFirstQuote(setup)
        assert.strictEqual(setup.countPlans(), 3)
        yield* readFirstQuote(setup)
        assert.strictEqual(setup.countPlans(), 5)
      })
  )
})
