import type { EvmChainId } from "@countersign/core/foundation/chains"
import type { RateLimit } from "@countersign/core/tenancy/metering"

/** The assignment that a server process gets from its parent. */
export interface ServerAssignment {
  /**
   * Limit of PIX deposits in BRL for identities with verified documents, the same for each period. Default: the
   * service's limits.
   */
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
  /** Rate limit per key. Default: no limit. */
  readonly rateLimit?: RateLimit
  /** Daily budget of unpaid gas in US dollars, both per project and for all projects. Default: the service's budget. */
  readonly unpaidGasBudgetUsd?: number
  /** Seconds until the claim of a dead process expires. Default: 5. */
  readonly executionLeaseSeconds?: number
}

export type ServerMessage = { readonly _tag: "Loaded" } | { readonly _tag: "Listening"; readonly url: string }
