import { Context, type Effect } from "effect"
import type { EvmChainId } from "../../foundation/chains/index.ts"
import type { UpstreamUnavailable } from "../../foundation/errors/index.ts"
import type { Account } from "../../wallets/registry/index.ts"

/**
 * Compares accounts with the definition of their kind. An upgraded account can pass its validation in a simulation and
 * fail it in a block, where the operator pays for it.
 */
export class AccountInspector extends Context.Service<
  AccountInspector,
  {
    /** The changed part of the account, as text; null for none, and if it is not deployed. */
    readonly changeOrNull: (chainId: EvmChainId, account: Account) => Effect.Effect<string | null, UpstreamUnavailable>
  }
>()("@countersign/core/user-operations/AccountInspector") {}
