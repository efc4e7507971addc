export const DOCS_PATH = "/docs"
export const OPENAPI_PATH = "/openapi.json"
export const LLMS_PATH = "/llms.txt"
export const FAVICON_PATH = "/favicon.svg"

/** Where a provider of fiat payments or verifications sends its messages. */
export const callbackPath = (provider: string) => `/callbacks/${provider}` as const
