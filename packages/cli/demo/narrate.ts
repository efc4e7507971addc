const isColoured = process.stdout.isTTY === true && process.env.NO_COLOR === undefined

const inStyle = (code: number) => (text: string) => (isColoured ? `\u001b[${code}m${text}\u001b[0m` : text)

export const bold = inStyle(1)
export const dim = inStyle(2)
export const green = inStyle(32)
export const red = inStyle(31)

export type Fields = ReadonlyArray<readonly [name: string, value: string]>

const INDENT = "   "

export const say = (text: string): void => console.log(text === "" ? "" : INDENT + text)

export const title = (number: number, text: string): void => console.log(`\n${bold(`${number}. ${text}`)}`)

/** Prints names and values, one pair per line. */
export const show = (fields: Fields): void => {
  const width = Math.max(...fields.map(([name]) => name.length))
  for (const [name, value] of fields) say(`  ${dim(name.padEnd(width))}  ${value}`)
}

/** Prints a request with its essential fields. */
export const showRequest = (line: string, fields: Fields = []): void => {
  say(`${green("→")} ${line}`)
  show(fields)
}

/** Prints a response. */
export const showResponse = (line: string, fields: Fields): void => {
  say(`${green("←")} ${line}`)
  show(fields)
}

/** Shortens long hexadecimal text in the middle. */
export const shorten = (text: string): string => (text.length <= 90 ? text : `${text.slice(0, 42)}…${text.slice(-8)}`)
