import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { dataSetOf } from "./dataSetOf.ts"
import { amountText, moneyText } from "./layouts/figures.ts"
import { taxFiles } from "./layouts/taxFiles.ts"
import { periodOf } from "./Period.ts"
import { aTaxFixture, ETH, EVIL, layerNoPrices, tokenMovement, USDC } from "./taxHistory.fixture.ts"

const october = periodOf("2026-10", "America/Sao_Paulo")
const november = periodOf("2026-11", "America/Sao_Paulo")
const ALL = ["full", "koinly", "in1888"] as const

/**
 * Creates a history: two deposits and a transfer in September, a swap and a deposit in October, and a transfer in
 * November. The months are those of São Paulo.
 */
const makeFixture = () => {
  const taxFixture = aTaxFixture()
  taxFixture.add("2026-09-01T12:00:00Z", "CRYPTO_DEPOSIT", tokenMovement("IN", "1", ETH, "1000"))
  taxFixture.add("2026-09-02T12:00:00Z", "CRYPTO_DEPOSIT", tokenMovement("IN", "1", ETH))
  taxFixture.add(
    "2026-10-01T02:59:59.999Z",
    "TRANSFER",
    tokenMovement("OUT", "0.5", ETH, "800"),
    tokenMovement("OUT", "0.1", ETH, "160", "GAS")
  )
  taxFixture.add(
    "2026-10-01T03:00:00Z",
    "SWAP",
    tokenMovement("OUT", "1", ETH, "2200"),
    tokenMovement("IN", "2189", USDC, "2189"),
    tokenMovement("OUT", "11", USDC, "11", "FEE"),
    tokenMovement("OUT", "0.01", ETH, "22", "GAS")
  )
  taxFixture.add("2026-11-01T02:59:59.999Z", "CRYPTO_DEPOSIT", tokenMovement("IN", "3", EVIL))
  taxFixture.add("2026-11-01T03:00:00Z", "TRANSFER", tokenMovement("OUT", "1", USDC, "1"))
  return taxFixture
}

describe("dataSetOf", () => {
  it.effect("contains the movements of its month, with costs from the lots of all earlier months", () => {
    const { account, layer, projectId } = makeFixture()
    return Effect.gen(function* () {
      const { balances, rows } = yield* dataSetOf(projectId, account, october)
      assert.deepStrictEqual(
        rows.map(({ amount, asset, disposals, role, values }) => [
          role,
          asset.symbol,
          amountText(amount, asset),
          moneyText(values.usd?.amountE6 ?? null),
          moneyText(values.brl?.amountE6 ?? null),
          moneyText(disposals?.usd.gainE6 ?? null),
          moneyText(disposals?.brl.gainE6 ?? null)
        ]),
        [
          // Cost: 0.4 ETH from the first lot ($400), and 0.6 ETH from the second lot, which the source values at $2,000
          // per ETH ($1,200).
          ["PRINCIPAL", "ETH", "1", "2200", "11000", "600", "3000"],
          ["PRINCIPAL", "USDC", "2189", "2189", "10945", null, null],
          ["FEE", "USDC", "11", "11", "55", "0", "0"],
          ["GAS", "ETH", "0.01", "22", "110", "2", "10"],
          ["PRINCIPAL", EVIL.symbol, "3", null, null, null, null]
        ]
      )
      assert.deepStrictEqual(
        rows.map(({ values }) => [values.usd?.source ?? null, values.brl?.source ?? null]),
        [...Array.from({ length: 4 }, () => ["recorded", "test-rates"]), [null, null]]
      )
      assert.strictEqual(rows[0]?.transactionHash, `0x${"4".padStart(64, "0")}`)
      assert.deepStrictEqual(
        balances.map((balance) => [
          balance.asset.symbol,
          ...(["opening", "received", "sent", "fees", "gas", "closing"] as const).map((part) =>
            amountText(balance[part], balance.asset)
          ),
          moneyText(balance.gainsE6.usd)
        ]),
        [
          [EVIL.symbol, "0", "3", "0", "0", "0", "3", "0"],
          ["ETH", "1.4", "0", "1", "0", "0.01", "0.39", "602"],
          ["USDC", "0", "2189", "0", "11", "0", "2178", "0"]
        ]
      )
    }).pipe(Effect.provide(layer))
  })

  it.effect("ends a month with the lots with which the next month starts", () => {
    const { account, layer, projectId } = makeFixture()
    return Effect.gen(function* () {
      const [first, next] = [
        yield* dataSetOf(projectId, account, october),
        yield* dataSetOf(projectId, account, november)
      ]
      assert.deepStrictEqual(
        next.balances.map(({ asset, opening }) => [asset.key, opening]),
        first.balances.map(({ asset, closing }) => [asset.key, closing])
      )
    }).pipe(Effect.provide(layer))
  })

  it.effect("returns the same result when it is repeated, also after later movements", () => {
    const { account, add, layer, projectId } = makeFixture()
    const files = Effect.map(dataSetOf(projectId, account, october), (dataSet) => taxFiles(dataSet, ALL))
    return Effect.gen(function* () {
      const filesBefore = yield* files
      add("2026-12-01T00:00:00Z", "TRANSFER", tokenMovement("OUT", "0.1", ETH, "1"))
      assert.deepStrictEqual(yield* files, filesBefore)
      assert.isTrue(filesBefore.every(({ content }) => content.length > 0))
    }).pipe(Effect.provide(layer))
  })

  it.effect("fails if a price source does not respond, instead of omitting values", () => {
    const { account, layer, projectId } = makeFixture()
    return Effect.gen(function* () {
      const error = yield* Effect.flip(dataSetOf(projectId, account, october))
      assert.strictEqual(error._tag, "UPSTREAM_UNAVAILABLE")
    }).pipe(Effect.provide(Layer.mergeAll(layer, layerNoPrices)))
  })

  it.effect("reports outflows without an inflow", () => {
    const { account, add, layer, projectId } = aTaxFixture()
    add("2026-10-02T00:00:00Z", "TRANSFER", tokenMovement("OUT", "5", USDC, "5"))
    return Effect.gen(function* () {
      const { balances, rows } = yield* dataSetOf(projectId, account, october)
      assert.strictEqual(balances[0]?.closing, -5_000_000n)
      assert.deepStrictEqual(rows[0]?.disposals?.usd, { costE6: 5_000_000n, gainE6: 0n, unmatched: 5_000_000n })
    }).pipe(Effect.provide(layer))
  })

  it.effect("reads a history of many pages", () => {
    const { account, add, layer, projectId } = aTaxFixture()
    for (let index = 0; index < 2_500; index++) {
      add(`2026-${index < 1_200 ? "09" : "10"}-10T00:00:00.000Z`, "CRYPTO_DEPOSIT", tokenMovement("IN", "1", USDC, "1"))
    }
    return Effect.gen(function* () {
      const { balances, rows } = yield* dataSetOf(projectId, account, october)
      assert.strictEqual(rows.length, 1_300)
      assert.strictEqual(balances[0]?.closing, 2_500_000_000n)
    }).pipe(Effect.provide(layer))
  })

  it.effect("is empty for a wallet without transactions", () => {
    const { account, layer, projectId } = aTaxFixture()
    return Effect.gen(function* () {
      const dataSet = yield* dataSetOf(projectId, account, october)
      assert.deepStrictEqual([dataSet.rows, dataSet.balances], [[], []])
      assert.deepStrictEqual(
        taxFiles(dataSet, ALL).map(({ content }) => content.split("\r\n").length),
        [2, 2, 2, 2, 1]
      )
    }).pipe(Effect.provide(layer))
  })
})
