import { TransferClaims } from "@countersign/core/accounting/history"
import { type BitcoinTransaction, bitcoinToken } from "@countersign/core/bitcoin/chain"
import { BitcoinAddress, BitcoinAddressCheck, NATIVE_TOKEN } from "@countersign/core/foundation/primitives"
import { ChainReader } from "@countersign/core/operations/user-operations"
import { SwapRequest, swapKind } from "@countersign/core/trading/swap"
import { assert, describe, it } from "@effect/vitest"
import { DateTime, Effect, Layer, Schema } from "effect"
import { aTransaction } from "../../../../../../core/src/accounting/history/Transaction.fixture.ts"
import { aHash, anAddress, at } from "../../../../../../core/src/foundation/primitives/ids.fixture.ts"
import { anExecution } from "../../../../../../core/src/operations/executions/Execution.fixture.ts"
import { aQuote } from "../../../../../../core/src/operations/quotes/Quote.fixture.ts"
import { aSwapContent } from "../../../../../../core/src/trading/swap/SwapContent.fixture.ts"
import { aToken } from "../../../../../../core/src/trading/swap/swap.fixture.ts"
import { BitcoinjsTransactions } from "../../../../chains/bitcoin/index.ts"
import { addressToScript, decodeAddress } from "../../../../chains/bitcoin/readAddress.ts"
import type { RpcClients } from "../../../../chains/evm/index.ts"
import type { AggregatorHost } from "../../AggregatorHost.ts"
import { statusStage, statusStagePlan } from "../statusStage.ts"

/**
 * Bitcoin nodes accept a block timestamp that is up to two hours in the future, or before the timestamp of the parent
 * block.
 */

const RECEIVER = BitcoinAddress.make("1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2")
const HOUR_MS = 3_600_000
const [usdc, wallet, payment] = [aToken("USDC"), anAddress(), aHash()]

const request = Schema.decodeUnknownEffect(SwapRequest)({
  amountIn: "100",
  chainIdIn: 137,
  chainIdOut: 0,
  gasFeePaymentMethod: "ADD_TO_AMOUNT",
  payGasFeeToken: usdc.address,
  tokenIn: usdc.address,
  tokenOut: NATIVE_TOKEN,
  walletAddress: wallet,
  toAddress: RECEIVER
}).pipe(Effect.provideService(BitcoinAddressCheck, decodeAddress), Effect.runSync)

const quote = aQuote({
  walletAddress: wallet,
  content: swapKind.encode(
    aSwapContent({
      request,
      tokens: { tokenIn: usdc, tokenOut: bitcoinToken, payGasFeeToken: usdc },
      provider: "LIFI",
      amountIn: 100_000_000n,
      amountOut: 100_000n,
      minAmountOut: 99_500n
    })
  ),
  stages: [statusStagePlan, statusStagePlan]
})

/** Returns the stage's next step if LI.FI reports a payment whose block has this timestamp. */
const stepAt = (minedAtMs: number) =>
  Effect.gen(function* () {
    const minedTransaction: BitcoinTransaction = {
      txid: payment,
      inputs: [],
      outputs: [{ script: addressToScript(RECEIVER), value: 100_000n }],
      fee: 500n,
      weight: 500,
      lockTime: 0,
      isCoinbase: false,
      block: { hash: aHash(), height: 95, minedAtMs }
    }
    const status = { status: "DONE", receiving: { chainId: "20000000000001", txHash: payment } }
    const host: AggregatorHost = {
      title: "LI.FI",
      ask: () => Effect.succeed({ status: 200, json: status, text: JSON.stringify(status) })
    }
    const bitcoin = {
      chain: { findTransaction: () => Effect.succeed(minedTransaction), tipHeight: Effect.succeed(200) },
      transactions: { scriptOf: addressToScript, addressOf: () => null }
    } as unknown as Parameters<typeof statusStage>[2]
    const [stage] = yield* statusStage(host, {} as RpcClients["Service"], bitcoin)
    const execution = anExecution({ at: 1 }, quote)
    return yield* stage!.step({
      execution,
      quote,
      stage: execution.stages[1]!,
      intent: null,
      transaction: Effect.succeed(
        aTransaction({
          walletAddress: wallet,
          createdAt: at(0),
          legs: [{ chainId: 137, hash: aHash(), block: { number: 9n, hash: aHash() }, state: "FINAL", stage: 0 }]
        })
      ),
      isOverdue: false
    })
  }).pipe(Effect.provide([BitcoinjsTransactions.layer, TransferClaims.layerMemory, Layer.mock(ChainReader, {})]))

describe("a Bitcoin payment that completes a swap", () => {
  it.effect("may be in a block whose timestamp is up to two hours before the order", () =>
    Effect.gen(function* () {
      const tagAt = (offsetMs: number) => Effect.map(stepAt(DateTime.toEpochMillis(at(offsetMs))), ({ _tag }) => _tag)
      assert.strictEqual(yield* tagAt(HOUR_MS), "Next")
      assert.strictEqual(yield* tagAt(-2 * HOUR_MS + 1_000), "Next")
      assert.strictEqual(yield* tagAt(-2 * HOUR_MS - 1_000), "Wait")
    })
  )
})
