import type { EvmChainId } from "@countersign/core/foundation/chains"
import type { RateLimit } from "@countersign/core/tenancy/metering"

/** Where a server process works: what its parent tells it. */
export interface ServerPlace {
  /** In reais, of each period of deposits by PIX, of identities whose documents were looked at; as everybody's when not given. */
  readonly documentsPixLimit?: number
  readonly home: string
  readonly gatewayUrl: string
  /** The chains that are served; chain 1 when not given. */
  readonly chainIds?: ReadonlyArray<EvmChainId>
  readonly paymasters: { readonly "0.7": string; readonly "0.8": string }
  readonly database: { readonly _tag: "Sqlite" } | { readonly _tag: "Postgres"; readonly url: string }
  /** Requests of each key in a window; none when not given. */
  readonly rateLimit?: RateLimit
  /** The daily budget of unpaid gas, of a project and of all projects, in US dollars; the default if absent. */
  readonly unpaidGasBudgetUsd?: number
  /** How long an operation stays claimed by a process that died; 5 seconds when not given. */
  readonly followLeaseSeconds?: number
}

export type FromServer = { readonly _tag: "Loaded" } | { readonly _tag: "Listening"; readonly url: string }
