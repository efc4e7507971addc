/** The part of a request that a field came in. */
export type Place = "body" | "query" | "path" | "headers"

/** A field as the API names it: with its place, and an item of a list by its number: `body.operations.3.token`. */
export const wirePath = (place: Place, field: string): string =>
  field === "" ? place : `${place}.${field.replace(/\[(\d+)\]/gu, ".$1")}`
