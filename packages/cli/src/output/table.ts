import { CliOutput } from "effect/cli"

export type Row = ReadonlyArray<string | number | null>

/**
 * Control characters that move the cursor or change the text direction. They are replaced by U+FFFD, because names and
 * reasons come from API clients.
 */
const CONTROL = /[^\P{Cc}\n]|[\u202A-\u202E\u2066-\u2069]/gu

const cellText = (cell: string | number | null): string =>
  cell === null ? "-" : String(cell).replaceAll(CONTROL, "\uFFFD")

/**
 * Formats a table without borders. Columns are as wide as their widest cell and two spaces apart. So the output works
 * with `cut` and `grep`.
 */
export const table = (head: ReadonlyArray<string>, rows: ReadonlyArray<Row>): string => {
  const lines = [head, ...rows.map((row) => row.map((cell) => cellText(cell).replaceAll("\n", " ")))]
  const widths = head.map((_, column) => Math.max(...lines.map((line) => CliOutput.displayWidth(line[column] ?? ""))))
  return lines
    .map((line) =>
      line
        .map((cell, column) => cell + " ".repeat(Math.max(0, (widths[column] ?? 0) - CliOutput.displayWidth(cell))))
        .join("  ")
        .trimEnd()
    )
    .join("\n")
}

export const tableOrHint = (head: ReadonlyArray<string>, rows: ReadonlyArray<Row>, hint: string): string =>
  rows.length === 0 ? hint : table(head, rows)

/** Formats one line per chain that did not respond. Empty if all chains responded. */
export const unreadChains = (
  unread: ReadonlyArray<{ readonly chain: { readonly name: string }; readonly reason: string }>
): string => unread.map(({ chain, reason }) => `\n${chain.name} could not be read: ${reason}`).join("")

export type CardRow = readonly [name: string, value: string | number | null]

/** Formats names and values as rows. */
export const card = (fields: ReadonlyArray<CardRow>): string => {
  const width = Math.max(...fields.map(([name]) => name.length))
  return fields.map(([name, value]) => `${name.padEnd(width)}  ${cellText(value)}`).join("\n")
}
