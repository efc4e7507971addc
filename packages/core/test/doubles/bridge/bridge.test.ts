import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { shownSide } from "../../../src/accounting/history/index.ts"
import { aHash, anAddress, at } from "../../../src/foundation/primitives/ids.fixture.ts"
import { HexBytes } from "../../../src/foundation/primitives/index.ts"
import {
  anOutcome,
  evmSceneLayer,
  follow,
  followLater,
  setClock,
  include,
  reorgBlock,
  setBlock,
  stageNameIn,
  storedExecutionIn,
  transactionIn
} from "../../../src/operations/executions/evmScene.fixture.ts"
import { Acceptances, type ExecutionWorker } from "../../../src/operations/executions/index.ts"
import { eventsIn } from "../../../src/operations/executions/memoryStores.fixture.ts"
import { signDataOf } from "../../../src/operations/quotes/index.ts"
import { aSwapScene, listTokenOn, quote, type SwapScene, swapLayer } from "../../../src/trading/swap/swapScene.fixture.ts"
import { type Bridge, bridgeFillStage, bridgeProvider, type Settlement } from "./bridge.ts"

const AMOUNT = 100_000_000n
const FILLED = 99_000_000n
const SIGNATURE = HexBytes.make(`0x${"5a".repeat(65)}`)

const settlement = (amount: bigint, number: bigint): Settlement => ({
  hash: aHash(),
  block: { number, hash: aHash() },
  amount
})

/** Includes the deposit in a block of its chain, and adds its movement. */
const deposit = (scene: SwapScene, bridge: Bridge, number = 100n) => {
  const outcome = anOutcome({
    blockNumber: number,
    transfers: [{ token: scene.usdc.address, from: scene.wallet.account.address, to: bridge.address, amount: AMOUNT }]
  })
  include(scene, 137, outcome)
  return outcome
}

const fill = (scene: SwapScene, bridge: Bridge, deposited: string, number = 500n) => {
  const filled = settlement(FILLED, number)
  bridge.fills.set(deposited, filled)
  setBlock(scene, 10, filled.block)
  scene.heads.set(10, number)
  return filled
}

/** Tests a signed and accepted quote for 100 USDC from Polygon to OP Mainnet. */
const scenario = (
  name: string,
  test: (scene: SwapScene, bridge: Bridge) => Effect.Effect<unknown, unknown, ExecutionWorker>
) =>
  it.effect(name, () => {
    const scene = aSwapScene()
    const bridge: Bridge = { address: anAddress(), fills: new Map(), refunds: new Map() }
    const usdcOnOptimism = listTokenOn(scene, 10, scene.usdc)
    return Effect.gen(function* () {
      yield* setClock(0)
      const {
        quotes: [offered]
      } = yield* quote(scene, { chainIdOut: 10, tokenOut: usdcOnOptimism.address })
      assert.strictEqual(offered!.content.minAmountOut, FILLED)
      const { quote: stored } = offered!
      const execution = yield* Acceptances.use((acceptances) =>
        acceptances.accept(
          scene.project.id,
          stored.id,
          Object.fromEntries(signDataOf(stored).map(({ hash }) => [hash, SIGNATURE]))
        )
      )
      // The bridge's estimate of 90 seconds replaces the time of two blocks.
      assert.deepStrictEqual(execution.estimatedExecutionTime, at(90_000))
      yield* test(scene, bridge)
    }).pipe(
      Effect.provide(
        Layer.mergeAll(swapLayer(scene, [bridgeProvider(bridge)]), evmSceneLayer(scene, [bridgeFillStage(bridge)]))
      )
    )
  })

const sides = (scene: SwapScene) => [
  shownSide(transactionIn(scene), "OUT")?.amount ?? null,
  shownSide(transactionIn(scene), "IN")?.amount ?? null
]

const DEPOSITED = ["created PROCESSING SUBMITTED", "updated ON_BRIDGE INCLUDED"]

describe("A bridge", () => {
  scenario("waits until the destination chain includes the fill, and monitors both blocks", (scene, bridge) =>
    Effect.gen(function* () {
      const { transactionHash } = deposit(scene, bridge)
      yield* follow
      assert.strictEqual(stageNameIn(scene), "bridge-fill")
      assert.deepStrictEqual(sides(scene), [AMOUNT, FILLED])
      yield* followLater(10_000)
      assert.deepStrictEqual(eventsIn(scene.memory), DEPOSITED)

      const filled = fill(scene, bridge, transactionHash)
      yield* followLater(5_000)
      assert.deepStrictEqual(eventsIn(scene.memory), [...DEPOSITED, "completed COMPLETED FILLED"])
      const { legs, movements, type } = transactionIn(scene)
      assert.strictEqual(type, "CROSS_SWAP")
      assert.deepStrictEqual(
        legs.map(({ chainId, hash, stage, state }) => [chainId, hash, stage, state]),
        [
          [137, transactionHash, 0, "INCLUDED"],
          [10, filled.hash, 1, "INCLUDED"]
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
          ["IN", "PRINCIPAL", 10, FILLED, 1]
        ]
      )

      scene.heads.set(137, 164n)
      yield* followLater()
      assert.isNotNull(storedExecutionIn(scene).dueAt)
      scene.heads.set(10, 530n)
      yield* followLater()
      assert.isNull(storedExecutionIn(scene).dueAt)
      assert.deepStrictEqual(
        transactionIn(scene).legs.map(({ state }) => state),
        ["FINAL", "FINAL"]
      )
      assert.lengthOf(scene.memory.events, 3)
    })
  )

  scenario("refunds a deposit that was not filled in time, on the source chain", (scene, bridge) =>
    Effect.gen(function* () {
      const { transactionHash } = deposit(scene, bridge)
      yield* follow
      const refund = settlement(AMOUNT, 2_000n)
      bridge.refunds.set(transactionHash, refund)
      setBlock(scene, 137, refund.block)
      yield* followLater(3_599_000)
      assert.deepStrictEqual(eventsIn(scene.memory), DEPOSITED)
      yield* followLater(10_000)
      assert.deepStrictEqual(eventsIn(scene.memory), [...DEPOSITED, "refunded REFUNDED NOT_FILLED"])
      assert.deepStrictEqual(sides(scene), [AMOUNT, AMOUNT])
      scene.heads.set(137, 2_064n)
      yield* followLater()
      assert.isNull(storedExecutionIn(scene).dueAt)
      assert.strictEqual(transactionIn(scene).status, "REFUNDED")
      assert.lengthOf(scene.memory.events, 3)
    })
  )

  scenario("continues to wait after the deadline until the refund is paid", (scene, bridge) =>
    Effect.gen(function* () {
      deposit(scene, bridge)
      yield* follow
      yield* followLater(86_400_000)
      assert.deepStrictEqual(eventsIn(scene.memory), DEPOSITED)
      assert.isNotNull(storedExecutionIn(scene).dueAt)
    })
  )

  scenario("restarts if a reorg removes the deposit's block while it waits", (scene, bridge) =>
    Effect.gen(function* () {
      deposit(scene, bridge)
      yield* follow
      reorgBlock(scene, 137, 100n)
      yield* followLater(3_000_000)
      assert.deepStrictEqual(eventsIn(scene.memory), [...DEPOSITED, "updated PROCESSING REORGED"])
      assert.deepStrictEqual(transactionIn(scene).movements, [])
      const { transactionHash } = deposit(scene, bridge, 102n)
      yield* followLater(1_000)
      assert.strictEqual(stageNameIn(scene), "bridge-fill")
      // The hour starts again with the new deposit.
      yield* followLater(3_000_000)
      assert.strictEqual(transactionIn(scene).status, "ON_BRIDGE")
      fill(scene, bridge, transactionHash)
      yield* followLater()
      assert.deepStrictEqual(eventsIn(scene.memory), [
        ...DEPOSITED,
        "updated PROCESSING REORGED",
        "updated ON_BRIDGE INCLUDED",
        "completed COMPLETED FILLED"
      ])
      assert.lengthOf(transactionIn(scene).movements, 3)
    })
  )

  scenario("restarts if a reorg removes the deposit's block after the fill", (scene, bridge) =>
    Effect.gen(function* () {
      const firstDeposit = deposit(scene, bridge)
      yield* follow
      fill(scene, bridge, firstDeposit.transactionHash)
      yield* followLater()
      assert.strictEqual(stageNameIn(scene), "finality")
      reorgBlock(scene, 137, 100n)
      yield* followLater()
      const reorgedTransaction = transactionIn(scene)
      assert.deepStrictEqual([reorgedTransaction.status, reorgedTransaction.movements, reorgedTransaction.executedAt], ["PROCESSING", [], null])
      const secondDeposit = deposit(scene, bridge, 102n)
      yield* follow
      fill(scene, bridge, secondDeposit.transactionHash, 501n)
      yield* followLater()
      assert.deepStrictEqual(eventsIn(scene.memory), [
        ...DEPOSITED,
        "completed COMPLETED FILLED",
        "reorged PROCESSING REORGED",
        "updated ON_BRIDGE INCLUDED",
        "completed COMPLETED FILLED"
      ])
      assert.lengthOf(transactionIn(scene).legs, 2)
      assert.lengthOf(transactionIn(scene).movements, 3)
      assert.deepStrictEqual(sides(scene), [AMOUNT, FILLED])
    })
  )

  scenario("searches for the fill again if a reorg removes its block", (scene, bridge) =>
    Effect.gen(function* () {
      const { transactionHash } = deposit(scene, bridge)
      yield* follow
      fill(scene, bridge, transactionHash)
      yield* followLater()
      bridge.fills.clear()
      reorgBlock(scene, 10, 500n)
      yield* followLater()
      assert.strictEqual(stageNameIn(scene), "bridge-fill")
      assert.strictEqual(eventsIn(scene.memory).at(-1), "reorged ON_BRIDGE REORGED")
      assert.lengthOf(transactionIn(scene).movements, 2)
      fill(scene, bridge, transactionHash, 502n)
      yield* followLater()
      assert.strictEqual(eventsIn(scene.memory).at(-1), "completed COMPLETED FILLED")
      assert.lengthOf(transactionIn(scene).movements, 3)
    })
  )

  scenario("does not wait for a fill if the deposit reverted", (scene, bridge) =>
    Effect.gen(function* () {
      include(scene, 137, anOutcome({ success: false }))
      yield* follow
      assert.strictEqual(stageNameIn(scene), "finality")
      assert.strictEqual(eventsIn(scene.memory).at(-1), "failed FAILED REVERTED")
      assert.deepStrictEqual(sides(scene), [null, null])
      assert.strictEqual(bridge.fills.size, 0)
    })
  )
})
