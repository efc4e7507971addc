import { CHECKED } from "./checkedFields.ts"

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null

const patternsIn = (value: unknown, pattern: string): ReadonlyArray<string> => {
  if (CHECKED.has(isObject(value) ? `${pattern}.*` : pattern)) return []
  if (Array.isArray(value)) return value.flatMap((item) => patternsIn(item, `${pattern}[]`))
  if (!isObject(value)) return [pattern]
  return Object.entries(value).flatMap(([name, item]) => patternsIn(item, pattern === "" ? name : `${pattern}.${name}`))
}

/** Returns the quote fields that the verifier does not check. */
export const uncheckedFieldsOf = (quote: object): ReadonlyArray<string> => [...new Set(patternsIn(quote, ""))]
