import { evmChainIds } from "@countersign/core/chains"
import type { WalletView } from "@countersign/core/wallets"
import { DateTime } from "effect"
import { type BaseUrl, chainBody } from "./links.ts"

const isoOrNull = (at: DateTime.Utc | null | undefined) => (at == null ? null : DateTime.formatIso(at))

export const walletBody = (base: BaseUrl, { account, deployedOn, registration }: WalletView) => ({
  metadata: registration?.metadata ?? {},
  walletAddress: account.address,
  externallyOwnedAccount: account.owner,
  factory: account.factory,
  implementation: account.implementation,
  eip7702: account.eip7702,
  deployed: evmChainIds.map((id) => ({ chain: chainBody(base, id), deployed: deployedOn.includes(id) })),
  salt: account.salt,
  registeredAt: isoOrNull(registration?.registeredAt),
  lastTransactionAt: isoOrNull(registration?.lastTransactionAt)
})
