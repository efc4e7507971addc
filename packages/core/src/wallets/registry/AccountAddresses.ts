import { Context, type Effect } from "effect"
import type { EvmChainId } from "../../foundation/chains/index.ts"
import type { Address } from "../../foundation/primitives/index.ts"
import type { Account, AccountFactoryInfo, AccountRequest } from "./Account.ts"
import type { FactoryNotSupported } from "./errors.ts"

/** Computes account addresses. They equal the addresses that the factories compute. */
export class AccountAddresses extends Context.Service<
  AccountAddresses,
  {
    readonly factories: ReadonlyArray<AccountFactoryInfo>
    readonly derive: (request: AccountRequest) => Effect.Effect<Account, FactoryNotSupported>
    /** Returns the chains on which the address has code. Omits chains that do not respond. */
    readonly findDeployments: (address: Address) => Effect.Effect<ReadonlyArray<EvmChainId>>
  }
>()("@countersign/core/wallets/AccountAddresses") {}
