/** The part of an HTTP request that contains a field. */
export type RequestPart = "body" | "query" | "path" | "headers"

/** Returns the path of a field in API errors, such as `body.operations.3.token`. */
export const wirePath = (requestPart: RequestPart, field: string): string =>
  field === "" ? requestPart : `${requestPart}.${field.replace(/\[(\d+)\]/gu, ".$1")}`
