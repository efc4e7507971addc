import { Config, Effect, Option } from "effect"
import { SettingInvalid } from "./SettingInvalid.ts"

const isHttpUrl = (text: string): boolean => URL.canParse(text) && /^https?:$/u.test(new URL(text).protocol)

/** A setting that lists things, separated by commas; null where it is not set. */
const listOrNull = Effect.fnUntraced(function* (name: string, isOne: (text: string) => boolean, expected: string) {
  const text = yield* Config.option(Config.String(name))
  if (Option.isNone(text)) return null
  const parts = text.value.split(",").map((part) => part.trim())
  return parts.every(isOne) ? parts : yield* new SettingInvalid({ name, expected })
})

/** URLs may have credentials in them: they are for requests alone. */
export const urlListOrNull = (name: string) =>
  listOrNull(name, isHttpUrl, "a list of http and https URLs, separated by commas")

/** Stands for the public nodes of a chain in a list of nodes. */
const PUBLIC = "public"

/** The nodes of a chain, `public` among them replaced by these. */
export const nodeListOrNull = (name: string, publicUrls: ReadonlyArray<string>) =>
  Effect.map(
    listOrNull(
      name,
      (text) => text === PUBLIC || isHttpUrl(text),
      'a list of http and https URLs, separated by commas, or the word "public"'
    ),
    (nodes) => nodes?.flatMap((node) => (node === PUBLIC ? publicUrls : [node])) ?? null
  )

/** As a browser writes it: no path, not the protocol's own port, nothing in capitals. */
const isOrigin = (text: string): boolean => isHttpUrl(text) && new URL(text).origin === text

/** Origins of pages. A `*` is none: the holder of a key says where it may be used from. */
export const originListOrNull = (name: string) =>
  listOrNull(name, isOrigin, "a list of origins such as https://app.example.com, separated by commas")

/** A URL of its own, for http or https; null where it is not set. */
export const urlOrNull = Effect.fnUntraced(function* (name: string) {
  const text = yield* Config.option(Config.String(name))
  if (Option.isNone(text)) return null
  return isHttpUrl(text.value) ? text.value : yield* new SettingInvalid({ name, expected: "an http or https URL" })
})

const WORDS = new Map([
  ...["true", "yes", "on", "1", "y"].map((word) => [word, true] as const),
  ...["false", "no", "off", "0", "n"].map((word) => [word, false] as const)
])

/** A setting that is on or off; off where it is not set, unless it is usually on. */
export const isOn = Effect.fnUntraced(function* (name: string, usual = false) {
  const text = yield* Config.option(Config.String(name))
  if (Option.isNone(text)) return usual
  return WORDS.get(text.value.trim().toLowerCase()) ?? (yield* new SettingInvalid({ name, expected: "true or false" }))
})
