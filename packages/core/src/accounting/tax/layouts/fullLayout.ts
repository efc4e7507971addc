import { DateTime } from "effect"
import { type Cell, csv, numberCell, textCell } from "../../../foundation/primitives/index.ts"
import { sumOrNull } from "../../portfolio/index.ts"
import type { ByTaxCurrency, TaxBalance, TaxDataSet, TaxRow } from "../TaxDataSet.ts"
import { amountText, localText, moneyText, utcText } from "./figures.ts"

const MOVEMENT_COLUMNS = [
  "Date (UTC)",
  "Date (local)",
  "Type",
  "Role",
  "Tax Kind",
  "Chain",
  "Asset",
  "Asset Address",
  "Sent Amount",
  "Sent Currency",
  "Received Amount",
  "Received Currency",
  "Fee Amount",
  "Fee Currency",
  "Value USD",
  "Source USD",
  "Value BRL",
  "Source BRL",
  "Cost USD",
  "Gain USD",
  "Cost BRL",
  "Gain BRL",
  "Unmatched Amount",
  "Counterparty",
  "Transaction",
  "TxHash"
]

const EMPTY_CELLS = [numberCell(null), textCell(null)]

/** Returns the cells for amount and currency, in the columns for sent, received or fee. */
const amountCells = ({ amount, asset, direction, role }: TaxRow): ReadonlyArray<Cell> => {
  const cells = [numberCell(amountText(amount, asset)), textCell(asset.symbol)]
  if (direction === "IN") return [...EMPTY_CELLS, ...cells, ...EMPTY_CELLS]
  return role === "PRINCIPAL" ? [...cells, ...EMPTY_CELLS, ...EMPTY_CELLS] : [...EMPTY_CELLS, ...EMPTY_CELLS, ...cells]
}

const movementCells = (row: TaxRow, timezone: string): ReadonlyArray<Cell> => {
  const { asset, disposals, values } = row
  const money = (amountE6: bigint | null | undefined) => numberCell(moneyText(amountE6 ?? null))
  return [
    textCell(utcText(row.at)),
    textCell(localText(row.at, timezone)),
    textCell(row.type),
    textCell(row.role),
    textCell(row.kind),
    textCell(asset.chainName),
    textCell(asset.symbol),
    textCell(asset.address),
    ...amountCells(row),
    money(values.usd?.amountE6),
    textCell(values.usd?.source ?? null),
    money(values.brl?.amountE6),
    textCell(values.brl?.source ?? null),
    money(disposals?.usd.costE6),
    money(disposals?.usd.gainE6),
    money(disposals?.brl.costE6),
    money(disposals?.brl.gainE6),
    numberCell(
      disposals === null || disposals.usd.unmatched === 0n ? null : amountText(disposals.usd.unmatched, asset)
    ),
    textCell(row.counterparty),
    textCell(row.transactionId),
    textCell(row.transactionHash)
  ]
}

/** Writes the rows of the data set: movements of the period, or parts of them. */
export const movementsFile = ({ period, rows }: TaxDataSet): string =>
  csv(
    MOVEMENT_COLUMNS,
    rows.map((row) => movementCells(row, period.timezone))
  )

const BALANCE_COLUMNS = [
  "Chain",
  "Asset",
  "Asset Address",
  "Opening",
  "Received",
  "Sent",
  "Fees",
  "Gas",
  "Closing",
  "Cost USD",
  "Gain USD",
  "Cost BRL",
  "Gain BRL"
]

/** Returns the cost of all lots of an asset. Null if the cost of a lot is unknown. */
export const costsE6 = ({ lots }: TaxBalance): ByTaxCurrency<bigint | null> => ({
  usd: sumOrNull(lots.usd.map(({ costE6 }) => costE6)),
  brl: sumOrNull(lots.brl.map(({ costE6 }) => costE6))
})

const balanceCells = (balance: TaxBalance): ReadonlyArray<Cell> => {
  const { asset, closing, fees, gainsE6, gas, opening, received, sent } = balance
  const costs = costsE6(balance)
  return [
    textCell(asset.chainName),
    textCell(asset.symbol),
    textCell(asset.address),
    ...[opening, received, sent, fees, gas, closing].map((amount) => numberCell(amountText(amount, asset))),
    ...[costs.usd, gainsE6.usd, costs.brl, gainsE6.brl].map((amountE6) => numberCell(moneyText(amountE6)))
  ]
}

/**
 * Writes the balances of tokens over the period: opening and closing balance, inflows and outflows, costs and gains.
 */
export const balancesFile = ({ balances }: TaxDataSet): string => csv(BALANCE_COLUMNS, balances.map(balanceCells))

const LOT_COLUMNS = ["Chain", "Asset", "Asset Address", "Acquired (UTC)", "Amount", "Cost USD", "Cost BRL"]

/** Writes the holdings at the end of the period, by acquisition time. */
export const lotsFile = ({ balances }: TaxDataSet): string =>
  csv(
    LOT_COLUMNS,
    balances.flatMap(({ asset, lots }) =>
      lots.usd.map(({ atMs, costE6, units }, index) => [
        textCell(asset.chainName),
        textCell(asset.symbol),
        textCell(asset.address),
        textCell(utcText(DateTime.makeUnsafe(atMs))),
        numberCell(amountText(units, asset)),
        numberCell(moneyText(costE6)),
        numberCell(moneyText(lots.brl[index]?.costE6 ?? null))
      ])
    )
  )
