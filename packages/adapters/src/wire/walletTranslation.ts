import { evmChainIds, type ServedChains } from "@countersign/core/chains"
import { BadRequest } from "@countersign/core/errors"
import type { Address } from "@countersign/core/primitives"
import type { AccountRequest, WalletView } from "@countersign/core/wallets"
import { DateTime, Effect } from "effect"
import { type BaseUrl, chainBody } from "./links.ts"

const isoOrNull = (at: DateTime.Utc | null | undefined) => (at == null ? null : DateTime.formatIso(at))

/** The account of a smart wallet; a Bitcoin wallet has none. */
const accountBody = (base: BaseUrl, served: ServedChains, view: WalletView) => {
  if (view.type === "BITCOIN") {
    return {
      walletAddress: view.address,
      externallyOwnedAccount: null,
      factory: null,
      implementation: null,
      eip7702: false,
      deployed: [],
      salt: null
    }
  }
  const { account, deployedOn } = view
  const servedIds = served.ids()
  // Of other chains it is not known where the account is not.
  const shownIds = evmChainIds.filter((id) => servedIds.includes(id) || deployedOn.includes(id))
  return {
    walletAddress: account.address,
    externallyOwnedAccount: account.owner,
    factory: account.factory,
    implementation: account.implementation,
    eip7702: account.eip7702,
    deployed: shownIds.map((id) => ({ chain: chainBody(base, id), deployed: deployedOn.includes(id) })),
    salt: account.salt
  }
}

export const walletBody = (base: BaseUrl, served: ServedChains, view: WalletView) => ({
  metadata: view.registration?.metadata ?? {},
  ...accountBody(base, served, view),
  registeredAt: isoOrNull(view.registration?.registeredAt),
  lastTransactionAt: isoOrNull(view.registration?.lastTransactionAt)
})

/** The account that a request names. */
export const accountRequestOf = (query: {
  readonly externallyOwnedAccount: Address
  readonly factory: Address
  readonly salt?: number
  readonly eip7702: boolean
}): Effect.Effect<AccountRequest, BadRequest> =>
  query.eip7702 && query.salt !== undefined
    ? BadRequest.of(
        "salt",
        "salt_with_eip7702",
        "An EIP-7702 wallet is the owner's own address and has no salt. Leave salt out, or eip7702."
      )
    : Effect.succeed({
        owner: query.externallyOwnedAccount,
        factory: query.factory,
        salt: query.salt ?? 0,
        eip7702: query.eip7702
      })
