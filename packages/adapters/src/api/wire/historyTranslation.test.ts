import { aMovement, aTransaction } from "@countersign/core/contracts/accounting/history/HistoryStore"
import { Address, Hash32 } from "@countersign/core/foundation/primitives"
import type { FiatCode, FiatRatesE18, Token } from "@countersign/core/foundation/tokens"
import { assert, describe, it } from "@effect/vitest"
import { historyBody } from "./historyTranslation.ts"
import { type ExplorerOf, Explorers } from "./links.ts"

const usdc: Token = {
  chainId: 137,
  address: Address.make(`0x${"12".repeat(20)}`),
  name: "USD Coin",
  symbol: "USDC",
  decimals: 6,
  realWorldAsset: false
}
const asset = { chainId: usdc.chainId, token: usdc.address }
const pool = `0x${"34".repeat(20)}`
const outgoingMovement = aMovement({ asset, amount: 1_500_000n, usd: "1.5", counterparty: pool })
const incomingMovement = aMovement({ direction: "IN", amount: 7n, counterparty: pool })
const hash = Hash32.make(`0x${"ab".repeat(32)}`)

const body = (
  fields: Parameters<typeof aTransaction>[0],
  explorerOf: ExplorerOf = Explorers.defaultValue(),
  rates: FiatRatesE18 = new Map()
) => {
  const find = (_: unknown, address: string) => (address === usdc.address ? usdc : null)
  return historyBody("http://here", aTransaction(fields), find, rates, explorerOf)
}

describe("the body of a transaction", () => {
  it("has a value in every currency whose rate is known, with eight decimals and rounded down", () => {
    const E18 = 10n ** 18n
    const rates = new Map<FiatCode, bigint>([
      ["brl", 54n * 10n ** 17n],
      ["jpy", 154n * E18],
      ["btc", 10_526_315_789_473n],
      ["sats", 1_052_631_578_947_300_000_000n],
      ["eth", 1n]
    ])
    const valuesOf = (usd: string) => {
      const {
        brl,
        btc,
        eth,
        eur,
        jpy,
        sats,
        usd: dollars
      } = body({ status: "COMPLETED", movements: [{ ...outgoingMovement, usd }] }, undefined, rates).sentAmount!
        .amountIn
      return { brl, btc, eth, eur, jpy, sats, dollars }
    }
    const eur = null
    assert.deepStrictEqual(valuesOf("1.5"), {
      brl: "8.1",
      btc: "0.00001578",
      eth: "0",
      eur,
      jpy: "231",
      sats: "1578.94736842",
      dollars: "1.5"
    })
    assert.deepStrictEqual(valuesOf("12345678901234567890.123456"), {
      brl: "66666666066666666606.6666624",
      btc: "129954514749829.10969468",
      eth: "12.3456789",
      eur,
      jpy: "1901234550790123455079.012224",
      sats: "12995451474982910969468.2902664",
      dollars: "12345678901234567890.123456"
    })
  })

  it("has the expected amounts while it is pending, and the movements afterwards", () => {
    const expected = [outgoingMovement, incomingMovement]
    const pending = body({ expected, details: { swapProvider: "UNISWAP_V3" } })
    assert.deepStrictEqual([pending.sentAmount?.amount, pending.sentAmount?.amountIn.usd], ["1.5", "1.5"])
    assert.deepStrictEqual([pending.sentTo, pending.receivedFromAddress], [pool, pool])
    assert.deepStrictEqual([pending.receivedBy, pending.receivedAmount?.amount], [incomingMovement.account, "7"])
    assert.strictEqual(pending.swapProvider, "UNISWAP_V3")
    const failedRecord = body({ expected, status: "FAILED" })
    assert.deepStrictEqual(
      [failedRecord.sentAmount, failedRecord.sentTo, failedRecord.receivedAmount],
      [null, null, null]
    )
    const completedRecord = body({
      expected,
      status: "COMPLETED",
      movements: [{ ...outgoingMovement, amount: 1_400_000n }]
    })
    assert.strictEqual(completedRecord.sentAmount?.amount, "1.4")
    assert.isNull(completedRecord.swapProvider)
  })

  it("links to the first transaction on an explorer", () => {
    const block = { number: 1n, hash }
    const fields: Parameters<typeof aTransaction>[0] = {
      legs: [
        { chainId: 137, hash: null, block: null, state: "PENDING", stage: 0 },
        { chainId: 1, hash, block, state: "INCLUDED", stage: 1 }
      ]
    }
    const { transactionHash } = body(fields)
    assert.deepStrictEqual(transactionHash, {
      hash,
      explorerURL: `https://etherscan.io/tx/${hash}`,
      explorer: transactionHash!.explorer
    })
    assert.isNotNull(transactionHash!.explorer)
    const recordWithExplorer = body(fields, (chainId) => ({ name: "ours", url: `http://here/${chainId}` }))
    assert.deepStrictEqual(recordWithExplorer.transactionHash, {
      hash,
      explorerURL: `http://here/1/tx/${hash}`,
      explorer: "ours"
    })
    assert.isNull(body({}).transactionHash)
  })

  it("has no chain for a fiat party, and no token for a fiat movement", () => {
    const fiat = body({
      type: "FIAT_DEPOSIT",
      chainIdIn: null,
      chainIdOut: 137,
      legs: [],
      expected: [aMovement({ asset: { currency: "BRL" }, amount: 1_000n, counterparty: "a bank" })]
    })
    assert.isNull(fiat.sentTo)
    assert.deepStrictEqual([fiat.chainIn, fiat.chain], [null, fiat.chainOut])
    assert.isNull(fiat.sentCryptoCurrency)
    assert.deepStrictEqual([fiat.sentAmount?.amount, fiat.sentAmount?.currency], ["10", "BRL"])
    assert.isNull(fiat.transactionHash)
  })

  it("formats amounts and fees of a currency with that currency's number of digits", () => {
    for (const [currency, amount] of [
      ["USD", "10"],
      ["JPY", "1000"],
      ["KWD", "1"]
    ] as const) {
      const record = body({
        expected: [aMovement({ asset: { currency }, amount: 1_000n })],
        fees: [{ type: "PROVIDER", currency, amount: 1_000n, toAddress: null, percentage: null }]
      })
      assert.strictEqual<unknown>(record.sentAmount?.amount, amount)
      const [fee] = record.fees
      assert.deepStrictEqual<unknown>(
        [fee?.amount, fee?.currency, fee?.token, fee?.toAddress],
        [amount, currency, null, null]
      )
    }
  })

  it("links a Bitcoin transaction to an explorer by its id without 0x", () => {
    const leg = { chainId: 0, hash, block: null, state: "PENDING", stage: 0 } as const
    const { transactionHash } = body({ chainIdIn: 0, legs: [leg] })
    assert.strictEqual(transactionHash!.hash, hash)
    assert.match(transactionHash!.explorerURL!, new RegExp(`/tx/${hash.slice(2)}$`, "u"))
  })
})
