import { pathOf } from "./requestPath.ts"

/** The reference of the API, for persons and for programs: by far the largest answers. */
export const DOCS_PATH = "/docs"
export const OPENAPI_PATH = "/openapi.json"
export const FAVICON_PATH = "/favicon.svg"

/** Whether the target of a request leads to one of them, in any form of it. */
export const isDocument = (target: string): boolean => {
  const path = pathOf(target)
  return path.endsWith(DOCS_PATH) || path.endsWith(OPENAPI_PATH)
}
