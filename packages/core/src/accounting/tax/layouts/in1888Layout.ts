import { sumOrNull } from "../../portfolio/index.ts"
import type { TaxDataSet } from "../TaxDataSet.ts"
import { type Exchange, exchangesOf, type Flow, type Trade } from "./exchanges.ts"
import { amountText, localText } from "./figures.ts"

/** Record of an exchange of one crypto-asset for another (permuta), and the code of that operation. */
const RECORD = "0210"
const OPERATION = "II"

const QUANTITY_DIGITS = 10
const MONEY_DIGITS = 2

/** A decimal with a decimal comma and this number of digits after it, rounded down. */
const decimalComma = (decimal: string, digits: number): string => {
  const [whole = "0", fraction = ""] = decimal.split(".")
  return `${whole},${fraction.slice(0, digits).padEnd(digits, "0")}`
}

/** Removes field separators and line breaks. */
const field = (value: string): string => value.replaceAll(/[|\p{Cc}]/gu, " ").trim()

/** `31122026`, in the zone of the period. */
const dateText = (exchange: Exchange, timezone: string): string => {
  const [year, month, day] = localText(exchange.first.at, timezone).slice(0, 10).split("-")
  return `${day}${month}${year}`
}

const quantity = ({ amount, asset }: Flow): string => decimalComma(amountText(amount, asset), QUANTITY_DIGITS)

/** In reais with two decimals, rounded down; empty if the amount is unknown. */
const reais = (amountE6: bigint | null): string =>
  amountE6 === null
    ? ""
    : decimalComma(`${amountE6 / 1_000_000n}.${String(amountE6 % 1_000_000n).padStart(6, "0")}`, MONEY_DIGITS)

const lineOf = (exchange: Exchange, { received, sent }: Trade, feesE6: bigint | null, timezone: string): string => {
  // No centralized exchange takes part: its name, address and country stay empty.
  const fields = [
    RECORD,
    dateText(exchange, timezone),
    OPERATION,
    reais(feesE6),
    field(received.asset.symbol),
    quantity(received),
    field(sent.asset.symbol),
    quantity(sent),
    "",
    "",
    ""
  ]
  return `${fields.join("|")}\r\n`
}

const isOfTokens = ({ received, sent }: Trade): boolean =>
  received.asset.chainId !== null && sent.asset.chainId !== null

/** The lines of one exchange. The fees are in the first line. */
const linesOf = (exchange: Exchange, timezone: string): ReadonlyArray<string> => {
  const feesE6 = sumOrNull(exchange.fees.map(({ brlE6 }) => brlE6))
  return exchange.trades
    .filter(isOfTokens)
    .map((trade, place) => lineOf(exchange, trade, place === 0 ? feesE6 : 0n, timezone))
}

/**
 * The exchanges of one token for another in the layout of Instrução Normativa RFB 1888, which applies to operations
 * until 30 June 2026. This file has no records for receipts and transfers.
 */
export const in1888File = (dataSet: TaxDataSet): string =>
  exchangesOf(dataSet)
    .flatMap((exchange) => linesOf(exchange, dataSet.period.timezone))
    .join("")
