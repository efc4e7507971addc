export * as ListedTokenCatalog from "./ListedTokenCatalog.ts"
