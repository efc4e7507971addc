import { Effect } from "effect"
import { BadRequest } from "../../foundation/errors/index.ts"
import type { Wallet } from "../../wallets/registry/index.ts"
import type { BitcoinAddressKind, BitcoinProofs, SpendableKind } from "../chain/index.ts"

type BitcoinWallet = Extract<Wallet, { readonly type: "BITCOIN" }>

const spendableKinds: Partial<Record<BitcoinAddressKind, SpendableKind>> = {
  P2PKH: "P2PKH",
  P2WPKH: "P2WPKH",
  P2TR: "P2TR"
}

/**
 * Returns the spendable type of the wallet's UTXOs. A single key must be able to spend them, because the signature size
 * of other scripts is not known in advance.
 */
export const requireSpendable = Effect.fnUntraced(function* (
  proofs: BitcoinProofs["Service"],
  { address, key, ownership }: BitcoinWallet
): Effect.fn.Return<SpendableKind, BadRequest> {
  const { kind } = yield* Effect.fromResult(proofs.parseAddress(address)).pipe(
    Effect.mapError(({ code, reason }) => BadRequest.of("walletAddress", code, reason))
  )
  // A proof or a public key shows that a P2SH address is P2SH-P2WPKH. Without them, its script is unknown.
  const spendableKind =
    kind === "P2SH" && (ownership === "PROVEN" || key !== null) ? "P2SH_P2WPKH" : spendableKinds[kind]
  if (spendableKind !== undefined) return spendableKind
  return yield* BadRequest.of(
    "walletAddress",
    "not_spendable",
    kind === "P2SH"
      ? "The script of this P2SH address is unknown, and only P2SH-P2WPKH addresses can pay. If the address is P2SH-P2WPKH, register it again with a proof or a `publicKey`."
      : `Payments from a ${kind} address are not supported, because its script may require several keys. The service only watches the address.`
  )
})
