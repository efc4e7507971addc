/** The part of a request that contains a field. */
export type Place = "body" | "query" | "path" | "headers"

/** The API path of a field, with the part of the request and list indexes: `body.operations.3.token`. */
export const wirePath = (place: Place, field: string): string =>
  field === "" ? place : `${place}.${field.replace(/\[(\d+)\]/gu, ".$1")}`
