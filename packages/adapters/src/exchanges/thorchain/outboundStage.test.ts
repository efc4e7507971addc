import { type Transaction, TransferClaims } from "@countersign/core/accounting/history"
import { type BitcoinTransaction, BitcoinTransactions, bitcoinToken } from "@countersign/core/bitcoin/chain"
import type { ChainId } from "@countersign/core/foundation/chains"
import { UpstreamUnavailable } from "@countersign/core/foundation/errors"
import {
  Address,
  BitcoinAddress,
  BitcoinAddressCheck,
  Hash32,
  HexBytes,
  NATIVE_TOKEN,
  type WalletAddress
} from "@countersign/core/foundation/primitives"
import type { Token } from "@countersign/core/foundation/tokens"
import type { Step } from "@countersign/core/operations/executions"
import { ChainReader } from "@countersign/core/operations/user-operations"
import { SwapRequest, swapKind } from "@countersign/core/trading/swap"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Schema } from "effect"
import { encodeAbiParameters, pad } from "viem"
import { aTransaction } from "../../../../core/src/accounting/history/Transaction.fixture.ts"
import { aUuid } from "../../../../core/src/foundation/primitives/ids.fixture.ts"
import { anExecution } from "../../../../core/src/operations/executions/Execution.fixture.ts"
import { reorgChange } from "../../../../core/src/operations/executions/finality/FinalityStage.ts"
import { aQuote } from "../../../../core/src/operations/quotes/Quote.fixture.ts"
import { aSwapContent } from "../../../../core/src/trading/swap/SwapContent.fixture.ts"
import { BitcoinjsTransactions } from "../../chains/bitcoin/index.ts"
import { addressToScript, decodeAddress } from "../../chains/bitcoin/readAddress.ts"
import { type RpcClients, TRANSFER } from "../../chains/evm/index.ts"
import { memoScript, outboundMemo, refundMemo } from "./memo.ts"
import { outboundStage, outboundStagePlan } from "./outboundStage.ts"
import type { Outbound, ThorNodeApi, ThorStatus } from "./ThorNodeApi.ts"

/** Tests the completion of a deposit. THORChain reports the transactions, and the chains show the result. */

const hash = (digit: string) => Hash32.make(`0x${digit.repeat(64)}`)
const [DEPOSIT, OUT, BACK] = [hash("d"), hash("e"), hash("f")]
const WALLET = BitcoinAddress.make("1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2")
const VAULT = BitcoinAddress.make("bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4")
const RECEIVER = Address.make(`0x${"ab".repeat(20)}`)
const USDC: Token = {
  chainId: 1,
  address: Address.make("0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48"),
  name: "USD Coin",
  symbol: "USDC",
  decimals: 6,
  realWorldAsset: false
}

const request = Schema.decodeUnknownEffect(SwapRequest)({
  amountIn: "0.01",
  chainIdIn: 0,
  chainIdOut: 1,
  gasFeePaymentMethod: "ADD_TO_AMOUNT",
  payGasFeeToken: NATIVE_TOKEN,
  tokenIn: NATIVE_TOKEN,
  tokenOut: USDC.address,
  walletAddress: WALLET,
  toAddress: RECEIVER
}).pipe(Effect.provideService(BitcoinAddressCheck, decodeAddress), Effect.runSync)

const content = aSwapContent({
  request,
  tokens: { tokenIn: bitcoinToken, tokenOut: USDC, payGasFeeToken: bitcoinToken },
  provider: "THORCHAIN",
  amountIn: 1_000_000n,
  amountOut: 950_000_000n,
  minAmountOut: 945_000_000n
})

const quote = aQuote({
  walletAddress: WALLET,
  content: swapKind.encode(content),
  stages: [outboundStagePlan, outboundStagePlan]
})

const depositTransaction: Transaction = aTransaction({
  walletAddress: WALLET,
  legs: [{ chainId: 0, hash: DEPOSIT, block: { number: 90n, hash: hash("9") }, state: "FINAL", stage: 0 }]
})

const onBitcoin = (txid: Hash32, fields: Partial<BitcoinTransaction>): BitcoinTransaction => ({
  txid,
  inputs: [{ txid: hash("1"), vout: 0, value: 2_000_000n, script: addressToScript(VAULT), sequence: 0 }],
  outputs: [],
  fee: 500n,
  weight: 500,
  lockTime: 0,
  isCoinbase: false,
  block: { hash: hash("8"), height: 95, minedAtMs: 95_000 },
  ...fields
})

interface TestChains {
  /** Claims of other operations. */
  readonly claimed?: ReadonlyArray<readonly [Hash32, ChainId, WalletAddress]>
  readonly status: ThorStatus | null
  readonly bitcoin: ReadonlyArray<BitcoinTransaction>
  /** Amount that arrives on the destination chain, in base units; null if nothing arrives. */
  readonly delivered: bigint | null
  readonly isOverdue?: true
  /** The hash of the block at the deposit's height. */
  readonly blockHash?: Hash32
}

const rpcOf = (delivered: bigint | null) =>
  ({
    client: () => ({
      getTransactionReceipt: () =>
        delivered === null
          ? Promise.reject(new Error("not found"))
          : Promise.resolve({
              status: "success",
              blockNumber: 7n,
              blockHash: hash("7"),
              logs: [
                {
                  address: USDC.address,
                  topics: [TRANSFER, pad(`0x${"31".repeat(20)}`), pad(RECEIVER)],
                  data: encodeAbiParameters([{ type: "uint256" }], [delivered])
                }
              ]
            }),
      getTransaction: () =>
        Promise.resolve({
          input: `0x${Buffer.from(outboundMemo(DEPOSIT)).toString("hex")}`,
          from: `0x${"31".repeat(20)}`,
          value: 0n
        }),
      getBlock: () => Promise.resolve({ timestamp: 1_000n })
    })
  }) as unknown as RpcClients["Service"]

const stepIn = ({ bitcoin, blockHash = hash("9"), claimed = [], delivered, isOverdue, status }: TestChains) =>
  Effect.gen(function* () {
    const claims = yield* TransferClaims
    for (const [claimedHash, chainId, account] of claimed) {
      const shares = [{ index: 0, amount: 1n, of: 1n }]
      const { projectId } = anExecution({}, quote)
      yield* claims.claim({ projectId, transactionId: aUuid(), chainId, hash: claimedHash, account, shares })
    }
    const transactions = yield* BitcoinTransactions
    const chain = {
      findTransaction: (txid: Hash32) => Effect.succeed(bitcoin.find((one) => one.txid === txid) ?? null),
      blockHash: () => Effect.succeed(blockHash),
      tipHeight: Effect.succeed(100)
    } as unknown as Parameters<typeof outboundStage>[2]["chain"]
    const api = {
      status: () =>
        status === null
          ? Effect.fail(new UpstreamUnavailable({ upstream: "THORChain", reason: "down" }))
          : Effect.succeed(status)
    } as unknown as ThorNodeApi
    const stage = yield* outboundStage(api, rpcOf(delivered), { chain, transactions })
    const execution = anExecution({ at: 1 }, quote)
    return yield* stage.step({
      execution,
      quote,
      stage: execution.stages[1]!,
      intent: null,
      transaction: Effect.succeed(depositTransaction),
      isOverdue: isOverdue ?? false
    })
  }).pipe(Effect.provide([BitcoinjsTransactions.layer, TransferClaims.layerMemory, Layer.mock(ChainReader, {})]))

const endState = (step: Step, before = depositTransaction) => {
  assert.isTrue(step._tag === "Next" && step.to === "finality", step._tag)
  return step._tag === "Next" ? step.change({ ...before, status: "COMPLETED" }) : before
}

const minedDeposit = onBitcoin(DEPOSIT, {})
const evmOutbound: Outbound = { chain: "ETH", id: OUT.slice(2).toUpperCase() }
const bitcoinOutbound: Outbound = { chain: "BTC", id: BACK.slice(2) }
const statusOf = (...outbounds: ReadonlyArray<Outbound>): ThorStatus => ({ outbounds, isMorePlanned: false })
const refund = (fields: Partial<BitcoinTransaction> = {}) =>
  onBitcoin(BACK, {
    outputs: [
      { script: addressToScript(WALLET), value: 990_000n },
      { script: memoScript(refundMemo(DEPOSIT)), value: 0n }
    ],
    ...fields
  })

describe("a deposit at THORChain", () => {
  it.effect("completes with the received amount, as FILLED or as PARTIALLY_FILLED", () =>
    Effect.gen(function* () {
      const full = endState(
        yield* stepIn({ status: statusOf(evmOutbound), bitcoin: [minedDeposit], delivered: 949_000_000n })
      )
      assert.deepInclude(full, { status: "COMPLETED", substatus: "FILLED" })
      assert.deepInclude(full.movements.at(-1), { direction: "IN", account: RECEIVER, amount: 949_000_000n, leg: 1 })
      assert.deepInclude(full.legs[1], { chainId: 1, hash: OUT, stage: 1 })
      const partialEnd = endState(
        yield* stepIn({ status: statusOf(evmOutbound), bitcoin: [minedDeposit], delivered: 1n })
      )
      assert.strictEqual(partialEnd.substatus, "PARTIALLY_FILLED")
    })
  )

  it.effect("completes with the refund, after its confirmations", () =>
    Effect.gen(function* () {
      const finalState = endState(
        yield* stepIn({ status: statusOf(bitcoinOutbound), bitcoin: [minedDeposit, refund()], delivered: null })
      )
      assert.deepInclude(finalState, { status: "REFUNDED", substatus: "NOT_FILLED" })
      assert.deepInclude(finalState.movements.at(-1), { direction: "IN", account: WALLET, amount: 990_000n })
    })
  )

  it.effect("completes with a delivery and a refund for a partially filled streaming swap", () =>
    Effect.gen(function* () {
      const testChains = {
        status: statusOf(evmOutbound, bitcoinOutbound),
        bitcoin: [minedDeposit, refund()],
        delivered: 500_000_000n
      }
      const finalState = endState(yield* stepIn(testChains))
      assert.deepInclude(finalState, { status: "PARTIALLY_COMPLETED", substatus: "PARTIALLY_FILLED" })
      assert.deepStrictEqual(
        finalState.movements.map(({ amount, leg }) => [amount, leg]),
        [
          [500_000_000n, 1],
          [990_000n, 2]
        ]
      )
      const earlyStep = yield* stepIn({ ...testChains, bitcoin: [minedDeposit] })
      assert.strictEqual(earlyStep._tag, "Wait")
      const lateEnd = endState(yield* stepIn({ ...testChains, bitcoin: [minedDeposit], isOverdue: true }))
      assert.deepInclude(lateEnd, { status: "COMPLETED", substatus: "PARTIALLY_FILLED" })
    })
  )

  it.effect("loses the leg of a delivery or refund that a reorg removed", () =>
    Effect.gen(function* () {
      const parts = {
        status: statusOf(evmOutbound, bitcoinOutbound),
        bitcoin: [minedDeposit, refund()],
        delivered: 500_000_000n
      }
      const stateAfterReorg = reorgChange(1)(endState(yield* stepIn(parts)))
      const legsAfter = (step: Step) => endState(step, stateAfterReorg).legs.map(({ hash: id }) => id)
      assert.deepStrictEqual(legsAfter(yield* stepIn(parts)), [DEPOSIT, OUT, BACK])
      const onlyRefunded = endState(yield* stepIn({ ...parts, status: statusOf(bitcoinOutbound) }), stateAfterReorg)
      assert.deepStrictEqual(
        onlyRefunded.legs.map(({ hash: id, state }) => [id, state]),
        [
          [DEPOSIT, "FINAL"],
          [BACK, "INCLUDED"]
        ]
      )
      assert.deepStrictEqual(
        onlyRefunded.movements.map(({ amount, leg }) => [amount, leg]),
        [[990_000n, 1]]
      )
    })
  )

  it.effect.each([
    ["THORNode does not respond", { status: null, bitcoin: [minedDeposit], delivered: 1n }],
    ["its response has no transactions", { status: statusOf(), bitcoin: [minedDeposit], delivered: 1n }],
    [
      "it reports further transactions",
      { status: { ...statusOf(evmOutbound), isMorePlanned: true }, bitcoin: [minedDeposit], delivered: 1n }
    ],
    [
      "the destination chain does not have the transaction",
      { status: statusOf(evmOutbound), bitcoin: [minedDeposit], delivered: null }
    ],
    [
      "Bitcoin does not have the transaction",
      { status: statusOf(bitcoinOutbound), bitcoin: [minedDeposit], delivered: null }
    ],
    [
      "the refund is unconfirmed",
      { status: statusOf(bitcoinOutbound), bitcoin: [minedDeposit, refund({ block: null })], delivered: null }
    ],
    [
      "the refund has too few confirmations",
      {
        status: statusOf(bitcoinOutbound),
        bitcoin: [minedDeposit, refund({ block: { hash: hash("8"), height: 96, minedAtMs: 0 } })],
        delivered: null
      }
    ],
    [
      "the refund is for another deposit",
      {
        status: statusOf(bitcoinOutbound),
        bitcoin: [
          minedDeposit,
          refund({
            outputs: [
              { script: addressToScript(WALLET), value: 990_000n },
              { script: memoScript(refundMemo(hash("c"))), value: 0n }
            ]
          })
        ],
        delivered: null
      }
    ],
    [
      "the refund is the wallet's own payment",
      {
        status: statusOf(bitcoinOutbound),
        bitcoin: [
          minedDeposit,
          refund({
            inputs: [{ txid: hash("1"), vout: 0, value: 1_000_000n, script: addressToScript(WALLET), sequence: 0 }]
          })
        ],
        delivered: null
      }
    ],
    [
      "the refund went to another receiver",
      {
        status: statusOf(bitcoinOutbound),
        bitcoin: [minedDeposit, refund({ outputs: [{ script: HexBytes.make("0x51"), value: 990_000n }] })],
        delivered: null
      }
    ]
  ] as ReadonlyArray<readonly [string, TestChains]>)("waits while %s", ([, testChains]) =>
    Effect.map(stepIn(testChains), ({ _tag }) => assert.strictEqual(_tag, "Wait"))
  )

  it.effect("gets no transfer that another operation of the project has recorded", () =>
    Effect.gen(function* () {
      const testChains = {
        status: statusOf(evmOutbound, bitcoinOutbound),
        bitcoin: [minedDeposit, refund()],
        delivered: 500_000_000n
      }
      const refundedEnd = endState(yield* stepIn({ ...testChains, claimed: [[OUT, 1, RECEIVER]], isOverdue: true }))
      assert.deepInclude(refundedEnd, { status: "REFUNDED", substatus: "NOT_FILLED" })
      const deliveredEnd = endState(yield* stepIn({ ...testChains, claimed: [[BACK, 0, WALLET]], isOverdue: true }))
      assert.deepInclude(deliveredEnd, { status: "COMPLETED", substatus: "PARTIALLY_FILLED" })
    })
  )

  it.effect("returns to the deposit's stage if a reorg removes its block", () =>
    Effect.gen(function* () {
      const step = yield* stepIn({
        status: statusOf(),
        bitcoin: [onBitcoin(DEPOSIT, { block: null })],
        blockHash: hash("8"),
        delivered: null
      })
      assert.isTrue(step._tag === "Back" && step.to === 0)
      if (step._tag !== "Back") return
      assert.deepInclude(step.change(depositTransaction), { substatus: "REORGED", movements: [] })
    })
  )

  it.effect("waits if the Bitcoin server is behind the block of the deposit", () =>
    Effect.gen(function* () {
      const bitcoin = [onBitcoin(DEPOSIT, { block: null })]
      assert.strictEqual((yield* stepIn({ status: statusOf(), bitcoin, delivered: null }))._tag, "Wait")
    })
  )

  it.effect("fails after a week without a result", () =>
    Effect.gen(function* () {
      const finalState = endState(
        yield* stepIn({ status: statusOf(), bitcoin: [minedDeposit], delivered: null, isOverdue: true })
      )
      assert.strictEqual(finalState.failure?.code, "NOT_FILLED")
    })
  )
})
