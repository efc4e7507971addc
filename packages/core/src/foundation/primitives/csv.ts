/** A cell of a table. What is computed here is a number; everything else is text, which may come from anywhere. */
export type Cell = { readonly number: string } | { readonly text: string }

export const textCell = (value: string | null): Cell => ({ text: value ?? "" })

/** A decimal number, with a sign at most; an empty cell for null. */
export const numberCell = (value: string | null): Cell => ({ number: value ?? "" })

/** A spreadsheet takes a text that begins so for a formula, and runs it. */
const FORMULA = /^[=+\-@\t\r]/u

const NUMBER = /^(?:-?\d+(?:\.\d+)?)?$/u

const withoutFormula = (cell: Cell): string => {
  const value = "number" in cell ? cell.number : cell.text
  return FORMULA.test(value) ? `'${value}` : value
}

/** RFC 4180. A text that could be a formula begins with an apostrophe, which spreadsheets do not show. */
const cellText = (cell: Cell): string => {
  const value = "number" in cell && NUMBER.test(cell.number) ? cell.number : withoutFormula(cell)
  return /[",\r\n]/u.test(value) ? `"${value.replaceAll('"', '""')}"` : value
}

/** Rows of a table as CSV, each ended by CR and LF. */
export const csvLines = (rows: ReadonlyArray<ReadonlyArray<Cell>>): string =>
  rows.map((cells) => `${cells.map(cellText).join(",")}\r\n`).join("")

/** A table as CSV: a line of names, then the rows. */
export const csv = (columns: ReadonlyArray<string>, rows: ReadonlyArray<ReadonlyArray<Cell>>): string =>
  csvLines([columns.map(textCell), ...rows])
