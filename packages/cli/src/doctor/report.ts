import { table } from "../output/table.ts"
import type { Finding } from "./Finding.ts"

/** Width at which details are wrapped, in characters. */
const WIDTH = 100
const STATE_WIDTH = "failing".length
const SUBJECT_WIDTH_MAX = 44
const HEAD = ["WHAT", "STATE", "DETAIL"]
const LABEL_WIDTH = "by itself".length

const truncate = (text: string, width: number): string => (text.length <= width ? text : `${text.slice(0, width - 1)}…`)

/** Shortens hashes and addresses to their first and last digits. */
const shortenHashes = (text: string): string =>
  text.replaceAll(/0x([0-9a-f]{6})[0-9a-f]{28,52}([0-9a-f]{6})\b/gu, "0x$1…$2")

const wrap = (text: string, width: number): ReadonlyArray<string> => {
  const lines: Array<string> = []
  for (const word of text.split(" ")) {
    const lastLine = lines.at(-1)
    if (lastLine === undefined || lastLine.length + 1 + word.length > width) lines.push(word)
    else lines[lines.length - 1] = `${lastLine} ${word}`
  }
  return lines
}

const field = (label: string, text: string | null): ReadonlyArray<string> =>
  text === null
    ? []
    : wrap(text, WIDTH - LABEL_WIDTH - 4).map((line, i) => `  ${(i === 0 ? label : "").padEnd(LABEL_WIDTH)}  ${line}`)

const block = ({ byItself, detail, since, state, subject, waitsFor, whatToDo }: Finding): string =>
  [
    `${subject}: ${state}`,
    ...field("seen", detail),
    ...field("waits for", waitsFor),
    ...field("since", since),
    ...field("by itself", byItself),
    ...field("to do", whatToDo)
  ].join("\n")

/**
 * Formats the table of findings. In a terminal each finding is truncated to one line. `columns` is null outside of a
 * terminal.
 */
const overview = (findings: ReadonlyArray<Finding>, columns: number | null): string => {
  const rows = findings.map(({ detail, state, subject }) => [subject, state, detail] as const)
  if (columns === null) return table(HEAD, rows)
  const subjects = rows.map(([subject]) => truncate(shortenHashes(subject), SUBJECT_WIDTH_MAX))
  const detailWidth = Math.max(columns, WIDTH) - Math.max(...subjects.map(({ length }) => length)) - STATE_WIDTH - 4
  return table(
    HEAD,
    rows.map(([, state, detail], i) => [subjects[i]!, state, truncate(shortenHashes(detail), detailWidth)])
  )
}

/**
 * Formats the table of findings, followed by the details of every finding that is not ok. `columns` is the width of the
 * terminal; null outside of a terminal.
 */
export const report = (findings: ReadonlyArray<Finding>, columns: number | null): string =>
  [overview(findings, columns), ...findings.filter(({ state }) => state !== "ok").map(block)].join("\n\n")
