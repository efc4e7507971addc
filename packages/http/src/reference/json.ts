/** A JSON value in the OpenAPI document. */
export type Json = unknown
export type Node = { [key: string]: Json }

export const isNode = (value: Json): value is Node =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** Applies `change` to each object in the value, innermost first. */
export const mapNodes = (value: Json, change: (node: Node) => Json): Json => {
  if (Array.isArray(value)) return value.map((each) => mapNodes(each, change))
  if (!isNode(value)) return value
  return change(Object.fromEntries(Object.entries(value).map(([key, each]) => [key, mapNodes(each, change)])))
}

const REF = "#/components/schemas/"

/** Returns the name of the schema that a node refers to; null if the node is not a reference. */
export const refOf = (node: Json): string | null =>
  isNode(node) && typeof node.$ref === "string" && node.$ref.startsWith(REF) ? node.$ref.slice(REF.length) : null

export const refTo = (name: string): { readonly $ref: string } => ({ $ref: `${REF}${name}` })
