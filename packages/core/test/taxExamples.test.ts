import { readFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { type Movement, type Transaction, TransactionType } from "../src/accounting/history/index.ts"
import { dataSetOf } from "../src/accounting/tax/dataSetOf.ts"
import { taxFiles } from "../src/accounting/tax/layouts/taxFiles.ts"
import { periodOf } from "../src/accounting/tax/Period.ts"
import {
  aTaxFixture,
  DAI,
  ETH,
  tokenMovement,
  USDC,
  USDC_ON_BASE,
  WETH
} from "../src/accounting/tax/taxHistory.fixture.ts"
import { Address } from "../src/foundation/primitives/index.ts"
import { batchDetails } from "../src/trading/batch/index.ts"
import { lendingDetails } from "../src/trading/lending/index.ts"
import { positionDetails } from "../src/trading/liquidity/index.ts"

/** Tests the worked examples in `docs/tax.md`. Each export of an example's history must match the document. */

const document = readFileSync(join(import.meta.dirname, "../../../docs/tax.md"), "utf8")

/** The sections of the document, by title. */
const sections = new Map(
  document
    .split(/^### /mu)
    .slice(1)
    .map((text) => {
      const [title = "", ...lines] = text.split("\n")
      return [title, lines.join("\n")] as const
    })
)

const month = periodOf("2026-05", "America/Sao_Paulo")

const tokens = new Map([ETH, WETH, DAI, USDC].map((token) => [token.symbol, token]))
const tokenOf = (name: string) => (name === "USDC (Base)" ? USDC_ON_BASE : tokens.get(name))

const POOL = Address.make(`0x${"1".repeat(40)}`)
const FRIEND = Address.make(`0x${"2".repeat(40)}`)

type Row = Readonly<Record<string, string>>

/** Returns the rows of a Markdown table, each keyed by column name. */
const rowsOf = (table: string): ReadonlyArray<Row> => {
  const cellsOf = (line: string) =>
    line
      .slice(1, -1)
      .split("|")
      .map((cell) => cell.trim())
  const [headLine = "", , ...lines] = table.split("\n")
  const names = cellsOf(headLine)
  return lines.map((line) => Object.fromEntries(cellsOf(line).map((cell, index) => [names[index]!, cell])))
}

const tableOf = (names: ReadonlyArray<string>, rows: ReadonlyArray<Row>): string =>
  [names, names.map(() => "---"), ...rows.map((row) => names.map((name) => row[name] ?? ""))]
    .map((cells) => `| ${cells.join(" | ")} |`)
    .join("\n")

const blocksOf = (text: string): ReadonlyArray<string> =>
  [...text.matchAll(/^(?:\|.*\|\n)+|^```\w+\n[^`]*```$/gmu)].map(([block]) => block.trim())

const loan = lendingDetails.of({
  provider: "LENDING_PROVIDER_A",
  marketId: null,
  healthFactorBefore: null,
  healthFactorAfter: null,
  repaid: null
})

const position = { manager: POOL, tokenId: "7", positionId: "7" }

/** Returns the details of a transaction of this type. */
const detailsOf = (type: Transaction["type"], wallet: Address): Transaction["details"] => {
  if (type === "LENDING_LIQUIDATION") {
    const repaidAmount = { token: USDC.address, amount: 850_000_000n }
    return lendingDetails.of({ ...lendingDetails.in({ details: loan })!, repaid: repaidAmount })
  }
  if (type.startsWith("LENDING_")) return loan
  if (type === "LIQUIDITY_WITHDRAW") {
    const withdrawnDetails = { shareE18: 5n * 10n ** 17n, earnedE18: 2n * 10n ** 16n }
    return positionDetails.of({ ...position, withdrawn: withdrawnDetails })
  }
  if (type.startsWith("LIQUIDITY_")) return positionDetails.of(position)
  if (type !== "BATCH") return {}
  return batchDetails.of([
    { type: "transfer", token: USDC.address, amount: 900_000_000n, toAddress: FRIEND },
    {
      type: "swap",
      tokenIn: USDC.address,
      amountIn: 100_000_000n,
      tokenOut: WETH.address,
      amountOut: 33_300_000_000_000_000n,
      toAddress: wallet,
      payers: [POOL]
    }
  ])
}

const isType = (text: string): text is Transaction["type"] => TransactionType.literals.some((type) => type === text)

/** Returns the exports of a wallet whose history is in the table. */
const exportsOf = (table: string) =>
  Effect.suspend(() => {
    const fixture = aTaxFixture()
    const ownWallet = fixture.addWallet()
    const counterparties = new Map([
      ["friend", FRIEND],
      ["own wallet", ownWallet],
      ["", POOL]
    ])
    const movementFromRow = (row: Row): Partial<Movement> => {
      const token = tokenOf(row.Asset!)
      const direction = row.Direction as Movement["direction"]
      const counterparty = counterparties.get(row.Counterparty ?? "")!
      const leg = token?.chainId === 8453 ? 1 : 0
      const account = row.Wallet === "own wallet" ? ownWallet : fixture.account
      const commonFields = { counterparty: row.Wallet === "own wallet" ? fixture.account : counterparty, account }
      if (token === undefined) {
        return {
          ...commonFields,
          direction,
          role: "PRINCIPAL",
          asset: { currency: row.Asset! as "BRL" },
          amount: BigInt(row.Amount!.replace(".", "")),
          usd: null,
          leg: null
        }
      }
      const usd = row["Value USD"] === "" ? null : row["Value USD"]!
      return {
        ...commonFields,
        ...tokenMovement(direction, row.Amount!, token, usd, row.Role as Movement["role"]),
        leg
      }
    }
    const groups = Map.groupBy(rowsOf(table), ({ Date: date, Type }) => `${date} ${Type}`)
    for (const rows of groups.values()) {
      const { Date: date = "", Type: type = "" } = rows[0]!
      if (!isType(type)) throw new Error(`Unknown type of transaction: ${type}`)
      fixture.addWith(
        { details: detailsOf(type, fixture.account) },
        `${date}T12:00:00Z`,
        type,
        ...rows.map(movementFromRow)
      )
    }
    return Effect.map(dataSetOf(fixture.projectId, fixture.account, month), (dataSet) =>
      taxFiles(dataSet, ["full", "koinly", "in1888"])
    ).pipe(Effect.provide(fixture.layer))
  })

const csvRowsOf = (content: string): ReadonlyArray<Row> => {
  const [head = "", ...lines] = content.split("\r\n").filter((line) => line !== "")
  const names = head.split(",")
  return lines.map((line) => Object.fromEntries(line.split(",").map((cell, index) => [names[index]!, cell])))
}

const MOVEMENT_COLUMNS = ["Tax kind", "Asset", "Amount", "Value USD", "Cost USD", "Gain USD", "Value BRL", "Gain BRL"]
const LOT_COLUMNS = ["Asset", "Acquired", "Amount", "Cost USD", "Cost BRL"]

const assetNameOf = (row: Row): string => (row.Chain === "Base" ? `${row.Asset} (Base)` : row.Asset!)

const movementsTableOf = (content: string): string =>
  tableOf(
    MOVEMENT_COLUMNS,
    csvRowsOf(content).map((row) => ({
      ...row,
      "Tax kind": row["Tax Kind"]!,
      Asset: assetNameOf(row),
      Amount: row["Received Amount"] ? `+${row["Received Amount"]}` : `-${row["Sent Amount"] || row["Fee Amount"]}`
    }))
  )

const lotsTableOf = (content: string): string =>
  tableOf(
    LOT_COLUMNS,
    csvRowsOf(content).map((row) => ({
      ...row,
      Asset: assetNameOf(row),
      Acquired: row["Acquired (UTC)"]!.slice(0, 10)
    }))
  )

const codeBlockOf = (language: string, content: string): string =>
  [`\`\`\`${language}`, ...content.split("\r\n").filter((line) => line !== ""), "```"].join("\n")

describe("docs/tax.md", () => {
  it("contains an example of every transaction type", () => {
    assert.deepStrictEqual(
      TransactionType.literals.filter((type) => ![...sections.values()].some((text) => text.includes(`| ${type} |`))),
      []
    )
  })

  it.effect.each([...sections.keys()])("%s", (title) =>
    Effect.gen(function* () {
      const [history = "", ...writtenBlocks] = blocksOf(sections.get(title)!)
      const files = yield* exportsOf(history)
      const contentOf = (name: string) => files.find((file) => file.name.endsWith(name))!.content
      const koinly = contentOf("koinly.csv").split("\r\n").slice(1).join("\r\n")
      const in1888 = contentOf("in1888.txt")
      const expected = [
        movementsTableOf(contentOf("movements.csv")),
        lotsTableOf(contentOf("lots.csv")),
        codeBlockOf("csv", koinly.replaceAll(/0x0*(\d+)/gu, "0x$1")),
        ...(in1888 === "" ? [] : [codeBlockOf("text", in1888)])
      ]
      for (const balance of csvRowsOf(contentOf("balances.csv"))) {
        const isSameToken = (row: Row) => row["Asset Address"] === balance["Asset Address"]
        const heldLots = csvRowsOf(contentOf("lots.csv"))
          .filter(isSameToken)
          .reduce((sum, { Amount }) => sum + Number(Amount), 0)
        assert.approximately(heldLots, Math.max(0, Number(balance.Closing)), 1e-9, `lots of ${balance.Asset}`)
      }
      assert.deepStrictEqual(writtenBlocks.join("\n\n"), expected.join("\n\n"))
    })
  )
})
