import { TransferClaims } from "@countersign/core/accounting/history"
import { UpstreamUnavailable } from "@countersign/core/foundation/errors"
import { type Address, Hash32, NATIVE_TOKEN } from "@countersign/core/foundation/primitives"
import { Acceptances, type ExecutionWorker } from "@countersign/core/operations/executions"
import { signDataOf } from "@countersign/core/operations/quotes"
import { assert, describe, it } from "@effect/vitest"
import { DateTime, Effect, Layer } from "effect"
import { encodeAbiParameters, type Hex, numberToHex, pad } from "viem"
import { aHash, anAddress, at, aUuid } from "../../../../../core/src/foundation/primitives/ids.fixture.ts"
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
} from "../../../../../core/src/operations/executions/evm.fixture.ts"
import { eventsIn } from "../../../../../core/src/operations/executions/memoryStores.fixture.ts"
import {
  anOffer,
  aProvider,
  aSwapFixture,
  listTokenOn,
  quote,
  type SwapFixture,
  swapLayer
} from "../../../../../core/src/trading/swap/swap.fixture.ts"
import { depositLog, fillLog, logOf, type Relay } from "../../../../test/across/relayLogs.ts"
import { acrossOrNull, deploymentOf } from "../../../chains/deployments/index.ts"
import type { LogResponse, RpcClients } from "../../../chains/evm/index.ts"
import { JsonRpcError, TRANSFER, USER_OPERATION_EVENT } from "../../../chains/evm/index.ts"
import { parseExactJson } from "../../../outbound/json-api/index.ts"
import type { AggregatorHost } from "../AggregatorHost.ts"
import { statusStage, statusStagePlan } from "./statusStage.ts"

/**
 * Tests the completion of a cross-chain transfer. LI.FI reports a transaction, and its chain shows the received amount.
 */

const AMOUNT = 100_000_000n
/** The minimum output, according to the slippage of the request. */
const MIN_AMOUNT_OUT = 99_500_000n
const DEPOSITED = ["created PROCESSING SUBMITTED", "updated ON_BRIDGE INCLUDED"]
const RELAYER = anAddress()

interface Receipt {
  readonly token: Address
  readonly to: string
  readonly amount: bigint
  /** Seconds between the quote and this transaction. */
  readonly after?: number
  /** Other transfers to the same account in the transaction. */
  readonly more?: ReadonlyArray<{ readonly token: Address; readonly amount: bigint }>
  /** Logs before the transfer. */
  readonly logs?: ReadonlyArray<LogResponse>
  readonly status?: "success" | "reverted"
}

const transferLog = (token: Address, to: string, amount: bigint) =>
  logOf(token, [TRANSFER, pad(RELAYER), pad(to as Hex)], encodeAbiParameters([{ type: "uint256" }], [amount]))

interface TestContext {
  readonly fixture: SwapFixture
  readonly there: Address
  /** The current response of `/status`; null if LI.FI does not respond. */
  status: unknown
  readonly asked: Array<URLSearchParams>
  /** Additional logs of the source transaction, which contains the deposit. */
  depositLogs: ReadonlyArray<LogResponse>
  readonly traces: Map<string, object>
  /** Increase of the wallet's native balance in block 500. */
  gained: bigint
  /** Adds a transaction to a chain. Returns its hash. */
  readonly land: (chainId: 10 | 137, receipt: Receipt, block?: bigint) => string
}

/** Adds a transaction to block 500 whose contract sends native tokens. `isTraced` is whether a node traces it. */
const landNative = ({ fixture, traces, land }: TestContext, sent: ReadonlyArray<bigint>, isTraced: boolean): string => {
  const account = fixture.wallet.account.address
  const hash = land(10, { token: anAddress(), to: anAddress(), amount: 1n })
  const frame = { type: "CALL", from: RELAYER, gasUsed: "0x1", input: "0x" }
  const calls = sent.map((amount) => ({ ...frame, to: account, value: numberToHex(amount) }))
  if (isTraced) traces.set(hash, { ...frame, to: anAddress(), calls })
  return hash
}

/** This test does not use Bitcoin. */
const noBitcoin = {} as Parameters<typeof statusStage>[2]

const scenario = (
  name: string,
  test: (context: TestContext) => Effect.Effect<unknown, unknown, ExecutionWorker | TransferClaims>,
  address?: Address
) =>
  it.effect(name, () => {
    const fixture = aSwapFixture()
    const destinationToken = listTokenOn(fixture, 10, { ...fixture.usdc, address: address ?? fixture.usdc.address })
    const receipts = new Map<string, object>()
    const context: TestContext = {
      fixture,
      there: destinationToken.address,
      status: { status: "NOT_FOUND" },
      asked: [],
      traces: new Map(),
      gained: 0n,
      depositLogs: [],
      land: (chainId, { after = 30, amount, logs = [], more = [], status = "success", to, token }, number = 500n) => {
        const block = { number, hash: aHash() }
        const hash = aHash()
        receipts.set(`${chainId} ${hash}`, {
          status,
          blockNumber: number,
          blockHash: block.hash,
          timestamp: BigInt(Math.floor(DateTime.toEpochMillis(at(after * 1_000)) / 1_000)),
          logs: [
            ...logs.map((log, index) => ({
              ...log,
              logIndex: numberToHex(index),
              blockNumber: numberToHex(number),
              blockHash: block.hash,
              transactionHash: hash
            })),
            ...[{ token, amount }, ...more].map((each) => transferLog(each.token, to, each.amount))
          ]
        })
        setBlock(fixture, chainId, block)
        fixture.heads.set(chainId, number)
        return hash
      }
    }
    const host: AggregatorHost = {
      title: "LI.FI",
      ask: (path) =>
        Effect.suspend(() => {
          context.asked.push(new URL(path, "http://lifi").searchParams)
          const text = JSON.stringify(context.status)
          return context.status === null
            ? Effect.fail(new UpstreamUnavailable({ upstream: "LI.FI", reason: "down" }))
            : Effect.succeed({ status: 200, json: parseExactJson(text), text })
        })
    }
    const rpc = {
      call: (_chainId: number, use: () => Promise<unknown>) => Effect.promise(use),
      witnesses: () => ({ nodes: [], required: 0 }),
      request: (chainId: number, method: string, [hash, blockTag]: readonly [string, string]) => {
        if (method === "eth_getTransactionReceipt") {
          return Promise.resolve(receipts.get(`${chainId} ${hash}`) ?? { logs: context.depositLogs })
        }
        if (method === "eth_getBlockByHash") return Promise.resolve({ timestamp: "0x1" })
        if (method === "eth_getBalance") return Promise.resolve(numberToHex(blockTag === "0x1f4" ? context.gained : 0n))
        const trace = context.traces.get(hash)
        return trace === undefined
          ? Promise.reject(new JsonRpcError(-32601, "not served", undefined))
          : Promise.resolve(trace)
      },
      client: (chainId: number) => ({
        getTransactionReceipt: ({ hash }: { readonly hash: string }) =>
          Promise.resolve(receipts.get(`${chainId} ${hash}`) ?? Promise.reject(new Error("not found"))),
        getBlock: ({ blockHash }: { readonly blockHash: string }) =>
          Promise.resolve([...receipts.values()].find((each) => "blockHash" in each && each.blockHash === blockHash))
      })
    } as unknown as RpcClients["Service"]
    const stages = statusStage(host, rpc, noBitcoin)
    const provider = aProvider(
      "lifi",
      (request) =>
        Effect.sync(() =>
          anOffer(request, 1n, { certainty: "EXPECTED", stages: [statusStagePlan], executionSeconds: 30 })
        ),
      { serves: () => true }
    )
    return Effect.gen(function* () {
      yield* setClock(0)
      const { quotes } = yield* quote(fixture, { chainIdOut: 10, tokenOut: destinationToken.address })
      const { content, quote: stored } = quotes[0]!
      assert.strictEqual(content.minAmountOut, MIN_AMOUNT_OUT)
      const signatures = Object.fromEntries(
        signDataOf(stored).map(({ hash }) => [hash, `0x${"5a".repeat(65)}` as never])
      )
      yield* Acceptances.use((acceptances) => acceptances.accept(fixture.project.id, stored.id, signatures))
      const transfers = [
        { token: fixture.usdc.address, from: fixture.wallet.account.address, to: RELAYER, amount: AMOUNT }
      ]
      include(fixture, 137, anOutcome({ transfers }))
      yield* runWorker
      assert.strictEqual(stageNameIn(fixture), "lifi:status")
      yield* test(context)
    }).pipe(
      Effect.provide(
        Layer.mergeAll(
          swapLayer(fixture, [provider]),
          evmFixtureLayer(fixture, [Effect.map(stages, ([stage]) => stage!)])
        )
      )
    )
  })

const doneStatus = (hash: string, substatus = "COMPLETED", chainId = 10, token: string = anAddress()) => ({
  status: "DONE",
  substatus,
  // LI.FI's amount must be ignored.
  receiving: { chainId, txHash: hash, amount: "999999999999", token: { address: token } }
})

const blockOf = ({ blocks }: SwapFixture, chainId: 10): Hash32 => blocks.get(chainId)!.at(-1)!.hash

const arrivals = ({ fixture }: TestContext) =>
  transactionIn(fixture).movements.flatMap(({ amount, asset, direction }) =>
    direction === "IN" && "chainId" in asset ? [[asset.chainId, asset.token, amount]] : []
  )

/** Makes another operation of the project claim all or some of a transfer to the wallet. */
const claimedByAnother = ({ fixture }: TestContext, hash: Hash32, index: number, amount = 1n, of = amount) => {
  const { projectId } = transactionIn(fixture)
  const account = fixture.wallet.account.address
  const otherClaim = {
    projectId,
    transactionId: aUuid(),
    chainId: 10 as const,
    hash,
    account,
    shares: [{ index, amount, of }]
  }
  return TransferClaims.use((claims) => claims.claim(otherClaim))
}

describe("a transfer by LI.FI", () => {
  scenario("is filled according to the receipt on the destination chain", (context) =>
    Effect.gen(function* () {
      const { fixture, there } = context
      yield* runWorkerLater(10_000)
      assert.deepStrictEqual(eventsIn(fixture.memory), DEPOSITED)
      const parameters = Object.fromEntries(context.asked[0]!)
      assert.deepStrictEqual(parameters, {
        txHash: transactionIn(fixture).legs[0]!.hash!,
        bridge: "across",
        fromChain: "137",
        toChain: "10",
        fromAddress: fixture.wallet.account.address
      })
      const hash = context.land(10, { token: there, to: fixture.wallet.account.address, amount: MIN_AMOUNT_OUT + 7n })
      context.status = doneStatus(hash)
      yield* runWorkerLater(10_000)
      assert.deepStrictEqual(eventsIn(fixture.memory), [...DEPOSITED, "completed COMPLETED FILLED"])
      assert.deepStrictEqual(arrivals(context), [[10, there, MIN_AMOUNT_OUT + 7n]])
      assert.strictEqual(transactionIn(fixture).legs[1]!.hash, hash)
    })
  )

  scenario("has the actual result if less, or another token, arrived", (context) =>
    Effect.gen(function* () {
      const { fixture, there } = context
      const to = fixture.wallet.account.address
      context.status = doneStatus(context.land(10, { token: there, to, amount: 5n }))
      yield* runWorkerLater(10_000)
      assert.deepStrictEqual(eventsIn(fixture.memory).at(-1), "completed COMPLETED PARTIALLY_FILLED")
      assert.deepStrictEqual(arrivals(context), [[10, there, 5n]])
    })
  )

  scenario("ends with another token if the DONE status reports one", (context) =>
    Effect.gen(function* () {
      const { fixture } = context
      const otherToken = anAddress()
      const to = fixture.wallet.account.address
      const hash = context.land(10, { token: anAddress(), to, amount: 1n, more: [{ token: otherToken, amount: 9n }] })
      context.status = doneStatus(hash, "PARTIAL")
      yield* runWorkerLater(10_000)
      assert.deepStrictEqual(eventsIn(fixture.memory), DEPOSITED)
      context.status = doneStatus(hash, "PARTIAL", 10, otherToken.toUpperCase().replace("0X", "0x"))
      yield* runWorkerLater(10_000)
      assert.deepStrictEqual(eventsIn(fixture.memory).at(-1), "completed COMPLETED OTHER_TOKEN")
      assert.deepStrictEqual(arrivals(context), [[10, otherToken, 9n]])
    })
  )

  scenario("gets its own transfer if one transaction completes several bridge transfers", (context) =>
    Effect.gen(function* () {
      const { fixture, there } = context
      const to = fixture.wallet.account.address
      const otherTransfers = [
        { token: there, amount: MIN_AMOUNT_OUT + 7n },
        { token: there, amount: MIN_AMOUNT_OUT + 9n }
      ]
      const hash = Hash32.make(context.land(10, { token: there, to, amount: 40n * AMOUNT, more: otherTransfers }))
      assert.isTrue(yield* claimedByAnother(context, hash, 2))
      context.status = doneStatus(hash)
      yield* runWorkerLater(10_000)
      assert.deepStrictEqual(arrivals(context), [[10, there, MIN_AMOUNT_OUT + 7n]])
    })
  )

  /**
   * Adds one transaction that fills two deposits of the wallet. Returns its hash, and assigns the second deposit to the
   * tested transfer.
   */
  const landTwoFills = (context: TestContext, isNative: boolean): Hash32 => {
    const { fixture, there } = context
    const { address } = fixture.wallet.account
    const relayOf = (depositId: bigint, outputAmount: bigint): Relay => ({
      originChainId: 137,
      destinationChainId: 10,
      depositId,
      depositor: address,
      recipient: address,
      inputToken: fixture.usdc.address,
      outputToken: isNative ? deploymentOf(10).wrappedNative.address : there,
      inputAmount: AMOUNT,
      outputAmount,
      fillDeadline: 4_000_000_000
    })
    const [other, own] = [relayOf(1n, AMOUNT), relayOf(2n, MIN_AMOUNT_OUT + 7n)]
    context.depositLogs = [
      depositLog(acrossOrNull(137)!.spokePool, own),
      logOf(anAddress(), [USER_OPERATION_EVENT, transactionIn(fixture).userOperationHash!], "0x")
    ]
    const fillOf = (relay: Relay) => fillLog(acrossOrNull(10)!.spokePool, relay, RELAYER)
    const logs = isNative
      ? [fillOf(other), fillOf(own)]
      : [fillOf(other), transferLog(there, address, AMOUNT), fillOf(own)]
    const arrivingTransfer = isNative
      ? { token: anAddress(), to: anAddress(), amount: 1n }
      : { token: there, to: address, amount: MIN_AMOUNT_OUT + 7n }
    return Hash32.make(context.land(10, { ...arrivingTransfer, logs }))
  }

  scenario("gets the fill of its own deposit, not the one closest to the quoted amount", (context) =>
    Effect.gen(function* () {
      const hash = landTwoFills(context, false)
      context.status = doneStatus(hash)
      yield* runWorkerLater(10_000)
      assert.deepStrictEqual(arrivals(context), [[10, context.there, MIN_AMOUNT_OUT + 7n]])
      assert.strictEqual(eventsIn(context.fixture.memory).at(-1), "completed COMPLETED FILLED")
    })
  )

  scenario(
    "of the native token gets the fill of its deposit, even without a trace and if the wallet has spent it",
    (context) =>
      Effect.gen(function* () {
        context.status = doneStatus(landTwoFills(context, true))
        yield* runWorkerLater(10_000)
        assert.deepStrictEqual(arrivals(context), [[10, NATIVE_TOKEN, MIN_AMOUNT_OUT + 7n]])
      }),
    NATIVE_TOKEN
  )

  scenario("waits if the reported transaction does not fill its deposit", (context) =>
    Effect.gen(function* () {
      landTwoFills(context, false)
      context.status = doneStatus(
        context.land(10, { token: context.there, to: context.fixture.wallet.account.address, amount: AMOUNT })
      )
      yield* runWorkerLater(20_000)
      assert.deepStrictEqual(eventsIn(context.fixture.memory), DEPOSITED)
    })
  )

  scenario("ends without tokens if another transfer of the project has recorded its fill", (context) =>
    Effect.gen(function* () {
      const hash = landTwoFills(context, false)
      assert.isTrue(yield* claimedByAnother(context, hash, 3, MIN_AMOUNT_OUT + 7n))
      context.status = doneStatus(hash)
      yield* runWorkerLater(10_000)
      assert.strictEqual(eventsIn(context.fixture.memory).at(-1), "completed COMPLETED RECORDED_ELSEWHERE")
      assert.isEmpty(arrivals(context))
    })
  )

  scenario("does not get tokens that another transfer of the project has recorded", (context) =>
    Effect.gen(function* () {
      const { fixture, there } = context
      const hash = Hash32.make(context.land(10, { token: there, to: fixture.wallet.account.address, amount: AMOUNT }))
      assert.isTrue(yield* claimedByAnother(context, hash, 0))
      context.status = doneStatus(hash)
      yield* runWorkerLater(20_000)
      assert.deepStrictEqual(eventsIn(fixture.memory), DEPOSITED)
      assert.isEmpty(arrivals(context))
    })
  )

  scenario(
    "of the native token gets what its own transaction sent, and not the increase in the block",
    (context) =>
      Effect.gen(function* () {
        context.gained = 2n * AMOUNT
        context.status = doneStatus(landNative(context, [7n * AMOUNT, MIN_AMOUNT_OUT + 7n], true))
        yield* runWorkerLater(10_000)
        assert.deepStrictEqual(arrivals(context), [[10, NATIVE_TOKEN, MIN_AMOUNT_OUT + 7n]])
      }),
    NATIVE_TOKEN
  )

  scenario(
    "of the native token gets its share of the block's increase if no node traces the transaction",
    (context) =>
      Effect.gen(function* () {
        const hash = landNative(context, [], false)
        const block = blockOf(context.fixture, 10)
        context.gained = 2n * AMOUNT - 9n
        assert.isTrue(yield* claimedByAnother(context, block, -1, AMOUNT, context.gained))
        context.status = doneStatus(hash)
        yield* runWorkerLater(10_000)
        assert.deepStrictEqual(arrivals(context), [[10, NATIVE_TOKEN, AMOUNT - 9n]])
        const { projectId, walletAddress: account } = transactionIn(context.fixture)
        const location = { projectId, transactionId: aUuid(), chainId: 10, hash: block, account } as const
        const claimedAmounts = yield* TransferClaims.use((claims) => claims.readClaimedByOthers(location))
        assert.deepStrictEqual([...claimedAmounts], [[-1, context.gained]])
      }),
    NATIVE_TOKEN
  )

  scenario("is refunded on the source chain, even after it failed", (context) =>
    Effect.gen(function* () {
      const { fixture } = context
      context.status = { status: "FAILED", substatus: "REFUND_IN_PROGRESS" }
      yield* runWorkerLater(10_000)
      assert.deepStrictEqual(eventsIn(fixture.memory), DEPOSITED)
      const hash = context.land(137, {
        token: fixture.usdc.address,
        to: fixture.wallet.account.address,
        amount: AMOUNT
      })
      context.status = doneStatus(hash, "REFUNDED", 137)
      yield* runWorkerLater(10_000)
      assert.strictEqual(transactionIn(fixture).status, "REFUNDED")
      assert.strictEqual(transactionIn(fixture).substatus, "NOT_FILLED")
      assert.deepStrictEqual(arrivals(context), [[137, fixture.usdc.address, AMOUNT]])
    })
  )

  for (const [name, status] of [
    ["has not detected it", { status: "NOT_FOUND" }],
    ["waits for the destination chain", { status: "PENDING", substatus: "WAIT_DESTINATION_TRANSACTION" }],
    ["can't reach a third party", { status: "INVALID" }],
    ["does not respond", null],
    ["responds with something else", { hello: [1] }],
    ["reports DONE without a transaction", { status: "DONE", substatus: "COMPLETED" }],
    ["reports a failure that may still be refunded", { status: "FAILED", substatus: "UNKNOWN_FAILED_ERROR" }]
  ] as const) {
    scenario(`waits while LI.FI ${name}`, (context) =>
      Effect.gen(function* () {
        context.status = status
        yield* runWorkerLater(3_600_000)
        assert.deepStrictEqual(eventsIn(context.fixture.memory), DEPOSITED)
        assert.isNotEmpty(context.asked)
      })
    )
  }

  const falseStatuses: ReadonlyArray<readonly [string, (context: TestContext) => unknown]> = [
    ["names a transaction that does not exist", () => doneStatus(aHash())],
    [
      "names a failed transaction",
      ({ land, fixture, there }) =>
        doneStatus(land(10, { token: there, to: fixture.wallet.account.address, amount: AMOUNT, status: "reverted" }))
    ],
    [
      "names a transaction to another receiver",
      ({ land, there }) => doneStatus(land(10, { token: there, to: anAddress(), amount: 1n }))
    ],
    [
      "names an earlier transaction",
      ({ land, fixture, there }) =>
        doneStatus(land(10, { token: there, to: fixture.wallet.account.address, amount: AMOUNT, after: -3_600 }))
    ],
    [
      "names another chain",
      ({ land, fixture, there }) =>
        doneStatus(land(10, { token: there, to: fixture.wallet.account.address, amount: AMOUNT }), "COMPLETED", 137)
    ],
    [
      "names a refund above the sent amount",
      ({ land, fixture }) =>
        doneStatus(
          land(137, { token: fixture.usdc.address, to: fixture.wallet.account.address, amount: AMOUNT + 1n }),
          "REFUNDED",
          137
        )
    ],
    [
      "reports a refund in another token",
      ({ land, fixture }) =>
        doneStatus(land(137, { token: anAddress(), to: fixture.wallet.account.address, amount: 1n }), "REFUNDED", 137)
    ]
  ]
  for (const [name, falseStatus] of falseStatuses) {
    scenario(`gets nothing if LI.FI ${name}`, (context) =>
      Effect.gen(function* () {
        context.status = falseStatus(context)
        yield* runWorkerLater(20_000)
        assert.deepStrictEqual(eventsIn(context.fixture.memory), DEPOSITED)
        assert.isEmpty(arrivals(context))
      })
    )
  }

  scenario("fails if its outcome is unknown after a day", (context) =>
    Effect.gen(function* () {
      context.status = { status: "FAILED", substatus: "EXPIRED" }
      yield* runWorkerLater(25 * 3_600_000)
      const { failure, status } = transactionIn(context.fixture)
      assert.strictEqual(status, "FAILED")
      assert.match(failure!.message, /no result of the transfer after a day: EXPIRED/u)
    })
  )

  scenario("starts again if a reorg removes the block of its deposit", (context) =>
    Effect.gen(function* () {
      reorgBlock(context.fixture, 137, 100n)
      yield* runWorkerLater(10_000)
      assert.strictEqual(transactionIn(context.fixture).substatus, "REORGED")
      assert.strictEqual(stageNameIn(context.fixture), "inclusion")
    })
  )
})
