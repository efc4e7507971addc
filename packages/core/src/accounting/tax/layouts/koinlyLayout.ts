import { type Cell, csv, numberCell, textCell } from "../../../foundation/primitives/index.ts"
import type { TaxKind } from "../../tax-treatment/index.ts"
import type { TaxDataSet } from "../TaxDataSet.ts"
import { type Exchange, exchangesOf, type Flow } from "./exchanges.ts"
import { amountText, moneyText, utcText } from "./figures.ts"

const COLUMNS = [
  "Date",
  "Sent Amount",
  "Sent Currency",
  "Received Amount",
  "Received Currency",
  "Fee Amount",
  "Fee Currency",
  "Net Worth Amount",
  "Net Worth Currency",
  "Label",
  "Description",
  "TxHash"
]

/** Koinly's tags, by the purpose of a flow. Trades and external transfers have no tag. */
const tags: { readonly [Kind in TaxKind]?: Readonly<Record<Flow["direction"], string>> } = {
  INCOME: { IN: "income", OUT: "" },
  FEE: { IN: "fee refund", OUT: "cost" },
  COLLATERAL: { IN: "remove from pool", OUT: "add to pool" },
  LIQUIDITY: { IN: "remove from pool", OUT: "add to pool" },
  DEBT: { IN: "loan", OUT: "loan repayment" }
}

interface KoinlyRow {
  readonly sent: Flow | null
  readonly received: Flow | null
  readonly fee: Flow | null
  readonly label: string
}

const lineOf = (flow: Flow): KoinlyRow => ({
  sent: flow.direction === "OUT" ? flow : null,
  received: flow.direction === "IN" ? flow : null,
  fee: null,
  label: tags[flow.kind]?.[flow.direction] ?? ""
})

/**
 * Returns one line per trade and per other flow. The first line contains the first fee, unless that fee is an inflow.
 * Each other fee has its own line.
 */
const linesOf = ({ fees, others, trades }: Exchange): ReadonlyArray<KoinlyRow> => {
  const [main, ...rest] = [...trades.map((trade) => ({ ...trade, fee: null, label: "" })), ...others.map(lineOf)]
  if (main === undefined) return fees.map(lineOf)
  const isPaid = fees[0]?.direction === "OUT"
  return [{ ...main, fee: isPaid ? fees[0]! : null }, ...rest, ...fees.slice(isPaid ? 1 : 0).map(lineOf)]
}

const flowCells = (flow: Flow | null): ReadonlyArray<Cell> => [
  numberCell(flow === null ? null : amountText(flow.amount, flow.asset)),
  textCell(flow?.asset.symbol ?? null)
]

const cellsOf = (
  { first, transactionHash }: Exchange,
  { fee, label, received, sent }: KoinlyRow
): ReadonlyArray<Cell> => {
  const valueE6 = sent?.usdE6 ?? received?.usdE6 ?? null
  return [
    textCell(`${utcText(first.at)} UTC`),
    ...flowCells(sent),
    ...flowCells(received),
    ...flowCells(fee),
    numberCell(moneyText(valueE6)),
    textCell(valueE6 === null ? null : "USD"),
    textCell(label),
    textCell(first.type),
    textCell(transactionHash)
  ]
}

/** Writes Koinly's universal layout. */
export const koinlyFile = (dataSet: TaxDataSet): string =>
  csv(
    COLUMNS,
    exchangesOf(dataSet).flatMap((exchange) => linesOf(exchange).map((line) => cellsOf(exchange, line)))
  )
