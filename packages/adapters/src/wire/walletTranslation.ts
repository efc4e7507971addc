import { evmChainIds } from "@countersign/core/chains"
import type { WalletView } from "@countersign/core/wallets"
import { DateTime } from "effect"
import { type BaseUrl, chainBody } from "./links.ts"

const isoOrNull = (at: DateTime.Utc | null | undefined) => (at == null ? null : DateTime.formatIso(at))

/** What a smart wallet is made of; a Bitcoin wallet has none of it. */
const accountBody = (base: BaseUrl, view: WalletView) => {
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
  return {
    walletAddress: account.address,
    externallyOwnedAccount: account.owner,
    factory: account.factory,
    implementation: account.implementation,
    eip7702: account.eip7702,
    deployed: evmChainIds.map((id) => ({ chain: chainBody(base, id), deployed: deployedOn.includes(id) })),
    salt: account.salt
  }
}

export const walletBody = (base: BaseUrl, view: WalletView) => ({
  metadata: view.registration?.metadata ?? {},
  ...accountBody(base, view),
  registeredAt: isoOrNull(view.registration?.registeredAt),
  lastTransactionAt: isoOrNull(view.registration?.lastTransactionAt)
})
