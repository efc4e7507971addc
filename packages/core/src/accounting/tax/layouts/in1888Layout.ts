import { sumOrNull } from "../../portfolio/index.ts"
import type { TaxDataSet } from "../TaxDataSet.ts"
import { type Exchange, exchangesOf, type Flow, type Trade } from "./exchanges.ts"
import { amountText, localText } from "./figures.ts"

/** Record type for an exchange of one crypto-asset for another (permuta), and the code of that operation. */
const RECORD = "0210"
const OPERATION = "II"

const QUANTITY_DIGITS = 10
const MONEY_DIGITS = 2

/** Formats a decimal with a decimal comma and this number of digits after it. Rounded down. */
const decimalComma = (decimal: string, digits: number): string => {
  const [whole = "0", fraction = ""] = decimal.split(".")
  return `${whole},${fraction.slice(0, digits).padEnd(digits, "0")}`
}

/** Replaces field separators and line breaks with spaces. */
const sanitizeField = (value: string): string => value.replaceAll(/[|\p{Cc}]/gu, " ").trim()

/** Formats a date as `31122026`, in the time zone of the period. */
const dateText = (exchange: Exchange, timezone: string): string => {
  const [year, month, day] = localText(exchange.first.at, timezone).slice(0, 10).split("-")
  return `${day}${month}${year}`
}

const quantityText = ({ amount, asset }: Flow): string => decimalComma(amountText(amount, asset), QUANTITY_DIGITS)

/** Formats an amount in reais with two decimals. Rounded down. Empty if the amount is unknown. */
const reaisText = (amountE6: bigint | null): string =>
  amountE6 === null
    ? ""
    : decimalComma(`${amountE6 / 1_000_000n}.${String(amountE6 % 1_000_000n).padStart(6, "0")}`, MONEY_DIGITS)

const lineOf = (exchange: Exchange, { received, sent }: Trade, feesE6: bigint | null, timezone: string): string => {
  // The last three fields describe a centralized exchange (name, address and country). They are empty, because swaps
  // are not executed on a centralized exchange.
  const fields = [
    RECORD,
    dateText(exchange, timezone),
    OPERATION,
    reaisText(feesE6),
    sanitizeField(received.asset.symbol),
    quantityText(received),
    sanitizeField(sent.asset.symbol),
    quantityText(sent),
    "",
    "",
    ""
  ]
  return `${fields.join("|")}\r\n`
}

const isTokenTrade = ({ received, sent }: Trade): boolean =>
  received.asset.chainId !== null && sent.asset.chainId !== null

/** Returns the lines of one exchange. The first line contains the fees. */
const linesOf = (exchange: Exchange, timezone: string): ReadonlyArray<string> => {
  const feesE6 = sumOrNull(exchange.fees.map(({ brlE6 }) => brlE6))
  return exchange.trades
    .filter(isTokenTrade)
    .map((trade, index) => lineOf(exchange, trade, index === 0 ? feesE6 : 0n, timezone))
}

/**
 * Writes the trades of one token for another in the layout of Instrução Normativa RFB 1888, which applies to operations
 * until 30 June 2026. The file contains no records for other operations, such as receipts and transfers.
 */
export const in1888File = (dataSet: TaxDataSet): string =>
  exchangesOf(dataSet)
    .flatMap((exchange) => linesOf(exchange, dataSet.period.timezone))
    .join("")
