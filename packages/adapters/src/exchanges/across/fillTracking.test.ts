import { TransferClaims } from "@countersign/core/accounting/history"
import { Address, Hash32, NATIVE_TOKEN } from "@countersign/core/foundation/primitives"
import type { Token } from "@countersign/core/foundation/tokens"
import { ChainReader } from "@countersign/core/operations/user-operations"
import { BridgeFillStore, SwapRequest, swapKind } from "@countersign/core/trading/swap"
import { assert, describe, it } from "@effect/vitest"
import { DateTime, Effect, Layer, Schema } from "effect"
import { encodeAbiParameters, encodeEventTopics, type Hex, numberToHex, pad } from "viem"
import { aTransaction } from "../../../../core/src/accounting/history/Transaction.fixture.ts"
import { anExecution } from "../../../../core/src/operations/executions/Execution.fixture.ts"
import { anOperationIntent, aQuote } from "../../../../core/src/operations/quotes/Quote.fixture.ts"
import { aSwapContent } from "../../../../core/src/trading/swap/SwapContent.fixture.ts"
import {
  logOf as aLog,
  depositData,
  depositLog,
  fillLog,
  type Relay,
  refundLog
} from "../../../test/across/relayLogs.ts"
import { acrossOrNull, deploymentOf } from "../../chains/deployments/index.ts"
import {
  JsonRpcError,
  type LogResponse,
  type RpcClients,
  TRANSFER,
  USER_OPERATION_EVENT
} from "../../chains/evm/index.ts"
import { acrossFillStage } from "./AcrossFillStage.ts"
import { spokePoolAbi } from "./abi.ts"
import type { LogSearch } from "./chainLogs.ts"
import { logsOfOperation } from "./depositOfOperation.ts"
import { type Deposit, depositInLog, relayHashOf, wordToAddress } from "./deposits.ts"
import { makeFillTimes } from "./FillTimes.ts"
import { ACROSS_FILL, fillState } from "./fillState.ts"
import { fillOf } from "./fills.ts"
import { refundOf } from "./refundMatching.ts"

const POOL = Address.make(`0x${"50".repeat(20)}`)
const WALLET = Address.make(`0x${"a1".repeat(20)}`)
const RECIPIENT = Address.make(`0x${"b2".repeat(20)}`)
const INPUT = Address.make(`0x${"c3".repeat(20)}`)
/** The wrapped native token: a fill with it pays native tokens to an account without code. */
const OUTPUT = deploymentOf(8453).wrappedNative.address

const relay: Relay = {
  originChainId: 1,
  destinationChainId: 8453,
  depositId: 7n,
  depositor: WALLET,
  recipient: RECIPIENT,
  inputToken: INPUT,
  outputToken: OUTPUT,
  inputAmount: 100n,
  outputAmount: 99n,
  fillDeadline: 8_200
}
const logOf = (topics: ReadonlyArray<Hex>, data: Hex, address: Hex = POOL) => aLog(address, topics, data)

/** One deposit as the event of current SpokePools and as the event of older ones. */
const events = () => ({
  latest: depositLog(POOL, relay),
  // An address is padded to 32 bytes.
  older: logOf(
    encodeEventTopics({
      abi: spokePoolAbi,
      eventName: "V3FundsDeposited",
      args: { destinationChainId: 8453n, depositor: WALLET, depositId: 7 }
    }) as Array<Hex>,
    depositData(relay)
  )
})

describe("the event of a deposit", () => {
  it("is decoded to the same deposit in its old and its current format", () => {
    const { latest, older } = events()
    const [a, b] = [depositInLog(1, POOL, latest), depositInLog(1, POOL, older)]
    assert.deepStrictEqual(a, b)
    assert.strictEqual(a!.destinationChainId, 8453)
    assert.strictEqual(a!.relay.depositId, 7n)
    assert.strictEqual(wordToAddress(a!.relay.depositor), WALLET)
    assert.strictEqual(wordToAddress(a!.relay.recipient), RECIPIENT)
    assert.strictEqual(relayHashOf(a!), relayHashOf(b!))
    assert.notStrictEqual(relayHashOf(a!), relayHashOf({ ...a!, relay: { ...a!.relay, outputAmount: 98n } }))
  })

  it("is ignored if another contract emitted it, or if it is another event", () => {
    const { latest } = events()
    assert.isNull(depositInLog(1, POOL, { ...latest, address: WALLET }))
    assert.isNull(depositInLog(1, POOL, logOf([pad("0x12")], "0x")))
  })
})

describe("the logs of an operation", () => {
  it("end with its event and start after the event of the previous one", () => {
    const [first, second] = [Hash32.make(pad("0xaa")), Hash32.make(pad("0xbb"))]
    const logs = ["0x01", "0x02", "0x03", "0x04"].map((data) => logOf([pad("0x9")], data as Hex))
    const all = [
      logs[0]!,
      logs[1]!,
      logOf([USER_OPERATION_EVENT, first], "0x"),
      logs[2]!,
      logOf([USER_OPERATION_EVENT, second], "0x"),
      logs[3]!
    ]
    assert.deepStrictEqual(logsOfOperation(all, first), [logs[0]!, logs[1]!])
    assert.deepStrictEqual(logsOfOperation(all, second), [logs[2]!])
    assert.deepStrictEqual(logsOfOperation(all, Hash32.make(pad("0xcc"))), [])
  })
})

const fillEvent = fillLog(acrossOrNull(8453)!.spokePool, relay, WALLET)
const fillTransfer = (amount: bigint) => ({
  ...logOf([TRANSFER, pad(WALLET), pad(RECIPIENT)], encodeAbiParameters([{ type: "uint256" }], [amount]), OUTPUT),
  logIndex: "0x1" as const
})
describe("a fill", () => {
  const { spokePool } = acrossOrNull(8453)!

  const frame = { type: "CALL", from: WALLET, to: spokePool, gasUsed: "0x1", input: "0x" }
  const fillOfRelay = (filled: Relay, ...others: ReadonlyArray<LogResponse>) => {
    const event = fillLog(spokePool, filled, WALLET)
    const deposit = depositInLog(1, POOL, depositLog(POOL, filled))!
    const responses: Readonly<Record<string, unknown>> = {
      eth_getLogs: [event],
      eth_getTransactionReceipt: { logs: [event, ...others] },
      eth_getBlockByHash: { timestamp: "0x1" },
      debug_traceTransaction: { ...frame, calls: [{ ...frame, from: spokePool, to: RECIPIENT, value: "0x63" }] }
    }
    const rpc = { request: (_: number, method: string) => Promise.resolve(responses[method]) }
    return Effect.promise(() => fillOf(rpc as unknown as RpcClients["Service"], deposit, 0n, 10n))
  }
  const fillWith = (...others: ReadonlyArray<LogResponse>) => fillOfRelay(relay, ...others)
  const tokenOf = (...others: ReadonlyArray<LogResponse>) => Effect.map(fillWith(...others), (fill) => fill?.token)

  it.effect("pays the token if its amount was transferred, and otherwise the native token", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* tokenOf(fillTransfer(99n)), OUTPUT)
      assert.strictEqual(yield* tokenOf(), NATIVE_TOKEN)
      // Another party sends one unit of the token in the same transaction.
      assert.strictEqual(yield* tokenOf(fillTransfer(1n)), NATIVE_TOKEN)
    })
  )

  it.effect("in a token with a transfer fee pays the transferred amount, and nothing if there is no transfer", () =>
    Effect.gen(function* () {
      const outputToken = Address.make(`0x${"d4".repeat(20)}`)
      const relayOfTaxedToken = { ...relay, outputToken }
      const fill = yield* fillOfRelay(relayOfTaxedToken, { ...fillTransfer(97n), address: outputToken })
      assert.deepInclude(fill, { token: outputToken, amount: 97n })
      assert.isNull(yield* fillOfRelay(relayOfTaxedToken))
      // A transfer of another token proves nothing.
      assert.isNull(yield* fillOfRelay(relayOfTaxedToken, fillTransfer(99n)))
    })
  )

  it.effect("contains its transfers, from their logs or from the trace", () =>
    Effect.gen(function* () {
      const arrivedAmounts = (...others: ReadonlyArray<LogResponse>) =>
        Effect.map(fillWith(...others), (fill) => fill?.arrived.transfers.map(({ amount, index }) => [index, amount]))
      assert.deepStrictEqual(yield* arrivedAmounts(logOf([pad("0x9")], "0x"), fillTransfer(99n)), [[2, 99n]])
      assert.deepStrictEqual(yield* arrivedAmounts(), [[-1, 99n]])
    })
  )
})

describe("the stage of a fill", () => {
  const { spokePool } = acrossOrNull(1)!
  const [called, filled] = [Hash32.make(pad("0x77")), Hash32.make(pad("0x2"))]
  const token = (chainId: 1 | 8453, address: Address): Token => ({
    chainId,
    address,
    name: "T",
    symbol: "T",
    decimals: 6,
    realWorldAsset: false
  })
  const tokens = { tokenIn: token(1, INPUT), tokenOut: token(8453, OUTPUT), payGasFeeToken: token(1, INPUT) }
  const request = Schema.decodeUnknownSync(SwapRequest)({
    amountIn: "0.0001",
    chainIdIn: 1,
    chainIdOut: 8453,
    gasFeePaymentMethod: "ADD_TO_AMOUNT",
    payGasFeeToken: INPUT,
    tokenIn: INPUT,
    tokenOut: OUTPUT,
    walletAddress: WALLET,
    toAddress: RECIPIENT
  })
  const amounts = { provider: "ACROSS", amountIn: 100n, amountOut: 99n, minAmountOut: 99n }
  const intent = anOperationIntent()
  const quote = aQuote({
    walletAddress: WALLET,
    intents: [intent],
    content: swapKind.encode(aSwapContent({ request, tokens, ...amounts })),
    stages: [
      { name: "inclusion", intent: 0, status: "PROCESSING" },
      { name: ACROSS_FILL, intent: null, status: "ON_BRIDGE" }
    ]
  })
  const depositTransaction = aTransaction({
    walletAddress: WALLET,
    legs: [{ chainId: 1, hash: called, block: { number: 1n, hash: called }, state: "FINAL", stage: 0 }]
  })
  const receipts: Readonly<Record<string, ReadonlyArray<LogResponse>>> = {
    [called]: [{ ...events().latest, address: spokePool }, logOf([USER_OPERATION_EVENT, intent.hash], "0x")],
    [filled]: [fillEvent, fillTransfer(99n)]
  }
  interface Chain {
    readonly fillStatus?: "FILLED" | "UNFILLED"
    /** Unix seconds of the heads of both chains. */
    readonly timestamp?: number
    readonly logs?: ReadonlyArray<LogResponse>
    readonly receipts?: Readonly<Record<string, ReadonlyArray<LogResponse>>>
    /** Increase of the receiver's native balance in the block, because no node in this test traces transactions. */
    readonly gained?: bigint
  }
  const rpcOf = ({ fillStatus = "FILLED", gained = 0n, logs = [fillEvent], timestamp = 2, ...chain }: Chain) => {
    const logsOf = ({ topics: [asked] }: LogSearch) => logs.filter(({ topics }) => [asked].flat().includes(topics[0]))
    const responses: Readonly<Record<string, (key: never, place?: string) => unknown>> = {
      eth_call: () => (fillStatus === "FILLED" ? "0x2" : "0x0"),
      eth_getLogs: logsOf,
      eth_getTransactionReceipt: (hash: string) => ({ logs: (chain.receipts ?? receipts)[hash] }),
      eth_getBlockByHash: () => ({ timestamp: numberToHex(timestamp) }),
      eth_getBalance: (_, blockTag) => (blockTag === "0x1" ? numberToHex(gained) : "0x0"),
      debug_traceTransaction: () => Promise.reject(new JsonRpcError(-32601, "not served", undefined))
    }
    return {
      call: (_chainId: number, use: () => Promise<unknown>) => Effect.promise(use),
      witnesses: () => ({ nodes: [], required: 0 }),
      latestBlock: () => Promise.resolve({ number: 10n, timestamp }),
      request: async (_chainId: number, method: string, params: readonly [never, string]) =>
        responses[method]!(...params)
    } as unknown as RpcClients["Service"]
  }

  const stepOf = Effect.fnUntraced(function* (chain: Chain = {}) {
    const stage = yield* acrossFillStage(rpcOf(chain), yield* makeFillTimes, () => true)
    const [inclusion, fill] = anExecution({}, quote).stages
    const state = fillState.encode({ fromBlock: 0n, saidSeconds: 2 })
    const execution = anExecution({ at: 1, stages: [inclusion!, { ...fill!, state }] }, quote)
    const transaction = Effect.succeed(depositTransaction)
    return yield* stage.step({
      execution,
      quote,
      stage: execution.stages[1]!,
      intent: null,
      transaction,
      isOverdue: false
    })
  })

  /** Returns the state of the transaction after one step of the stage; null if the stage waits. */
  const endOf = Effect.fnUntraced(function* (chain: Chain = {}) {
    const step = yield* stepOf(chain)
    if (step._tag !== "Next") return null
    const { legs, movements, status, substatus } = step.change({ ...depositTransaction, status: "COMPLETED" })
    const movedAmounts = movements.map(({ account, amount, direction }) => [account, amount, direction])
    const end: unknown = { status, substatus, legs: legs.length, moved: movedAmounts }
    return end
  })

  const stores = Layer.mergeAll(BridgeFillStore.layerMemory, TransferClaims.layerMemory, Layer.mock(ChainReader, {}))

  it.effect("records a fill for one operation, and ends another one without its tokens", () =>
    Effect.gen(function* () {
      const filledOnce = { status: "COMPLETED", substatus: "FILLED", legs: 2, moved: [[RECIPIENT, 99n, "IN"]] }
      assert.deepStrictEqual(yield* endOf(), filledOnce)
      const { projectId } = quote
      const location = { projectId, transactionId: "", chainId: 8453, hash: filled, account: RECIPIENT } as const
      assert.deepStrictEqual(
        yield* TransferClaims.use((claims) => claims.readClaimedByOthers(location)),
        new Map([[1, 99n]])
      )
      // The result for another execution, which has another id in the history.
      const recordedElsewhereEnd = { ...filledOnce, substatus: "RECORDED_ELSEWHERE", moved: [] }
      assert.deepStrictEqual(yield* endOf(), recordedElsewhereEnd)
    }).pipe(Effect.provide(stores))
  )

  it.effect(
    "records each fill of the native token without a trace, even if the receiver spends native tokens in the block",
    () =>
      Effect.gen(function* () {
        const native = { receipts: { ...receipts, [filled]: [fillEvent] } }
        const completedEnd = { status: "COMPLETED", substatus: "FILLED", legs: 2, moved: [[RECIPIENT, 99n, "IN"]] }
        // The receiver gets two fills of 99 each and spends 99 in the same block. The balance increases by 99, and the
        // first fill claims this entire increase.
        for (const _ of [1, 2]) assert.deepStrictEqual(yield* endOf({ ...native, gained: 99n }), completedEnd)
        assert.deepStrictEqual(yield* endOf({ ...native, gained: 0n }), completedEnd)
      }).pipe(Effect.provide(stores))
  )

  it.effect(
    "waits for another refund if another operation has recorded the first, and ends without tokens after a day",
    () =>
      Effect.gen(function* () {
        const paymentHash = Hash32.make(pad("0x3"))
        const payment = { ...refundLog(spokePool, relay), transactionHash: paymentHash }
        const transferOf = (amount: bigint) =>
          logOf([TRANSFER, pad(spokePool), pad(WALLET)], numberToHex(amount, { size: 32 }), INPUT)
        const refund: Chain = {
          fillStatus: "UNFILLED",
          timestamp: 8_300,
          logs: [payment],
          receipts: { ...receipts, [paymentHash]: [transferOf(100n)] }
        }
        const expired: Chain = { ...refund, logs: [payment, { ...events().latest, address: spokePool }] }
        const refundedEnd = { status: "REFUNDED", substatus: "NOT_FILLED", legs: 2, moved: [[WALLET, 100n, "IN"]] }
        assert.deepStrictEqual(yield* endOf(expired), refundedEnd)
        assert.isNull(yield* endOf(expired))
        // The unclaimed remainder of the summed refund is less than the deposit.
        assert.isNull(yield* endOf({ ...expired, receipts: { ...receipts, [paymentHash]: [transferOf(150n)] } }))
        const lateFill = { ...expired, timestamp: 8_201 + 86_400 }
        assert.deepStrictEqual(yield* endOf(lateFill), { ...refundedEnd, substatus: "RECORDED_ELSEWHERE", moved: [] })
      }).pipe(Effect.provide(stores))
  )
})

const aDeposit = (depositId: bigint, inputAmount: bigint, fillDeadline: number): Deposit => {
  const deposit = depositInLog(1, POOL, events().latest)!
  return { ...deposit, relay: { ...deposit.relay, depositId, inputAmount, fillDeadline } }
}

describe("refunds", () => {
  const [a, b, c] = [aDeposit(1n, 100n, 10), aDeposit(2n, 40n, 20), aDeposit(3n, 100n, 30)]
  const all = [c, a, b]
  const refund = (amount: bigint, timestamp: number) => ({ amount, timestamp })

  it("match one deposit, or several deposits in one sum", () => {
    const singleRefund = refund(40n, 50)
    const sum = refund(200n, 60)
    assert.strictEqual(refundOf(b, all, [singleRefund, sum]), singleRefund)
    assert.strictEqual(refundOf(a, all, [singleRefund, sum]), sum)
    assert.strictEqual(refundOf(c, all, [singleRefund, sum]), sum)
  })

  it("match the oldest of identical deposits, and never two deposits", () => {
    const [first, second] = [refund(100n, 50), refund(100n, 60)]
    assert.strictEqual(refundOf(a, all, [first]), first)
    assert.isNull(refundOf(c, all, [first]))
    assert.strictEqual(refundOf(c, all, [first, second]), second)
  })

  it("do not match a deposit that had not expired by then, or deposits with another sum", () => {
    assert.isNull(refundOf(c, all, [refund(100n, 25)]))
    assert.strictEqual(refundOf(c, [c], [refund(100n, 30), refund(100n, 31)])?.timestamp, 31)
    for (const amount of [99n, 139n, 241n, 1n]) assert.isNull(refundOf(a, all, [refund(amount, 90)]), String(amount))
  })
})

describe("the time of a fill", () => {
  it.effect("is the provider's estimate plus the median delay of recorded fills", () =>
    Effect.gen(function* () {
      const times = yield* makeFillTimes
      let nth = 0
      const recordFill = (seconds: number, saidSeconds: number) =>
        times.record({
          from: 1,
          to: 8453,
          transferId: String(nth),
          seconds,
          saidSeconds,
          filledAt: DateTime.makeUnsafe(nth++ * 1_000)
        })
      yield* recordFill(12, 2)
      yield* recordFill(11, 2)
      assert.strictEqual(yield* times.expectedSeconds(1, 8453, 2), 2)
      yield* recordFill(900, 2)
      assert.strictEqual(yield* times.expectedSeconds(1, 8453, 2), 12)
      assert.strictEqual(yield* times.expectedSeconds(1, 8453, 1_000), 1_010)
      assert.strictEqual(yield* times.expectedSeconds(8453, 1, 2), 2)
      // A second instance, such as another process or a restart, reads the same recorded fills.
      assert.strictEqual(yield* (yield* makeFillTimes).expectedSeconds(1, 8453, 2), 12)
      for (let fills = 0; fills < 20; fills++) yield* recordFill(1, 60)
      assert.strictEqual(yield* times.expectedSeconds(1, 8453, 2), 1)
    }).pipe(Effect.provide(BridgeFillStore.layerMemory))
  )
})
