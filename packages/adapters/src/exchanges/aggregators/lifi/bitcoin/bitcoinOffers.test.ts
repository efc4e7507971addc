import { bitcoinToken } from "@countersign/core/bitcoin/chain"
import { Address, BitcoinAddress } from "@countersign/core/foundation/primitives"
import type { Token } from "@countersign/core/foundation/tokens"
import { BridgeFillStore, type OfferTerms, type SwapProvider } from "@countersign/core/trading/swap"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Logger } from "effect"
import { decodeOrder } from "../../../../../sandbox/aggregators/lifi-bitcoin/order.ts"
import { lifiVault } from "../../../../../sandbox/aggregators/lifi-bitcoin/outOfBitcoin.ts"
import { inMemoryRequestCounts, noNodes } from "../../../../../test/aggregators/inMemoryRequestCounts.ts"
import { lifiBitcoinServer } from "../../../../../test/aggregators/lifiBitcoinServer.ts"
import { type LiFiPayment, opReturnScriptOf } from "../../../../../test/aggregators/lifiPayments.ts"
import { addressToScript } from "../../../../chains/bitcoin/readAddress.ts"
import { makeFillTimes } from "../../../across/index.ts"
import { LiFiProvider } from "../index.ts"

/** Tests payments that LI.FI builds from a wallet's UTXOs: the requests, and the responses that the service rejects. */

const WALLET = BitcoinAddress.make("1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2")
const THIEF = BitcoinAddress.make("bc1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3qccfmv3")
const RECEIVER = Address.make(`0x${"ab".repeat(20)}`)
const USDC: Token = {
  chainId: 1,
  address: Address.make("0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48"),
  name: "USD Coin",
  symbol: "USDC",
  decimals: 6,
  realWorldAsset: false
}

const scriptOf = (address: BitcoinAddress) => Uint8Array.from(Buffer.from(addressToScript(address).slice(2), "hex"))

const coin = (digit: string, value = 1_000_000n) => ({ txid: digit.repeat(64), vout: 1, value })

const parties = { sender: WALLET, recipient: RECEIVER }
const request = { tokenIn: bitcoinToken, tokenOut: USDC, amountIn: 1_200_000n, limit: null, parties } as const
const terms: OfferTerms = {
  sender: WALLET,
  signer: WALLET,
  recipient: RECEIVER,
  minAmountOut: 1_130_469_250n,
  deadline: 2_000_000_000
}

type Server = Effect.Success<typeof lifiBitcoinServer>["state"]

const scenario = (name: string, test: (provider: SwapProvider, server: Server) => Effect.Effect<unknown, unknown>) =>
  it.effect(name, () =>
    Effect.gen(function* () {
      const { state, url } = yield* lifiBitcoinServer
      state.coins.push(coin("a"), coin("b"))
      const provider = yield* LiFiProvider.make(
        { url, apiKey: null, integrator: "tests", timeoutMs: 60_000 },
        { hasAcross: true, isServed: () => true, hasBitcoinConnection: true, times: yield* makeFillTimes }
      )
      yield* test(provider, state)
    }).pipe(
      Effect.scoped,
      Effect.provide([inMemoryRequestCounts, noNodes, BridgeFillStore.layerMemory, Logger.layer([])])
    )
  )

const paymentOf = Effect.fnUntraced(function* (provider: SwapProvider, changes: object = {}) {
  const { intent } = yield* provider.offer({ ...request, ...changes })
  return intent._tag === "BitcoinPayment" ? yield* intent.buildPayment(terms) : yield* Effect.die("no payment")
})

const refusal = (effect: Effect.Effect<unknown, { readonly message: string }>) =>
  Effect.map(Effect.flip(effect), ({ message }) => message)

describe("a swap from Bitcoin by LI.FI", () => {
  scenario(
    "is exactly LI.FI's payment: its inputs, their sequences, its outputs and its change",
    (provider, { asked }) =>
      Effect.gen(function* () {
        assert.isTrue(provider.serves({ chainIdIn: 0, chainIdOut: 1, isLimitOrder: false }))
        const { fixed, outputs } = yield* paymentOf(provider)
        assert.deepStrictEqual(
          outputs.map(({ address, memo, role, value }) => [role, address, memo, value]),
          [
            ["VAULT", lifiVault.address, null, 1_200_000n],
            ["MEMO", null, outputs[1]!.memo, 0n]
          ]
        )
        const data = Uint8Array.from(Buffer.from(outputs[1]!.memo!.slice(2), "hex"))
        assert.deepInclude(decodeOrder(data), { chainId: 1, token: USDC.address, receiver: RECEIVER })
        assert.deepStrictEqual(
          fixed?.coins.map(({ sequence, txid, vout }) => [txid, vout, sequence]),
          [
            [`0x${"a".repeat(64)}`, 1, 0xffff_ffff],
            [`0x${"b".repeat(64)}`, 1, 0xffff_ffff]
          ]
        )
        assert.strictEqual(fixed?.change, 799_549n)
        assert.deepInclude(Object.fromEntries(asked.at(-1)!.searchParams), {
          fromChain: "20000000000001",
          fromToken: "bitcoin",
          fromAddress: WALLET,
          toAddress: RECEIVER,
          fromAmount: "1200000",
          slippage: "0.005"
        })
      })
  )

  scenario("has a notice that only LI.FI reports the minimum", (provider) =>
    Effect.map(provider.offer(request), ({ notices }) => assert.match(notices!.join(), /Only LI.FI reports/u))
  )
})

describe("a payment of LI.FI that does not match the request", () => {
  const withChangedOutput =
    (at: number, change: (output: LiFiPayment["outputs"][number]) => LiFiPayment["outputs"][number]) =>
    (payment: LiFiPayment): LiFiPayment => ({
      ...payment,
      outputs: payment.outputs.map((output, index) => (index === at ? change(output) : output))
    })
  const withChangedInput =
    (change: (input: LiFiPayment["inputs"][number]) => LiFiPayment["inputs"][number]) =>
    (payment: LiFiPayment): LiFiPayment => ({
      ...payment,
      inputs: payment.inputs.map((input, index) => (index === 0 ? change(input) : input))
    })
  const invalidPayments: ReadonlyArray<readonly [string, (payment: LiFiPayment) => LiFiPayment, RegExp]> = [
    [
      "another vault than the named one",
      withChangedOutput(0, (output) => ({ ...output, script: scriptOf(THIEF) })),
      /does not pay the vault address/u
    ],
    [
      "less to the vault",
      withChangedOutput(0, (output) => ({ ...output, value: output.value - 1n })),
      /0.01199999 BTC instead of 0.012/u
    ],
    [
      "more to the vault",
      withChangedOutput(0, (output) => ({ ...output, value: output.value + 5_000n })),
      /instead of 0.012/u
    ],
    [
      "change to another address",
      withChangedOutput(2, (output) => ({ ...output, script: scriptOf(THIEF) })),
      /another receiver/u
    ],
    [
      "a fourth output",
      (payment) => ({ ...payment, outputs: [...payment.outputs, { script: scriptOf(THIEF), value: 600n }] }),
      /another receiver/u
    ],
    ["no memo", (payment) => ({ ...payment, outputs: payment.outputs.toSpliced(1, 1) }), /memo/u],
    [
      "two memos",
      (payment) => ({ ...payment, outputs: [...payment.outputs, { script: opReturnScriptOf("more"), value: 0n }] }),
      /memo/u
    ],
    ["coins in the memo", withChangedOutput(1, (output) => ({ ...output, value: 1_000n })), /memo/u],
    [
      "a UTXO of another owner",
      withChangedInput((input) => ({ ...input, script: scriptOf(THIEF) })),
      /does not belong to the wallet/u
    ],
    ["a lock time", (payment) => ({ ...payment, lockTime: 900_000 }), /lock time/u],
    ["a locked UTXO", withChangedInput((input) => ({ ...input, sequence: 10 })), /locked/u],
    ["another version", (payment) => ({ ...payment, version: 1 }), /a version other than 2/u],
    [
      "a partial signature",
      withChangedInput((input) => ({ ...input, sighashType: 0x83 })),
      /does not cover the entire transaction/u
    ]
  ]
  for (const [name, cheat, reason] of invalidPayments) {
    scenario(`is rejected for ${name}`, (provider, server) =>
      Effect.gen(function* () {
        server.cheat = cheat
        assert.match(yield* refusal(paymentOf(provider)), reason)
      })
    )
  }

  scenario("is rejected if less may arrive than requested", (provider, server) =>
    Effect.gen(function* () {
      server.cheatAnswer = (_path, { body, status }) => {
        const { estimate, ...others } = body as { readonly estimate: object }
        return { status, body: { ...others, estimate: { ...estimate, toAmountMin: String(terms.minAmountOut - 1n) } } }
      }
      assert.match(yield* refusal(paymentOf(provider)), /minimum output is below the requested minimum/u)
    })
  )

  scenario("is rejected with LI.FI's message, or if the response contains no PSBT", (provider, server) =>
    Effect.gen(function* () {
      server.injected.push({ status: 404, body: { message: "No available quotes for the requested transfer" } })
      assert.match(yield* refusal(provider.offer(request)), /No available quotes/u)
      // The amount exceeds the sum of the wallet's UTXOs.
      assert.match(yield* refusal(provider.offer({ ...request, amountIn: 2_000_000n })), /No available quotes/u)
      server.injected.push({
        status: 200,
        body: { tool: "x", estimate: {}, transactionRequest: { to: "0x", data: "" } }
      })
      assert.match(yield* refusal(provider.offer(request)), /unexpected format/u)
    })
  )
})
