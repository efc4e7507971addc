export const DOCS_PATH = "/docs"
export const OPENAPI_PATH = "/openapi.json"
export const APP_PATH = "/app"
export const FAVICON_PATH = "/favicon.svg"
