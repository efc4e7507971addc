/** A cell of a table. Computed values are numbers. All other values are text, which may be untrusted. */
export type Cell = { readonly number: string } | { readonly text: string }

export const textCell = (value: string | null): Cell => ({ text: value ?? "" })

/** A decimal number with an optional sign; an empty cell for null. */
export const numberCell = (value: string | null): Cell => ({ number: value ?? "" })

/**
 * The beginnings of cells that a spreadsheet runs as a formula. With a decimal comma, a spreadsheet also splits lines
 * at semicolons, and removes quotes. So a new cell can begin within a text. Some versions also accept the full-width
 * signs.
 */
const FORMULA = /((?:^|[;\t\r\n])(?:"|[^\S\t\r\n])*)(?=[=+\-@＝＋－＠])/gu

const NUMBER = /^(?:-?\d+(?:\.\d+)?)?$/u

const withoutFormula = (cell: Cell): string => {
  const value = "number" in cell ? cell.number : cell.text
  return value.replaceAll(FORMULA, "$1'")
}

/** RFC 4180. An apostrophe before a sign disables a formula. Spreadsheets hide it at the beginning of a cell. */
const cellText = (cell: Cell): string => {
  const value = "number" in cell && NUMBER.test(cell.number) ? cell.number : withoutFormula(cell)
  return /[",\r\n]/u.test(value) ? `"${value.replaceAll('"', '""')}"` : value
}

/** Rows of a table as CSV, each ended by CRLF. */
export const csvLines = (rows: ReadonlyArray<ReadonlyArray<Cell>>): string =>
  rows.map((cells) => `${cells.map(cellText).join(",")}\r\n`).join("")

/** A table as CSV: a header line, followed by the rows. */
export const csv = (columns: ReadonlyArray<string>, rows: ReadonlyArray<ReadonlyArray<Cell>>): string =>
  csvLines([columns.map(textCell), ...rows])
