import { Context, type Result } from "effect"
import type { BitcoinAddress } from "../primitives/index.ts"

/** What an address of Bitcoin's main network pays to. A P2SH address does not tell which script that is. */
export type BitcoinAddressKind = "P2PKH" | "P2SH" | "P2WPKH" | "P2WSH" | "P2TR"

export interface KnownBitcoinAddress {
  readonly address: BitcoinAddress
  readonly kind: BitcoinAddressKind
}

export interface BitcoinAddressRefusal {
  readonly code:
    | "not_bitcoin"
    | "wrong_checksum"
    | "other_network"
    | "unknown_witness_version"
    | "wrong_length"
    | "anchor"
    | "not_on_curve"
  readonly reason: string
}

export interface BitcoinProof {
  readonly address: BitcoinAddress
  readonly message: string
  /** As wallets give it: in base64, the simple form with or without its prefix `smp`. */
  readonly signature: string
}

/** What can be told of Bitcoin addresses without the chain: whether they are right, and whose they are (BIP-322). */
export class BitcoinProofs extends Context.Service<
  BitcoinProofs,
  {
    readonly read: (text: string) => Result.Result<KnownBitcoinAddress, BitcoinAddressRefusal>
    /**
     * Why a proof shows nothing; null where it shows that the signer has the key of the address. The legacy form is taken
     * for P2PKH and P2SH-P2WPKH (BIP-137), the simple form of BIP-322 for P2WPKH and for the key path of P2TR.
     */
    readonly refusal: (proof: BitcoinProof) => string | null
  }
>()("@countersign/core/bitcoin/BitcoinProofs") {}
