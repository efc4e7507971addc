import { evmChainIds } from "@countersign/core/foundation/chains"
import { type RequestProblem, suggestWord } from "@countersign/core/foundation/errors"
import { Predicate } from "effect"
import { PER_CHAIN, type Setting, settings } from "../settings/index.ts"

/** An option of the library that is also a setting of a server. */

interface SettingOption {
  /** Name of the environment variable. */
  readonly name: string
  readonly setting: Setting
}

const nameForChain = (text: string, id: number) => text.replace(PER_CHAIN, String(id))

/** Options by their paths, with slashes. */
const optionsByPath: ReadonlyMap<string, SettingOption> = new Map(
  Object.entries<Setting>(settings).flatMap(([name, setting]): ReadonlyArray<readonly [string, SettingOption]> => {
    const { option } = setting
    if (option === null) return []
    if (!name.endsWith(PER_CHAIN)) return [[option, { name, setting }]]
    return evmChainIds.map((id) => [nameForChain(option, id), { name: nameForChain(name, id), setting }])
  })
)

const groupPaths: ReadonlySet<string> = new Set(
  [...optionsByPath.keys()].flatMap((path) => {
    const names = path.split("/")
    return names.slice(1).map((_, i) => names.slice(0, i + 1).join("/"))
  })
)

const pathsBySetting: ReadonlyMap<string, string> = new Map(
  [...optionsByPath].map(([path, { name }]) => [name, path.replaceAll("/", ".")])
)

/** Returns the path of the option for a setting, as messages show it. */
export const optionOf = (setting: string): string => pathsBySetting.get(setting) ?? setting

/** Replaces the names of settings in a text by the paths of options. */
export const replaceSettingNames = (text: string): string =>
  text.replaceAll(/\b[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+\b/gu, optionOf)

const paths = [...optionsByPath.keys(), ...groupPaths]
const nameOf = (path: string): string => path.slice(path.lastIndexOf("/") + 1)
const groupOf = (path: string): string => path.slice(0, path.lastIndexOf("/") + 1)

const unknownOptionMessage = (path: string, otherOptionNames: ReadonlyArray<string>): string => {
  if (/^chains\/[^/]*$/u.test(path)) return `Expected the id of a supported chain: ${evmChainIds.join(", ")}`
  const siblings = paths.filter((other) => groupOf(other) === groupOf(path)).map(nameOf)
  const name = nameOf(path)
  const suggestion = suggestWord(name, [...siblings, ...otherOptionNames]) ?? suggestWord(name, paths.map(nameOf))
  return suggestion === null ? "There is no such option." : `There is no such option. Did you mean ${suggestion}?`
}

export interface SettingTexts {
  /** The options as environment variables of a server. */
  readonly environment: Readonly<Record<string, string>>
  readonly problems: ReadonlyArray<RequestProblem>
}

/** Converts the options that are settings to text. `otherOptionNames` contains the names of options that are not settings. */
export const settingTexts = (options: object, otherOptionNames: ReadonlyArray<string>): SettingTexts => {
  const environment: Record<string, string> = {}
  const problems: Array<RequestProblem> = []
  const addProblem = (path: string, code: string, message: string) =>
    problems.push({ path: path.replaceAll("/", "."), code, message })
  const walk = (values: object, parentPath: string) => {
    for (const [key, value] of Object.entries(values)) {
      const path = `${parentPath}${key}`
      const option = optionsByPath.get(path)
      if (value === undefined || (parentPath === "" && otherOptionNames.includes(key))) continue
      if (option !== undefined) {
        const { expected, parse, textOf } = option.setting.form
        const text = textOf(value)
        if (text === undefined || parse(text) === undefined)
          addProblem(path, "invalid", `Expected ${replaceSettingNames(expected)}`)
        else environment[option.name] = text
      } else if (!groupPaths.has(path)) addProblem(path, "unknown_field", unknownOptionMessage(path, otherOptionNames))
      else if (Predicate.isObject(value)) walk(value, `${path}/`)
      else addProblem(path, "invalid", "Expected an object")
    }
  }
  walk(options, "")
  return { environment, problems }
}
