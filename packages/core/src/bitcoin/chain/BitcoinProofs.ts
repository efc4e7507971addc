import { Context, type Result } from "effect"
import type { BitcoinAddress, HexBytes } from "../../foundation/primitives/index.ts"

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
  /** As wallets give it: in base64, the simple form with or without its prefix `smp`, the full form with its prefix `ful`. */
  readonly signature: string
}

export interface ProvenKey {
  /** Compressed. Null if the proof does not contain it: a proof for P2TR contains no key, and old P2PKH keys are uncompressed. */
  readonly publicKey: HexBytes | null
}

/** What can be told of Bitcoin addresses without the chain: whether they are right, and whose they are (BIP-322). */
export class BitcoinProofs extends Context.Service<
  BitcoinProofs,
  {
    readonly read: (text: string) => Result.Result<KnownBitcoinAddress, BitcoinAddressRefusal>
    /**
     * Whether the signer has the key of the address; fails with a sentence if the proof does not show it. Takes the full
     * form of BIP-322, its simple form for P2WPKH and for the key path of P2TR, and the legacy form for P2PKH, P2SH-P2WPKH and P2WPKH
     * (BIP-137, or with the headers of P2PKH as Electrum writes them).
     */
    readonly check: (proof: BitcoinProof) => Result.Result<ProvenKey, string>
    /**
     * The form in which PSBTs name the public key of an address: compressed, or of P2TR the internal key. Fails with a sentence if
     * the address is not the one of this key: P2PKH, P2SH-P2WPKH, P2WPKH, or P2TR without scripts (BIP-86).
     */
    readonly keyOf: (address: BitcoinAddress, publicKey: HexBytes) => Result.Result<HexBytes, string>
  }
>()("@countersign/core/bitcoin/BitcoinProofs") {}
