/** Where a server process of the kill test works: what its parent tells it. */
export interface ServerPlace {
  readonly home: string
  readonly gatewayUrl: string
  readonly paymasters: { readonly "0.7": string; readonly "0.8": string }
  readonly database: { readonly _tag: "Sqlite" } | { readonly _tag: "Postgres"; readonly url: string }
}

export type FromServer = { readonly _tag: "Loaded" } | { readonly _tag: "Listening"; readonly url: string }
