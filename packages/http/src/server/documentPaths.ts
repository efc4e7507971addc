export const DOCS_PATH = "/docs"
export const OPENAPI_PATH = "/openapi.json"
export const LLMS_PATH = "/llms.txt"
export const FAVICON_PATH = "/favicon.svg"

/** Returns the callback path of a fiat or identity provider. */
export const callbackPath = (provider: string) => `/callbacks/${provider}` as const
