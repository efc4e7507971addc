import { Context, type Effect } from "effect"
import type { EvmChainId } from "../../foundation/chains/index.ts"
import type { Account, AccountFactoryInfo, AccountRequest } from "./Account.ts"
import type { FactoryNotSupported } from "./errors.ts"

/** Computes account addresses. They equal the addresses that the factories compute. */
export class AccountAddresses extends Context.Service<
  AccountAddresses,
  {
    readonly factories: ReadonlyArray<AccountFactoryInfo>
    readonly derive: (request: AccountRequest) => Effect.Effect<Account, FactoryNotSupported>
    /**
     * Returns whether the account is deployed, for each chain that responds. An EIP-7702 account is deployed where its
     * owner's address delegates to the account's implementation.
     */
    readonly findDeployments: (
      account: Pick<Account, "address" | "implementation" | "eip7702">
    ) => Effect.Effect<ReadonlyMap<EvmChainId, boolean>>
  }
>()("@countersign/core/wallets/AccountAddresses") {}
