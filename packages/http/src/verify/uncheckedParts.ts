import { CHECKED, UNCHECKED_IN_LIMIT_ORDERS } from "./checkedFields.ts"

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null

const patternsIn = (
  value: unknown,
  pattern: string,
  isChecked: (pattern: string) => boolean
): ReadonlyArray<string> => {
  if (isChecked(isObject(value) ? `${pattern}.*` : pattern)) return []
  if (Array.isArray(value)) return value.flatMap((item) => patternsIn(item, `${pattern}[]`, isChecked))
  if (!isObject(value)) return [pattern]
  return Object.entries(value).flatMap(([name, item]) =>
    patternsIn(item, pattern === "" ? name : `${pattern}.${name}`, isChecked)
  )
}

/** Returns the quote fields that the verifier does not check. */
export const uncheckedFieldsOf = (quote: { readonly type?: string }): ReadonlyArray<string> => {
  const isOrder = quote.type === "LIMIT_ORDER"
  return [
    ...new Set(
      patternsIn(quote, "", (pattern) => CHECKED.has(pattern) && !(isOrder && UNCHECKED_IN_LIMIT_ORDERS.has(pattern)))
    )
  ]
}
