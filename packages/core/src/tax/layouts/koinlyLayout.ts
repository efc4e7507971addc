import { type Cell, csv, numberCell, textCell } from "../../primitives/index.ts"
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

/** Koinly's word for what was spent and nothing got for it. */
const COST = "cost"

interface Line {
  readonly sent: Flow | null
  readonly received: Flow | null
  readonly fee: Flow | null
  readonly label: string
}

/**
 * A line holds one asset of each kind. One sent for one received is a trade; of anything else each asset is a line of its
 * own. The first fee goes with the first line, and what is left of fees are costs.
 */
const linesOf = ({ fees, received, sent }: Exchange): ReadonlyArray<Line> => {
  const isTrade = sent.length === 1 && received.length === 1
  const mains: ReadonlyArray<Line> = isTrade
    ? [{ sent: sent[0]!, received: received[0]!, fee: null, label: "" }]
    : [
        ...sent.map((flow) => ({ sent: flow, received: null, fee: null, label: "" })),
        ...received.map((flow) => ({ sent: null, received: flow, fee: null, label: "" }))
      ]
  const [main, ...others] = mains
  const [fee = null] = main === undefined ? [] : fees
  const costs = (main === undefined ? fees : fees.slice(1)).map((flow) => ({
    sent: flow,
    received: null,
    fee: null,
    label: COST
  }))
  return [...(main === undefined ? [] : [{ ...main, fee }]), ...others, ...costs]
}

const flowCells = (flow: Flow | null): ReadonlyArray<Cell> => [
  numberCell(flow === null ? null : amountText(flow.amount, flow.asset)),
  textCell(flow?.asset.symbol ?? null)
]

const cellsOf = ({ first }: Exchange, { fee, label, received, sent }: Line): ReadonlyArray<Cell> => {
  const worthE6 = sent?.usdE6 ?? received?.usdE6 ?? null
  return [
    textCell(`${utcText(first.at)} UTC`),
    ...flowCells(sent),
    ...flowCells(received),
    ...flowCells(fee),
    numberCell(moneyText(worthE6)),
    textCell(worthE6 === null ? null : "USD"),
    textCell(label),
    textCell(first.type),
    textCell(first.transactionHash)
  ]
}

/** Koinly's universal layout. */
export const koinlyFile = (dataSet: TaxDataSet): string =>
  csv(
    COLUMNS,
    exchangesOf(dataSet).flatMap((exchange) => linesOf(exchange).map((line) => cellsOf(exchange, line)))
  )
