import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { dataSetOf } from "../dataSetOf.ts"
import { periodOf } from "../Period.ts"
import { aTaxFixture, ETH, EVIL, tokenMovement, USDC } from "../taxHistory.fixture.ts"
import { type TaxLayout, taxFiles } from "./taxFiles.ts"

const october = periodOf("2026-10", "America/Sao_Paulo")

const contentOf = (fixture: ReturnType<typeof aTaxFixture>, layout: TaxLayout, name: string) =>
  Effect.map(
    dataSetOf(fixture.projectId, fixture.account, october),
    (dataSet) => taxFiles(dataSet, [layout]).find((file) => file.name.endsWith(name))!.content
  ).pipe(Effect.provide(fixture.layer))

const hash = (index: number) => `0x${String(index).padStart(64, "0")}`

/**
 * Creates a swap, a deposit, a transfer that pays gas in the transferred token, an operation that costs only gas, and a
 * liquidity deposit.
 */
const makeFixture = () => {
  const taxFixture = aTaxFixture()
  taxFixture.add(
    "2026-10-05T12:34:56.789Z",
    "SWAP",
    tokenMovement("OUT", "1", ETH, "2200"),
    tokenMovement("IN", "2189", USDC, "2189"),
    tokenMovement("OUT", "11", USDC, "11", "FEE"),
    tokenMovement("OUT", "0.01", ETH, "22", "GAS")
  )
  taxFixture.add("2026-10-06T02:00:00Z", "CRYPTO_DEPOSIT", tokenMovement("IN", "0.25", EVIL))
  taxFixture.add(
    "2026-10-07T00:00:00Z",
    "TRANSFER",
    tokenMovement("OUT", "5", USDC, "5"),
    tokenMovement("OUT", "0.5", USDC, "0.5", "GAS")
  )
  taxFixture.add("2026-10-08T00:00:00Z", "LIMIT_ORDER_CANCEL", tokenMovement("OUT", "0.001", ETH, "2", "GAS"))
  taxFixture.add(
    "2026-10-09T00:00:00Z",
    "LIQUIDITY_ADD",
    tokenMovement("OUT", "2", USDC, "2"),
    tokenMovement("OUT", "0.1", ETH, "200")
  )
  return taxFixture
}

describe("layouts", () => {
  it.effect("write koinly: one line per trade, one per other asset, and remaining fees as costs", () =>
    Effect.gen(function* () {
      const lines = (yield* contentOf(makeFixture(), "koinly", "koinly.csv")).split("\r\n")
      assert.deepStrictEqual(lines, [
        "Date,Sent Amount,Sent Currency,Received Amount,Received Currency,Fee Amount,Fee Currency,Net Worth Amount,Net Worth Currency,Label,Description,TxHash",
        `2026-10-05 12:34:56 UTC,1,ETH,2189,USDC,11,USDC,2200,USD,,SWAP,${hash(1)}`,
        `2026-10-05 12:34:56 UTC,0.01,ETH,,,,,22,USD,cost,SWAP,${hash(1)}`,
        `2026-10-06 02:00:00 UTC,,,0.25,"'=HYPERLINK(""https://evil.example"")",,,,,,CRYPTO_DEPOSIT,${hash(2)}`,
        `2026-10-07 00:00:00 UTC,5,USDC,,,0.5,USDC,5,USD,,TRANSFER,${hash(3)}`,
        `2026-10-08 00:00:00 UTC,0.001,ETH,,,,,2,USD,cost,LIMIT_ORDER_CANCEL,${hash(4)}`,
        `2026-10-09 00:00:00 UTC,2,USDC,,,,,2,USD,add to pool,LIQUIDITY_ADD,${hash(5)}`,
        `2026-10-09 00:00:00 UTC,0.1,ETH,,,,,200,USD,add to pool,LIQUIDITY_ADD,${hash(5)}`,
        ""
      ])
    })
  )

  it.effect("write in1888: a record 0210 per exchange of one token for another, with the date in the time zone", () =>
    Effect.gen(function* () {
      const taxFixture = aTaxFixture()
      taxFixture.add(
        "2026-10-06T01:00:00Z",
        "SWAP",
        tokenMovement("OUT", "1.123456789012", ETH, "2200"),
        tokenMovement("IN", "2189.5", USDC, "2189.5"),
        tokenMovement("OUT", "0.01", ETH, "22.999", "GAS")
      )
      taxFixture.add("2026-10-07T00:00:00Z", "CRYPTO_DEPOSIT", tokenMovement("IN", "1", ETH))
      assert.strictEqual(
        yield* contentOf(taxFixture, "in1888", "in1888.txt"),
        "0210|05102026|II|114,99|USDC|2189,5000000000|ETH|1,1234567890|||\r\n"
      )
    })
  )

  it.effect("write full: every movement with values, sources, cost and gain", () =>
    Effect.gen(function* () {
      const [, first] = (yield* contentOf(makeFixture(), "full", "movements.csv")).split("\r\n")
      const cells = first!.split(",")
      assert.deepStrictEqual(cells.slice(0, 14), [
        "2026-10-05 12:34:56",
        "2026-10-05 09:34:56",
        "SWAP",
        "PRINCIPAL",
        "DISPOSAL",
        "Ethereum",
        "ETH",
        ETH.address,
        "1",
        "ETH",
        "",
        "",
        "",
        ""
      ])
      // The inflow was not recorded, so the token counts as bought at the price of the outflow.
      assert.deepStrictEqual(cells.slice(14, 23), [
        "2200",
        "recorded",
        "11000",
        "test-rates",
        "2200",
        "0",
        "11000",
        "0",
        "1"
      ])
      assert.strictEqual(cells.at(-1), hash(1))
    })
  )
})
