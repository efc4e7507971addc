import { Effect, Result } from "effect"
import { BadRequest } from "../../foundation/errors/index.ts"
import type { BitcoinAddress } from "../../foundation/primitives/index.ts"
import type { Wallet } from "../../wallets/registry/index.ts"
import type { BitcoinAddressKind, BitcoinProofs, SpendableKind } from "../chain/index.ts"

type BitcoinWallet = Extract<Wallet, { readonly type: "BITCOIN" }>

const kinds: Partial<Record<BitcoinAddressKind, SpendableKind>> = { P2PKH: "P2PKH", P2WPKH: "P2WPKH", P2TR: "P2TR" }

/** Validates an address that receives a payment. */
export const requireAddress = (
  proofs: BitcoinProofs["Service"],
  path: string,
  text: string
): Effect.Effect<{ readonly address: BitcoinAddress; readonly kind: BitcoinAddressKind }, BadRequest> =>
  Result.match(proofs.read(text), {
    onSuccess: Effect.succeed,
    onFailure: ({ code, reason }) => Effect.fail(BadRequest.of(path, code, reason))
  })

/**
 * The spending type of the wallet's UTXOs, which must be spendable by a single key. The signature size of other scripts
 * is unknown in advance.
 */
export const requireSpendable = Effect.fnUntraced(function* (
  proofs: BitcoinProofs["Service"],
  { address, key, ownership }: BitcoinWallet
): Effect.fn.Return<SpendableKind, BadRequest> {
  const { kind } = yield* requireAddress(proofs, "walletAddress", address)
  // Both a proof and a public key of a P2SH address show that it is P2SH-P2WPKH. Without them the script is unknown.
  const spendable = kind === "P2SH" && (ownership === "PROVEN" || key !== null) ? "P2SH_P2WPKH" : kinds[kind]
  if (spendable !== undefined) return spendable
  return yield* BadRequest.of(
    "walletAddress",
    "not_spendable",
    kind === "P2SH"
      ? "The script of this address is unknown. Only P2SH-P2WPKH addresses of this kind can pay. If it is P2SH-P2WPKH, register it again with a proof or a `publicKey`."
      : `An address of kind ${kind} is only watched. Its script may require several keys, so payments from it are not supported.`
  )
})
