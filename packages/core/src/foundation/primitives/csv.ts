/** A cell of a table. Computed values are numbers. All other values are text, and may be untrusted. */
export type Cell = { readonly number: string } | { readonly text: string }

export const textCell = (value: string | null): Cell => ({ text: value ?? "" })

/** Creates a cell with a decimal number and an optional sign. Null becomes an empty cell. */
export const numberCell = (value: string | null): Cell => ({ number: value ?? "" })

/**
 * Matches the start of a cell that a spreadsheet would run as a formula. With a decimal comma, a spreadsheet also
 * splits lines at semicolons and removes quotes, so a new cell can start within a text. Some versions also accept
 * full-width signs.
 */
const FORMULA = /((?:^|[;\t\r\n])(?:"|[^\S\t\r\n])*)(?=[=+\-@＝＋－＠])/gu

const NUMBER = /^(?:-?\d+(?:\.\d+)?)?$/u

const withoutFormula = (cell: Cell): string => {
  const value = "number" in cell ? cell.number : cell.text
  return value.replaceAll(FORMULA, "$1'")
}

/**
 * Formats a cell (RFC 4180). An apostrophe before a sign prevents the evaluation of a formula. Spreadsheets hide it at
 * the start of a cell.
 */
const cellText = (cell: Cell): string => {
  const value = "number" in cell && NUMBER.test(cell.number) ? cell.number : withoutFormula(cell)
  return /[",\r\n]/u.test(value) ? `"${value.replaceAll('"', '""')}"` : value
}

/** Formats rows of a table as CSV. Each row ends with CRLF. */
export const csvLines = (rows: ReadonlyArray<ReadonlyArray<Cell>>): string =>
  rows.map((cells) => `${cells.map(cellText).join(",")}\r\n`).join("")

/** Formats a table as CSV: a header line, followed by the rows. */
export const csv = (columns: ReadonlyArray<string>, rows: ReadonlyArray<ReadonlyArray<Cell>>): string =>
  csvLines([columns.map(textCell), ...rows])
