import { type Setting, settingGroups } from "@countersign/adapters/service/settings"

const WIDTH = 100
const INDENT = "    "

const wrapText = (text: string): ReadonlyArray<string> => {
  const lines: Array<string> = []
  for (const word of text.split(" ")) {
    const lastLine = lines.at(-1)
    if (lastLine === undefined || lastLine.length + 1 + word.length > WIDTH) lines.push(`${INDENT}${word}`)
    else lines[lines.length - 1] = `${lastLine} ${word}`
  }
  return lines
}

const remarks = ({ default: defaultValue, secret, unit }: Setting): string => {
  const valueText =
    defaultValue === null ? unit : ["default", defaultValue, unit].filter((word) => word !== null).join(" ")
  return [valueText, secret ? "secret" : null].filter((part) => part !== null).join(", ")
}

const entry = ([name, setting]: readonly [string, Setting]): string => {
  const remarkText = remarks(setting)
  return [`  ${name}${remarkText === "" ? "" : ` (${remarkText})`}`, ...wrapText(setting.description)].join("\n")
}

/** Formats all settings for `serve --help`. */
export const settingsHelp = (): string =>
  settingGroups.map(({ settings, title }) => [title, ...Object.entries(settings).map(entry)].join("\n")).join("\n\n")
