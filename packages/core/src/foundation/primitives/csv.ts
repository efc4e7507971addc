/** A cell of a table. Computed values are numbers; everything else is text, which may be untrusted. */
export type Cell = { readonly number: string } | { readonly text: string }

export const textCell = (value: string | null): Cell => ({ text: value ?? "" })

/** A decimal number with an optional sign; an empty cell for null. */
export const numberCell = (value: string | null): Cell => ({ number: value ?? "" })

/** Spreadsheets interpret text with such a beginning as a formula. */
const FORMULA = /^[=+\-@\t\r]/u

const NUMBER = /^(?:-?\d+(?:\.\d+)?)?$/u

const withoutFormula = (cell: Cell): string => {
  const value = "number" in cell ? cell.number : cell.text
  return FORMULA.test(value) ? `'${value}` : value
}

/** RFC 4180. Text that could be a formula gets an apostrophe as a prefix, which spreadsheets do not show. */
const cellText = (cell: Cell): string => {
  const value = "number" in cell && NUMBER.test(cell.number) ? cell.number : withoutFormula(cell)
  return /[",\r\n]/u.test(value) ? `"${value.replaceAll('"', '""')}"` : value
}

/** Rows of a table as CSV, each ended by CRLF. */
export const csvLines = (rows: ReadonlyArray<ReadonlyArray<Cell>>): string =>
  rows.map((cells) => `${cells.map(cellText).join(",")}\r\n`).join("")

/** A table as CSV: a header line, then the rows. */
export const csv = (columns: ReadonlyArray<string>, rows: ReadonlyArray<ReadonlyArray<Cell>>): string =>
  csvLines([columns.map(textCell), ...rows])
