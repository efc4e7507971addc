import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { displayedTotal } from "../../../src/accounting/history/index.ts"
import { aHash, anAddress, at } from "../../../src/foundation/primitives/ids.fixture.ts"
import { HexBytes } from "../../../src/foundation/primitives/index.ts"
import {
  anOutcome,
  evmFixtureLayer,
  include,
  reorgBlock,
  runWorker,
  runWorkerLater,
  setBlock,
  setClock,
  stageNameIn,
  storedExecutionIn,
  transactionIn
} from "../../../src/operations/executions/evm.fixture.ts"
import { Acceptances, type ExecutionWorker } from "../../../src/operations/executions/index.ts"
import { eventsIn } from "../../../src/operations/executions/memoryStores.fixture.ts"
import { signDataOf } from "../../../src/operations/quotes/index.ts"
import {
  aSwapFixture,
  listTokenOn,
  quote,
  type SwapFixture,
  swapLayer
} from "../../../src/trading/swap/swap.fixture.ts"
import { type Bridge, bridgeFillStage, bridgeProvider, type Settlement } from "./bridge.ts"

const AMOUNT = 100_000_000n
const FILLED_AMOUNT = 99_000_000n
const SIGNATURE = HexBytes.make(`0x${"5a".repeat(65)}`)

const settlementOf = (amount: bigint, number: bigint): Settlement => ({
  hash: aHash(),
  block: { number, hash: aHash() },
  amount
})

/** Includes the deposit in a block of its chain, and adds its movement. */
const includeDeposit = (fixture: SwapFixture, bridge: Bridge, number = 100n) => {
  const outcome = anOutcome({
    blockNumber: number,
    transfers: [
      { token: fixture.usdc.address, from: fixture.wallet.account.address, to: bridge.address, amount: AMOUNT }
    ]
  })
  include(fixture, 137, outcome)
  return outcome
}

const addFill = (fixture: SwapFixture, bridge: Bridge, depositHash: string, number = 500n) => {
  const fillSettlement = settlementOf(FILLED_AMOUNT, number)
  bridge.fills.set(depositHash, fillSettlement)
  setBlock(fixture, 10, fillSettlement.block)
  fixture.heads.set(10, number)
  return fillSettlement
}

/** Tests a signed and accepted quote for 100 USDC from Polygon to OP Mainnet. */
const scenario = (
  name: string,
  test: (fixture: SwapFixture, bridge: Bridge) => Effect.Effect<unknown, unknown, ExecutionWorker>
) =>
  it.effect(name, () => {
    const fixture = aSwapFixture()
    const bridge: Bridge = { address: anAddress(), fills: new Map(), refunds: new Map() }
    const usdcOnOptimism = listTokenOn(fixture, 10, fixture.usdc)
    return Effect.gen(function* () {
      yield* setClock(0)
      const {
        quotes: [firstQuote]
      } = yield* quote(fixture, { chainIdOut: 10, tokenOut: usdcOnOptimism.address })
      assert.strictEqual(firstQuote!.content.minAmountOut, FILLED_AMOUNT)
      const { quote: storedQuote } = firstQuote!
      const execution = yield* Acceptances.use((acceptances) =>
        acceptances.accept(
          fixture.project.id,
          storedQuote.id,
          Object.fromEntries(signDataOf(storedQuote).map(({ hash }) => [hash, SIGNATURE]))
        )
      )
      // The bridge's estimate (90 s) is used, because it is longer than the inclusion estimate of two blocks.
      assert.deepStrictEqual(execution.estimatedExecutionTime, at(90_000))
      yield* test(fixture, bridge)
    }).pipe(
      Effect.provide(
        Layer.mergeAll(
          swapLayer(fixture, [bridgeProvider(bridge)]),
          evmFixtureLayer(fixture, [bridgeFillStage(bridge)])
        )
      )
    )
  })

const displayedAmounts = (fixture: SwapFixture) => [
  displayedTotal(transactionIn(fixture), "OUT")?.amount ?? null,
  displayedTotal(transactionIn(fixture), "IN")?.amount ?? null
]

const DEPOSIT_EVENTS = ["created PROCESSING SUBMITTED", "updated ON_BRIDGE INCLUDED"]

describe("A bridge", () => {
  scenario("waits until the destination chain includes the fill, and monitors both blocks", (fixture, bridge) =>
    Effect.gen(function* () {
      const { transactionHash } = includeDeposit(fixture, bridge)
      yield* runWorker
      assert.strictEqual(stageNameIn(fixture), "bridge-fill")
      assert.deepStrictEqual(displayedAmounts(fixture), [AMOUNT, FILLED_AMOUNT])
      yield* runWorkerLater(10_000)
      assert.deepStrictEqual(eventsIn(fixture.memory), DEPOSIT_EVENTS)

      const fillSettlement = addFill(fixture, bridge, transactionHash)
      yield* runWorkerLater(5_000)
      assert.deepStrictEqual(eventsIn(fixture.memory), [...DEPOSIT_EVENTS, "completed COMPLETED FILLED"])
      const { legs, movements, type } = transactionIn(fixture)
      assert.strictEqual(type, "CROSS_SWAP")
      assert.deepStrictEqual(
        legs.map(({ chainId, hash, stage, state }) => [chainId, hash, stage, state]),
        [
          [137, transactionHash, 0, "INCLUDED"],
          [10, fillSettlement.hash, 1, "INCLUDED"]
        ]
      )
      assert.deepStrictEqual(
        movements.map(({ amount, asset, direction, leg, role }) => [
          direction,
          role,
          "chainId" in asset && asset.chainId,
          amount,
          leg
        ]),
        [
          ["OUT", "PRINCIPAL", 137, AMOUNT, 0],
          ["OUT", "GAS", 137, 21_000n, 0],
          ["IN", "PRINCIPAL", 10, FILLED_AMOUNT, 1]
        ]
      )

      fixture.heads.set(137, 164n)
      yield* runWorkerLater()
      assert.isNotNull(storedExecutionIn(fixture).dueAt)
      fixture.heads.set(10, 530n)
      yield* runWorkerLater()
      assert.isNull(storedExecutionIn(fixture).dueAt)
      assert.deepStrictEqual(
        transactionIn(fixture).legs.map(({ state }) => state),
        ["FINAL", "FINAL"]
      )
      assert.lengthOf(fixture.memory.events, 3)
    })
  )

  scenario("refunds a deposit that was not filled in time, on the source chain", (fixture, bridge) =>
    Effect.gen(function* () {
      const { transactionHash } = includeDeposit(fixture, bridge)
      yield* runWorker
      const refund = settlementOf(AMOUNT, 2_000n)
      bridge.refunds.set(transactionHash, refund)
      setBlock(fixture, 137, refund.block)
      yield* runWorkerLater(3_599_000)
      assert.deepStrictEqual(eventsIn(fixture.memory), DEPOSIT_EVENTS)
      yield* runWorkerLater(10_000)
      assert.deepStrictEqual(eventsIn(fixture.memory), [...DEPOSIT_EVENTS, "refunded REFUNDED NOT_FILLED"])
      assert.deepStrictEqual(displayedAmounts(fixture), [AMOUNT, AMOUNT])
      fixture.heads.set(137, 2_064n)
      yield* runWorkerLater()
      assert.isNull(storedExecutionIn(fixture).dueAt)
      assert.strictEqual(transactionIn(fixture).status, "REFUNDED")
      assert.lengthOf(fixture.memory.events, 3)
    })
  )

  scenario("continues to wait after the deadline until the refund is paid", (fixture, bridge) =>
    Effect.gen(function* () {
      includeDeposit(fixture, bridge)
      yield* runWorker
      yield* runWorkerLater(86_400_000)
      assert.deepStrictEqual(eventsIn(fixture.memory), DEPOSIT_EVENTS)
      assert.isNotNull(storedExecutionIn(fixture).dueAt)
    })
  )

  scenario("restarts if a reorg removes the deposit's block while it waits", (fixture, bridge) =>
    Effect.gen(function* () {
      includeDeposit(fixture, bridge)
      yield* runWorker
      reorgBlock(fixture, 137, 100n)
      yield* runWorkerLater(3_000_000)
      assert.deepStrictEqual(eventsIn(fixture.memory), [...DEPOSIT_EVENTS, "updated PROCESSING REORGED"])
      assert.deepStrictEqual(transactionIn(fixture).movements, [])
      const { transactionHash } = includeDeposit(fixture, bridge, 102n)
      yield* runWorkerLater(1_000)
      assert.strictEqual(stageNameIn(fixture), "bridge-fill")
      // The fill timeout of one hour restarts with the new deposit.
      yield* runWorkerLater(3_000_000)
      assert.strictEqual(transactionIn(fixture).status, "ON_BRIDGE")
      addFill(fixture, bridge, transactionHash)
      yield* runWorkerLater()
      assert.deepStrictEqual(eventsIn(fixture.memory), [
        ...DEPOSIT_EVENTS,
        "updated PROCESSING REORGED",
        "updated ON_BRIDGE INCLUDED",
        "completed COMPLETED FILLED"
      ])
      assert.lengthOf(transactionIn(fixture).movements, 3)
    })
  )

  scenario("restarts if a reorg removes the deposit's block after the fill", (fixture, bridge) =>
    Effect.gen(function* () {
      const firstDeposit = includeDeposit(fixture, bridge)
      yield* runWorker
      addFill(fixture, bridge, firstDeposit.transactionHash)
      yield* runWorkerLater()
      assert.strictEqual(stageNameIn(fixture), "finality")
      reorgBlock(fixture, 137, 100n)
      yield* runWorkerLater()
      const reorgedTransaction = transactionIn(fixture)
      assert.deepStrictEqual(
        [reorgedTransaction.status, reorgedTransaction.movements, reorgedTransaction.executedAt],
        ["PROCESSING", [], null]
      )
      const secondDeposit = includeDeposit(fixture, bridge, 102n)
      yield* runWorker
      addFill(fixture, bridge, secondDeposit.transactionHash, 501n)
      yield* runWorkerLater()
      assert.deepStrictEqual(eventsIn(fixture.memory), [
        ...DEPOSIT_EVENTS,
        "completed COMPLETED FILLED",
        "reorged PROCESSING REORGED",
        "updated ON_BRIDGE INCLUDED",
        "completed COMPLETED FILLED"
      ])
      assert.lengthOf(transactionIn(fixture).legs, 2)
      assert.lengthOf(transactionIn(fixture).movements, 3)
      assert.deepStrictEqual(displayedAmounts(fixture), [AMOUNT, FILLED_AMOUNT])
    })
  )

  scenario("searches for the fill again if a reorg removes its block", (fixture, bridge) =>
    Effect.gen(function* () {
      const { transactionHash } = includeDeposit(fixture, bridge)
      yield* runWorker
      addFill(fixture, bridge, transactionHash)
      yield* runWorkerLater()
      bridge.fills.clear()
      reorgBlock(fixture, 10, 500n)
      yield* runWorkerLater()
      assert.strictEqual(stageNameIn(fixture), "bridge-fill")
      assert.strictEqual(eventsIn(fixture.memory).at(-1), "reorged ON_BRIDGE REORGED")
      assert.lengthOf(transactionIn(fixture).movements, 2)
      addFill(fixture, bridge, transactionHash, 502n)
      yield* runWorkerLater()
      assert.strictEqual(eventsIn(fixture.memory).at(-1), "completed COMPLETED FILLED")
      assert.lengthOf(transactionIn(fixture).movements, 3)
    })
  )

  scenario("does not wait for a fill if the deposit reverted", (fixture, bridge) =>
    Effect.gen(function* () {
      include(fixture, 137, anOutcome({ success: false }))
      yield* runWorker
      assert.strictEqual(stageNameIn(fixture), "finality")
      assert.strictEqual(eventsIn(fixture.memory).at(-1), "failed FAILED REVERTED")
      assert.deepStrictEqual(displayedAmounts(fixture), [null, null])
      assert.strictEqual(bridge.fills.size, 0)
    })
  )
})
