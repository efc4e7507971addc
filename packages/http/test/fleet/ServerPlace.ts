import type { EvmChainId } from "@countersign/core/foundation/chains"
import type { RateLimit } from "@countersign/core/tenancy/metering"

/** The assignment of a server process, which its parent sends. */
export interface ServerPlace {
  /** In BRL, for PIX deposits of identities with verified documents, in each period. Default: the service's limits. */
  readonly documentsPixLimit?: number
  readonly home: string
  readonly gatewayUrl: string
  /** The chains of the service. Default: chain 1. */
  readonly chainIds?: ReadonlyArray<EvmChainId>
  readonly paymasters: { readonly "0.7": string; readonly "0.8": string }
  readonly database:
    | { readonly _tag: "Sqlite" }
    | {
        readonly _tag: "Postgres"
        readonly url: string
        readonly isPgBouncer?: boolean
      }
  /** The rate limit of each key. Default: no limit. */
  readonly rateLimit?: RateLimit
  /** The daily budget of unpaid gas, of a project and of all projects, in US dollars. Default: the service's budget. */
  readonly unpaidGasBudgetUsd?: number
  /** How long the claim of a dead process lasts. Default: 5 seconds. */
  readonly executionLeaseSeconds?: number
}

export type FromServer = { readonly _tag: "Loaded" } | { readonly _tag: "Listening"; readonly url: string }
