import { Context, type Result } from "effect"
import type { BitcoinAddress, HexBytes } from "../../foundation/primitives/index.ts"

/** The output type of a mainnet address. A P2SH address does not reveal its script. */
export type BitcoinAddressKind = "P2PKH" | "P2SH" | "P2WPKH" | "P2WSH" | "P2TR"

export interface ParsedBitcoinAddress {
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
   * Base64, as wallets return it: the simple variant with or without the prefix `smp`, or the full variant with the
   * prefix `ful`.
   */
  readonly signature: string
}

export interface ProvenKey {
  /**
   * Compressed public key. Null if the proof contains none: P2TR proofs contain no key, and old P2PKH keys are
   * uncompressed.
   */
  readonly publicKey: HexBytes | null
}

/** Verifies addresses and proofs of ownership (BIP-322) without access to the chain. */
export class BitcoinProofs extends Context.Service<
  BitcoinProofs,
  {
    readonly parseAddress: (text: string) => Result.Result<ParsedBitcoinAddress, BitcoinAddressRefusal>
    /**
     * Verifies that the signer has the key of the address. Fails with a message otherwise. Supports:
     * - the full variant of BIP-322
     * - its simple variant, for P2WPKH and for the key path of P2TR
     * - legacy signatures for P2PKH, P2SH-P2WPKH and P2WPKH, with the headers of BIP-137, or with P2PKH headers as
     *   Electrum writes them
     */
    readonly check: (proof: BitcoinProof) => Result.Result<ProvenKey, string>
    /**
     * Returns the public key of an address in the format that PSBTs contain: compressed, or the internal key for P2TR.
     * Fails with a message if the key does not belong to the address. Supports P2PKH, P2SH-P2WPKH, P2WPKH, and P2TR
     * without scripts (BIP-86).
     */
    readonly keyOf: (address: BitcoinAddress, publicKey: HexBytes) => Result.Result<HexBytes, string>
  }
>()("@countersign/core/bitcoin/BitcoinProofs") {}
