import { Context, type Effect } from "effect"
import type { EvmChainId } from "../../foundation/chains/index.ts"
import type { UpstreamUnavailable } from "../../foundation/errors/index.ts"
import type { Account } from "../../wallets/registry/index.ts"

/**
 * Compares accounts with the definition of their account type. An account with changed code can pass validation in a
 * simulation and fail it in a block. The operator then pays for the failure.
 */
export class AccountInspector extends Context.Service<
  AccountInspector,
  {
    /** Describes what has changed in the account. Null if nothing has changed, or if the account is not deployed. */
    readonly changeOrNull: (chainId: EvmChainId, account: Account) => Effect.Effect<string | null, UpstreamUnavailable>
  }
>()("@countersign/core/user-operations/AccountInspector") {}
