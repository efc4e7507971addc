import type { EvmChainId } from "@countersign/core/foundation/chains"
import type { Hash32 } from "@countersign/core/foundation/primitives"
import type { SignData } from "@countersign/core/foundation/signing"
import type { BookedOrder, LimitOrderIntent } from "@countersign/core/operations/intents"
import type { Account } from "@countersign/core/wallets/registry"
import { DateTime } from "effect"
import { appDataHash } from "./appData.ts"
import { digestOf, orderTypedData, orderUid, type SellOrder, safeMessageOf } from "./gpv2Order.ts"

export interface OrderTerms {
  readonly account: Account
  readonly chainId: EvmChainId
  readonly scheme: BookedOrder["scheme"]
  /** Expiry in Unix seconds. */
  readonly validTo: number
  readonly appDataText: string
  readonly order: Omit<SellOrder, "validTo" | "appData">
}

const schemes = {
  // The key of the address signs, so no contract verifies the signature.
  SIMPLE_7702: "EIP712",
  SAFE_4337: "EIP1271",
  // The account's contract verifies only signatures of user operations.
  SIMPLE_0_7: "PRESIGN",
  SIMPLE_0_8: "PRESIGN"
} as const satisfies { readonly [K in Account["kind"]]: BookedOrder["scheme"] }

/** Returns how an account authorizes its orders. */
export const schemeOf = ({ kind }: Account): BookedOrder["scheme"] => schemes[kind]

const signDataOf = (
  { account, chainId, scheme }: OrderTerms,
  hash: Hash32,
  typedData: BookedOrder["typedData"]
): ReadonlyArray<SignData> => {
  switch (scheme) {
    case "EIP712":
      return [{ type: "LIMIT_ORDER", method: "eth_signTypedData_v4", hash, typedData }]
    case "EIP1271":
      return [safeMessageOf(chainId, account.address, hash)]
    case "PRESIGN":
      return []
  }
}

/** Builds the order and the data that its owner signs. */
export const limitIntent = (terms: OrderTerms): LimitOrderIntent => {
  const { account, appDataText, chainId, order, scheme, validTo } = terms
  const typedData = orderTypedData(chainId, { ...order, validTo, appData: appDataHash(appDataText) })
  const digest = digestOf(typedData)
  return {
    type: "LIMIT_ORDER",
    chainId,
    uid: orderUid(digest, account.address, validTo),
    signer: account.owner,
    validTo: DateTime.makeUnsafe(validTo * 1_000),
    order: { owner: account.address, scheme, typedData, appData: appDataText },
    signData: signDataOf(terms, digest, typedData)
  }
}
