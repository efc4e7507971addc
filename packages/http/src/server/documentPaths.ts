export const DOCS_PATH = "/docs"
export const OPENAPI_PATH = "/openapi.json"
export const APP_PATH = "/app"
export const FAVICON_PATH = "/favicon.svg"

/** Where providers of bank payments send their messages. */
export const CALLBACKS_PATH = "/callbacks/:provider"
