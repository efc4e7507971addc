import { Address, NATIVE_TOKEN } from "@countersign/core/foundation/primitives"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { encodeAbiParameters, encodeEventTopics, type Hex, numberToHex, pad, parseAbi } from "viem"
import { depositLog, fillLog, logOf, type Relay } from "../../../test/across/relayLogs.ts"
import { acrossOrNull, deploymentOf } from "../../chains/deployments/index.ts"
import { JsonRpcError, type LogResponse, type RpcClients, TRANSFER } from "../../chains/evm/index.ts"
import { multicallHandlerAbi } from "./abi.ts"
import { handlerMessage } from "./arrivalSwap.ts"
import { depositInLog } from "./deposits.ts"
import type { Fill } from "./fills.ts"
import { settlementOfSwap } from "./swappedFill.ts"

const POLYGON = 137
const { multicallHandler: HANDLER, tokens } = acrossOrNull(POLYGON)!
const BRIDGED = tokens.USDC!
const { wrappedNative } = deploymentOf(POLYGON)
const [POOL, WALLET, ROUTER, OTHER_ROUTER, RELAYER] = ["a1", "b2", "c3", "d4", "e5"].map((pair) =>
  Address.make(`0x${pair.repeat(20)}`)
) as [Address, Address, Address, Address, Address]

const relay: Relay = {
  originChainId: 1,
  destinationChainId: POLYGON,
  depositId: 7n,
  depositor: WALLET,
  recipient: HANDLER,
  inputToken: tokens.USDC!,
  outputToken: BRIDGED,
  inputAmount: 100n,
  outputAmount: 99n,
  fillDeadline: 8_200
}
const depositWithoutMessage = depositInLog(1, POOL, depositLog(POOL, relay))!
const message = handlerMessage([{ to: ROUTER, value: 0n, data: "0x" as never, summary: "" }], WALLET) as Hex
const deposit = { ...depositWithoutMessage, relay: { ...depositWithoutMessage.relay, message } }

const unwrapping = (router: Address, amount: bigint): LogResponse =>
  logOf(
    wrappedNative.address as Hex,
    encodeEventTopics({
      abi: parseAbi(["event Withdrawal(address indexed src, uint256 wad)"]),
      args: { src: router as Hex }
    }) as Array<Hex>,
    numberToHex(amount, { size: 32 })
  )
const failure = logOf(
  HANDLER as Hex,
  encodeEventTopics({
    abi: multicallHandlerAbi,
    eventName: "CallsFailed",
    args: { fallbackRecipient: WALLET as Hex }
  }) as Array<Hex>,
  encodeAbiParameters([{ type: "bytes" }], ["0x"])
)
const bridgedLog = logOf(
  BRIDGED as Hex,
  [TRANSFER, pad(HANDLER as Hex), pad(WALLET as Hex)],
  numberToHex(99n, { size: 32 })
)

interface Chain {
  readonly logs?: ReadonlyArray<LogResponse>
  /** The increase of the receiver's balance in the block. */
  readonly gained?: bigint
  /** Native amounts that the transaction sends to the receiver; undefined if no node traces the transaction. */
  readonly traced?: ReadonlyArray<bigint>
}

const settlementIn = ({ gained = 0n, logs = [], traced }: Chain) => {
  const frame = { type: "CALL", from: ROUTER, to: WALLET, gasUsed: "0x1", input: "0x" }
  const responses: Readonly<Record<string, (blockTag: string) => unknown>> = {
    eth_getBalance: (blockTag) => (blockTag === "0x1" ? numberToHex(gained) : "0x0"),
    debug_traceTransaction: () =>
      traced === undefined
        ? Promise.reject(new JsonRpcError(-32601, "not served", undefined))
        : {
            ...frame,
            from: RELAYER,
            to: POOL,
            calls: traced.map((value) => ({ ...frame, value: numberToHex(value) }))
          }
  }
  const rpc = {
    witnesses: () => ({ nodes: [], required: 0 }),
    request: async (_: number, method: string, [, blockTag]: readonly [unknown, string]) => responses[method]!(blockTag)
  } as unknown as RpcClients["Service"]
  const [event] = [fillLog(POOL, relay, RELAYER)]
  const fill = {
    hash: event.transactionHash,
    block: { number: 1n, hash: event.blockHash },
    logs: logs.map((log, position) => ({ ...log, position }))
  } as unknown as Fill
  const swap = { receiver: WALLET, tokenOut: NATIVE_TOKEN, amountOut: 1_000n, minAmountOut: 990n, bridged: BRIDGED }
  return Effect.promise(async () => {
    const settlement = await settlementOfSwap(rpc, deposit, fill, swap)
    return settlement === null ? null : [settlement.token, settlement.amount]
  })
}

describe("the native tokens of a fill with a swap", () => {
  it.effect("are the amount that the transaction paid to the receiver", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* settlementIn({ traced: [995n] }), [NATIVE_TOKEN, 995n])
      // Relayers fill several deposits in one transaction.
      assert.deepStrictEqual(yield* settlementIn({ traced: [400n, 996n] }), [NATIVE_TOKEN, 996n])
      assert.isNull(yield* settlementIn({ traced: [] }))
    })
  )

  it.effect(
    "are the amount that the routers unwrapped if no node traces the transaction, even if the receiver spends some",
    () =>
      Effect.gen(function* () {
        const logs = [unwrapping(ROUTER, 995n), unwrapping(OTHER_ROUTER, 500n)]
        for (const gainedAmount of [0n, 10n, 5_000n])
          assert.deepStrictEqual(yield* settlementIn({ logs, gained: gainedAmount }), [NATIVE_TOKEN, 995n])
      })
  )

  it.effect(
    "are the increase of the balance, within the limits of the quote, if neither a trace nor a log shows them",
    () =>
      Effect.gen(function* () {
        assert.deepStrictEqual(yield* settlementIn({ gained: 5_000n }), [NATIVE_TOKEN, 1_000n])
        assert.deepStrictEqual(yield* settlementIn({ gained: 995n }), [NATIVE_TOKEN, 995n])
        assert.deepStrictEqual(yield* settlementIn({ gained: 0n }), [NATIVE_TOKEN, 990n])
      })
  )

  it.effect("are zero if the calls failed, because the receiver gets the bridged token", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* settlementIn({ logs: [failure, bridgedLog], gained: 5_000n }), [BRIDGED, 99n])
    })
  )
})
