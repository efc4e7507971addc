import { Context, type Result } from "effect"
import type { BitcoinAddress, HexBytes } from "../../foundation/primitives/index.ts"

/** The output type of a mainnet address. A P2SH address does not reveal its script. */
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
  /**
   * In base64, as wallets return it: the simple form with or without the prefix `smp`, or the full form with the prefix
   * `ful`.
   */
  readonly signature: string
}

export interface ProvenKey {
  /** Compressed. Null if the proof has no such key: P2TR proofs have no key, and old P2PKH keys are uncompressed. */
  readonly publicKey: HexBytes | null
}

/** Verifies addresses and proofs of ownership (BIP-322) without access to the chain. */
export class BitcoinProofs extends Context.Service<
  BitcoinProofs,
  {
    readonly read: (text: string) => Result.Result<KnownBitcoinAddress, BitcoinAddressRefusal>
    /**
     * Verifies that the signer has the key of the address; fails with a message otherwise. Supports the full form of
     * BIP-322, its simple form for P2WPKH and for the key path of P2TR, and the legacy form for P2PKH, P2SH-P2WPKH and
     * P2WPKH (BIP-137, or with P2PKH headers as Electrum writes them).
     */
    readonly check: (proof: BitcoinProof) => Result.Result<ProvenKey, string>
    /**
     * The public key of an address as PSBTs contain it: compressed, or the internal key for P2TR. Fails with a message
     * if the key does not belong to the address. Supports P2PKH, P2SH-P2WPKH, P2WPKH, and P2TR without scripts
     * (BIP-86).
     */
    readonly keyOf: (address: BitcoinAddress, publicKey: HexBytes) => Result.Result<HexBytes, string>
  }
>()("@countersign/core/bitcoin/BitcoinProofs") {}
