import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { displayedTotal } from "../../../../core/src/accounting/history/index.ts"
import { aHash, anAddress } from "../../../../core/src/foundation/primitives/ids.fixture.ts"
import { type Hash32, HexBytes } from "../../../../core/src/foundation/primitives/index.ts"
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
  transactionIn
} from "../../../../core/src/operations/executions/evm.fixture.ts"
import { Acceptances, type ExecutionWorker } from "../../../../core/src/operations/executions/index.ts"
import { eventsIn } from "../../../../core/src/operations/executions/memoryStores.fixture.ts"
import { signDataOf } from "../../../../core/src/operations/quotes/index.ts"
import {
  aSwapFixture,
  listTokenOn,
  quote,
  type SwapFixture,
  swapLayer
} from "../../../../core/src/trading/swap/swap.fixture.ts"
import type { HostFollowRequest, HostFollowResponse, HostSwapProvider } from "./HostSwapProvider.ts"
import { hostStages } from "./hostStage.ts"
import { swapProviderOf } from "./swapProviderOf.ts"

const AMOUNT = 100_000_000n
const FILLED = 99_000_000n
const SIGNATURE = HexBytes.make(`0x${"5a".repeat(65)}`)
const BRIDGE = anAddress()

/** A simulated bridge of the host, with its next results and the recorded requests. */
interface HostBridge {
  response: () => HostFollowResponse
  readonly requests: Array<HostFollowRequest>
}

const providerOf = (bridge: HostBridge): HostSwapProvider => ({
  id: "HOST_BRIDGE",
  name: "The host's bridge",
  serves: ({ chainIdIn, chainIdOut }) => chainIdIn !== chainIdOut,
  offer: ({ amountIn, tokenIn }) => ({
    amountOut: (amountIn * 99n) / 100n,
    executionSeconds: 90,
    calls: () => [
      {
        to: tokenIn.address,
        data: `0xa9059cbb${BRIDGE.slice(2).padStart(64, "0")}${amountIn.toString(16).padStart(64, "0")}`,
        summary: "Send USDC to the bridge"
      }
    ]
  }),
  follow: {
    patienceSeconds: 600,
    status: (request) => {
      bridge.requests.push(request)
      return bridge.response()
    }
  }
})

const waiting = (): HostFollowResponse => ({ status: "WAITING" })

/** A swap of 100 USDC from Polygon to OP Mainnet, which is signed, accepted, and included in block 100 of Polygon. */
const scenario = (
  name: string,
  test: (fixture: SwapFixture, bridge: HostBridge, deposit: Hash32) => Effect.Effect<unknown, unknown, ExecutionWorker>
) =>
  it.effect(name, () => {
    const fixture = aSwapFixture()
    const bridge: HostBridge = { response: waiting, requests: [] }
    const destinationToken = listTokenOn(fixture, 10, fixture.usdc)
    const provider = providerOf(bridge)
    return Effect.gen(function* () {
      yield* setClock(0)
      const { quotes } = yield* quote(fixture, { chainIdOut: 10, tokenOut: destinationToken.address })
      assert.strictEqual(quotes[0]!.content.minAmountOut, FILLED)
      const { quote: stored } = quotes[0]!
      const signatures = Object.fromEntries(signDataOf(stored).map(({ hash }) => [hash, SIGNATURE]))
      yield* Acceptances.use((acceptances) => acceptances.accept(fixture.project.id, stored.id, signatures))
      const from = fixture.wallet.account.address
      const outcome = anOutcome({
        blockNumber: 100n,
        transfers: [{ token: fixture.usdc.address, from, to: BRIDGE, amount: AMOUNT }]
      })
      include(fixture, 137, outcome)
      yield* runWorker
      assert.strictEqual(stageNameIn(fixture), "host:HOST_BRIDGE")
      yield* test(fixture, bridge, outcome.transactionHash)
    }).pipe(
      Effect.provide(
        Layer.mergeAll(
          swapLayer(fixture, [swapProviderOf(provider)]),
          evmFixtureLayer(fixture, [Effect.map(hostStages(provider, provider.follow!), ([stage]) => stage!)])
        )
      )
    )
  })

const sides = (fixture: SwapFixture) =>
  (["OUT", "IN"] as const).map((direction) => displayedTotal(transactionIn(fixture), direction)?.amount ?? null)

const DEPOSITED = ["created PROCESSING SUBMITTED", "updated ON_BRIDGE INCLUDED"]

describe("the stage of a host's provider", () => {
  scenario(
    "waits until the host reports that the tokens arrived, and watches their block",
    (fixture, bridge, deposit) =>
      Effect.gen(function* () {
        yield* runWorkerLater(5_000)
        assert.deepStrictEqual(eventsIn(fixture.memory), DEPOSITED)
        const { signal, ...request } = bridge.requests.at(-1)!
        assert.isFalse(signal.aborted)
        assert.deepInclude(request, { transactionHash: deposit, minAmountOut: FILLED, isOverdue: false })
        assert.deepStrictEqual([request.tokenIn.chainId, request.tokenOut.chainId], [137, 10])

        const block = { number: 500n, hash: aHash() }
        setBlock(fixture, 10, block)
        const arrivalHash = aHash()
        bridge.response = () => ({
          status: "ARRIVED",
          transactionHash: arrivalHash,
          blockNumber: block.number,
          blockHash: block.hash,
          amount: FILLED
        })
        yield* runWorkerLater(5_000)
        assert.deepStrictEqual(eventsIn(fixture.memory), [...DEPOSITED, "completed COMPLETED FILLED"])
        assert.deepStrictEqual(sides(fixture), [AMOUNT, FILLED])
        assert.deepStrictEqual(
          transactionIn(fixture).legs.map((leg) => [leg.chainId, leg.hash, leg.state]),
          [
            [137, deposit, "INCLUDED"],
            [10, arrivalHash, "INCLUDED"]
          ]
        )
        bridge.response = waiting
        reorgBlock(fixture, 10, 500n)
        yield* runWorkerLater()
        assert.strictEqual(stageNameIn(fixture), "host:HOST_BRIDGE")
        assert.strictEqual(eventsIn(fixture.memory).at(-1), "reorged ON_BRIDGE REORGED")
        assert.notInclude(
          transactionIn(fixture).movements.map(({ direction }) => direction),
          "IN"
        )
      })
  )

  scenario(
    "continues to wait if the host's code throws or returns another value, and reports that it is overdue",
    (fixture, bridge) =>
      Effect.gen(function* () {
        bridge.response = () => {
          throw new Error("the bridge's API is down")
        }
        yield* runWorkerLater(5_000)
        bridge.response = () => ({ status: "ARRIVED", amount: -1n }) as never
        yield* runWorkerLater(5_000)
        assert.deepStrictEqual(eventsIn(fixture.memory), DEPOSITED)
        bridge.response = waiting
        yield* runWorkerLater(600_000)
        assert.isTrue(bridge.requests.at(-1)!.isOverdue)
        assert.deepStrictEqual(eventsIn(fixture.memory), DEPOSITED)
      })
  )

  scenario("completes with the refund to the wallet", (fixture, bridge) =>
    Effect.gen(function* () {
      const block = { number: 900n, hash: aHash() }
      setBlock(fixture, 137, block)
      const transactionHash = aHash()
      bridge.response = () => ({
        status: "REFUNDED",
        transactionHash,
        blockNumber: block.number,
        blockHash: block.hash,
        amount: AMOUNT
      })
      yield* runWorkerLater(5_000)
      assert.deepStrictEqual(eventsIn(fixture.memory), [...DEPOSITED, "refunded REFUNDED NOT_FILLED"])
      assert.deepStrictEqual(sides(fixture), [AMOUNT, AMOUNT])
    })
  )

  scenario("fails with the host's reason if nothing will arrive", (fixture, bridge) =>
    Effect.gen(function* () {
      bridge.response = () => ({ status: "FAILED", reason: "The bridge was closed" })
      yield* runWorkerLater(5_000)
      assert.deepStrictEqual(eventsIn(fixture.memory), [...DEPOSITED, "failed FAILED NOT_FILLED"])
      assert.deepStrictEqual(transactionIn(fixture).failure, { code: "NOT_FILLED", message: "The bridge was closed" })
      assert.deepStrictEqual(sides(fixture), [AMOUNT, null])
    })
  )

  it("is required for swaps between chains", () => {
    const { follow: _, serves: __, ...within } = providerOf({ response: waiting, requests: [] })
    const request = { chainIdIn: 137, chainIdOut: 10, isLimitOrder: false } as const
    assert.isFalse(swapProviderOf({ ...within, serves: () => true }).serves(request))
    assert.isTrue(swapProviderOf(within).serves({ ...request, chainIdOut: 137 }))
  })
})
