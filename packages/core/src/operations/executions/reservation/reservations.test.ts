import { assert, describe, it } from "@effect/vitest"
import { DateTime, Effect, Result } from "effect"
import { aDraft, aMovement } from "../../../accounting/history/Transaction.fixture.ts"
import { anAddress, at } from "../../../foundation/primitives/ids.fixture.ts"
import { HexBytes } from "../../../foundation/primitives/index.ts"
import { tokenKey } from "../../../foundation/tokens/index.ts"
import { aProjectId } from "../../../tenancy/projects/Project.fixture.ts"
import { anAccount } from "../../../wallets/registry/Wallet.fixture.ts"
import { isUserOperation } from "../../intents/index.ts"
import type { Quote } from "../../quotes/index.ts"
import { anOperationIntent, aQuote, aUserOperation } from "../../quotes/Quote.fixture.ts"
import { OperationRejected } from "../../user-operations/index.ts"
import { UserOperations } from "../acceptance/UserOperations.ts"
import {
  anEvmFixture,
  anOutcome,
  aSimulation,
  type EvmFixture,
  evmFixtureLayer,
  include,
  reorgBlock,
  runWorker,
  runWorkerLater,
  setClock
} from "../evm.fixture.ts"
import { aMemory, memoryStores } from "../memoryStores.fixture.ts"
import { reservationsContract } from "./reservations.contract.ts"

reservationsContract("memory", memoryStores(aMemory()))

/** Tests of concurrent operations that reserve the balance of one wallet. */

const SIGNATURE = HexBytes.make(`0x${"5a".repeat(65)}`)
const [dollars, account] = [anAddress(), anAccount()]

/** Creates a quote that sends 100 base units. Its gas costs at most 10 more. */
const aSpendingQuote = (fields: Partial<Quote> = {}): Quote => {
  const intent = anOperationIntent({
    account,
    operation: aUserOperation({ sender: account.address, nonce: ++nonce }),
    gas: { token: dollars, maxWei: 10n ** 16n, maxToken: 10n, expectedToken: 1n, unpaidWei: 0n, isFirstUse: false }
  })
  return aQuote({
    id: intent.hash,
    projectId: aProjectId(),
    walletAddress: account.address,
    intents: [intent],
    transaction: aDraft({
      expected: [aMovement({ account: account.address, asset: { chainId: 137, token: dollars }, amount: 100n })]
    }),
    ...fields
  })
}

const nonceOf = ({ intents }: Quote): bigint => intents.filter(isUserOperation)[0]!.operation.nonce

let nonce = 0n

const execute = (quote: Quote) =>
  UserOperations.use((operations) =>
    operations.execute(quote.projectId, {
      hash: quote.intents[0]!.signData[0]!.hash,
      signature: SIGNATURE,
      authorization: null
    })
  )

const readRejection = (quote: Quote) =>
  Effect.map(Effect.flip(execute(quote)), (error) => {
    assert.strictEqual(error._tag, "QUOTE_STALE")
    return error.message
  })

const setBalance = ({ balances }: EvmFixture, units: bigint) =>
  void balances.set(tokenKey({ chainId: 137, address: dollars }), units)

const scenario = <A, E>(
  name: string,
  test: (
    fixture: EvmFixture,
    quotes: ReadonlyArray<Quote>
  ) => Effect.Effect<A, E, Effect.Services<typeof runWorker> | UserOperations>
) => {
  const quotes = Array.from({ length: 5 }, () => aSpendingQuote())
  const fixture = anEvmFixture(...quotes)
  fixture.listedTokens.push({
    chainId: 137,
    address: dollars,
    name: "US dollar",
    symbol: "USDX",
    decimals: 1,
    realWorldAsset: false
  })
  it.effect(name, () =>
    Effect.andThen(setClock(0), test(fixture, quotes)).pipe(Effect.provide(evmFixtureLayer(fixture)))
  )
}

describe("Concurrent operations of one wallet", () => {
  scenario("are accepted up to its balance, and nothing is stored for rejected ones", (fixture, quotes) =>
    Effect.gen(function* () {
      setBalance(fixture, 3n * 110n)
      fixture.simulate = () => Effect.as(Effect.yieldNow, aSimulation())
      const responses = yield* Effect.forEach(quotes, (quote) => Effect.result(execute(quote)), {
        concurrency: "unbounded"
      })
      assert.strictEqual(responses.filter(({ _tag }) => _tag === "Success").length, 3)
      const { acceptedQuotes, events, executions, transactions } = fixture.memory
      assert.deepStrictEqual([acceptedQuotes.size, executions.size, transactions.size, events.length], [3, 3, 3, 3])
    })
  )

  scenario("from repeated requests for one quote reserve its amount once", (fixture, [quote]) =>
    Effect.gen(function* () {
      setBalance(fixture, 110n)
      fixture.simulate = () => Effect.as(Effect.yieldNow, aSimulation())
      const responses = yield* Effect.all(
        Array.from({ length: 5 }, () => execute(quote!)),
        { concurrency: "unbounded" }
      )
      assert.strictEqual(new Set(responses.map(({ id }) => id)).size, 1)
    })
  )

  scenario(
    "are rejected with the missing amount, and can be executed after the others have ended",
    (fixture, [first, second]) =>
      Effect.gen(function* () {
        setBalance(fixture, 219n)
        yield* execute(first!)
        const message = yield* readRejection(second!)
        assert.include(message, "need 11 of its 21.9 USDX, and this operation needs 11")
        assert.include(message, "Execute it again when the other operations have ended")
        include(fixture, 137, anOutcome({ blockNumber: 100n }))
        setBalance(fixture, 118n)
        yield* runWorker
        yield* execute(second!)
      })
  )

  scenario("count against balances from before the block that includes them", (fixture, [first, second]) =>
    Effect.gen(function* () {
      setBalance(fixture, 110n)
      yield* execute(first!)
      include(fixture, 137, anOutcome({ blockNumber: 100n }))
      yield* runWorker
      // A node that is one block behind still shows the balance before the first operation.
      fixture.heads.set(137, 99n)
      yield* readRejection(second!)
      fixture.heads.set(137, 100n)
      yield* execute(second!)
    })
  )

  scenario(
    "do not count after their nonces are used, even before the service has detected the block",
    (fixture, [first, second, third]) =>
      Effect.gen(function* () {
        setBalance(fixture, 110n)
        yield* execute(first!)
        let simulations = 0
        fixture.simulate = () => Effect.sync(() => aSimulation({ gasUsed: BigInt(++simulations) }))
        yield* readRejection(second!)
        assert.strictEqual(simulations, 1)
        fixture.usedNonces.add(nonceOf(first!))
        yield* execute(second!)
        // The second operation is simulated again, with the balance after the first operation.
        assert.strictEqual(simulations, 3)
        fixture.usedNonces.add(nonceOf(second!))
        setBalance(fixture, 0n)
        yield* readRejection(third!)
      })
  )

  scenario("count again after a reorg removes their block", (fixture, [first, second]) =>
    Effect.gen(function* () {
      setBalance(fixture, 110n)
      yield* execute(first!)
      include(fixture, 137, anOutcome({ blockNumber: 100n }))
      yield* runWorker
      reorgBlock(fixture, 137, 100n)
      yield* runWorkerLater()
      yield* readRejection(second!)
    })
  )

  scenario("do not count after they can no longer be executed", (fixture, [first, second]) =>
    Effect.gen(function* () {
      setBalance(fixture, 110n)
      const seconds = (milliseconds: number) => Math.floor(DateTime.toEpochMillis(at(milliseconds)) / 1_000)
      fixture.simulate = () => Effect.succeed(aSimulation({ validUntil: seconds(1_000) }))
      fixture.submit = () => Effect.fail(new OperationRejected({ reason: "no" }))
      yield* execute(first!)
      yield* runWorker
      // A rejection by the bundler does not end the execution, because another bundler may still have the operation.
      yield* readRejection(second!)
      yield* setClock(5_000)
      fixture.blockTimestamp = seconds(1_000_000)
      yield* runWorker
      yield* execute(second!)
    })
  )

  scenario("do not reserve their amount forever if they are never included", (fixture, [first, second]) =>
    Effect.gen(function* () {
      setBalance(fixture, 110n)
      yield* execute(first!)
      yield* setClock(60_000)
      yield* readRejection(second!)
      fixture.memory.quotes.set(second!.id, { ...second!, expiresAt: at(4_000_000) })
      yield* setClock(3_600_000)
      yield* readRejection(second!)
      yield* setClock(3_660_001)
      yield* execute(second!)
    })
  )

  // Each of these quotes belongs to a different project.
  scenario("count in every project that registered the wallet", (fixture, [first, second]) =>
    Effect.gen(function* () {
      setBalance(fixture, 110n)
      yield* execute(first!)
      const message = yield* readRejection(second!)
      for (const secret of [first!.id, first!.projectId]) assert.notInclude(message, secret)
    })
  )

  scenario("may need more than the balance for the maximum gas cost if only one is pending", (fixture, [first]) =>
    Effect.gen(function* () {
      setBalance(fixture, 101n)
      yield* execute(first!)
    })
  )
})

describe("Operations that change the same position or loan", () => {
  const projectId = aProjectId()
  const quoteWithHeldUse = () =>
    aSpendingQuote({ projectId, uses: [{ resource: "an allowance", isExclusive: true, until: "submission" }] })
  const quoteUsing = (resource: string, isExclusive: boolean, fields: Partial<Quote> = {}) =>
    aSpendingQuote({ projectId, uses: [{ resource, isExclusive }], ...fields })

  const quotesScenario = (
    name: string,
    quotes: ReadonlyArray<Quote>,
    test: (fixture: EvmFixture) => Effect.Effect<unknown, unknown, Effect.Services<typeof runWorker> | UserOperations>
  ) =>
    scenario(name, (fixture) => {
      for (const quote of quotes) fixture.memory.quotes.set(quote.id, quote)
      return test(fixture)
    })

  const exclusiveQuotes = Array.from({ length: 8 }, () => quoteUsing("position 7", true))
  quotesScenario(
    "run one at a time, and the others are rejected with the conflicting transaction",
    exclusiveQuotes,
    (fixture) =>
      Effect.gen(function* () {
        fixture.simulate = () => Effect.as(Effect.yieldNow, aSimulation())
        const responses = yield* Effect.forEach(exclusiveQuotes, (quote) => Effect.result(execute(quote)), {
          concurrency: "unbounded"
        })
        const acceptedResponses = responses.filter(Result.isSuccess)
        assert.lengthOf(acceptedResponses, 1)
        for (const response of responses.filter(Result.isFailure)) {
          const { _tag, message } = response.failure
          assert.strictEqual(_tag, "QUOTE_STALE")
          assert.include(
            message,
            `position 7 is changed by transaction ${acceptedResponses[0]!.success.id}, which is pending`
          )
          assert.include(message, "Execute it again when the other operations have ended")
        }
        assert.strictEqual(fixture.memory.executions.size, 1)
      })
  )

  const sharedQuotes = [quoteUsing("position 7", false), quoteUsing("position 7", false)]
  const exclusiveQuote = quoteUsing("position 7", true)
  const otherPositionQuote = quoteUsing("position 8", true)
  quotesScenario(
    "run concurrently if they do not conflict",
    [...sharedQuotes, exclusiveQuote, otherPositionQuote],
    () =>
      Effect.gen(function* () {
        for (const quote of [...sharedQuotes, otherPositionQuote]) yield* execute(quote)
        assert.include(yield* readRejection(exclusiveQuote), "position 7 is changed by transaction")
      })
  )

  const [ownLoanQuote, otherProjectQuote] = [
    quoteUsing("a loan", true),
    quoteUsing("a loan", true, { projectId: aProjectId() })
  ]
  quotesScenario("are rejected without the transaction id of another project", [ownLoanQuote, otherProjectQuote], () =>
    Effect.gen(function* () {
      const { id } = yield* execute(ownLoanQuote)
      const message = yield* readRejection(otherProjectQuote)
      assert.include(message, "a loan is changed by an operation of another project")
      assert.notInclude(message, id)
    })
  )

  const [first, second] = [quoteUsing("a loan", true), quoteUsing("a loan", true)]
  quotesScenario("run one after another, each after a block includes its predecessor", [first, second], (fixture) =>
    Effect.gen(function* () {
      yield* execute(first)
      fixture.usedNonces.add(nonceOf(first))
      const revert = { decoded: "nothing left", raw: HexBytes.make("0x"), utf8: "" }
      let simulations = 0
      fixture.simulate = () => Effect.sync(() => aSimulation({ revert: simulations++ === 0 ? null : revert }))
      assert.include(yield* readRejection(second), "nothing left")
      fixture.simulate = () => Effect.succeed(aSimulation())
      yield* execute(second)
    })
  )

  const [firstHolder, secondHolder] = [quoteWithHeldUse(), quoteWithHeldUse()]
  quotesScenario(
    "wait for the end of a use that outlasts its block, also before the block was detected",
    [firstHolder, secondHolder],
    (fixture) =>
      Effect.gen(function* () {
        yield* execute(firstHolder)
        fixture.usedNonces.add(nonceOf(firstHolder))
        assert.include(yield* readRejection(secondHolder), "an allowance is changed by transaction")
      })
  )

  const quoteWithFee = (() => {
    const quote = quoteWithHeldUse()
    const fee = aMovement({
      account: account.address,
      asset: { chainId: 137, token: dollars },
      amount: 5n,
      role: "FEE"
    })
    return { ...quote, transaction: { ...quote.transaction, expected: [...quote.transaction.expected, fee] } }
  })()
  const spendingQuote = aSpendingQuote({ projectId })
  quotesScenario(
    "release amounts reserved for gas and fees when a block includes them",
    [quoteWithFee, spendingQuote],
    (fixture) =>
      Effect.gen(function* () {
        setBalance(fixture, 205n)
        yield* execute(quoteWithFee)
        assert.include(yield* readRejection(spendingQuote), "pending operations of the wallet need 11.5")
        fixture.usedNonces.add(nonceOf(quoteWithFee))
        setBalance(fixture, 199n)
        assert.include(yield* readRejection(spendingQuote), "pending operations of the wallet need 10 of its 19.9")
        setBalance(fixture, 210n)
        yield* execute(spendingQuote)
      })
  )
})
