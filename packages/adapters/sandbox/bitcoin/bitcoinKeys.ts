import { createHash } from "node:crypto"
import * as secp256k1 from "@bitcoinerlab/secp256k1"
import { BitcoinAddress, type HexBytes } from "@countersign/core/foundation/primitives"
import { initEccLib, networks, payments } from "bitcoinjs-lib"
import { hexOf } from "../../src/chains/bitcoin/bytes.ts"

export type BitcoinKeyKind = "P2PKH" | "P2SH_P2WPKH" | "P2WPKH" | "P2TR"

/** The key of a demonstration wallet. The key is public, so never send mainnet bitcoins to its address. */
export interface BitcoinKey {
  readonly kind: BitcoinKeyKind
  readonly address: BitcoinAddress
  readonly privateKey: HexBytes
  /** Compressed public key; for P2TR, the internal key. */
  readonly publicKey: HexBytes
}

const { bitcoin: network } = networks

const addressOf = (kind: BitcoinKeyKind, pubkey: Uint8Array): string | undefined => {
  switch (kind) {
    case "P2PKH":
      return payments.p2pkh({ pubkey, network }).address
    case "P2SH_P2WPKH":
      return payments.p2sh({ redeem: payments.p2wpkh({ pubkey, network }), network }).address
    case "P2WPKH":
      return payments.p2wpkh({ pubkey, network }).address
    case "P2TR":
      return payments.p2tr({ internalPubkey: pubkey.slice(1), network }).address
  }
}

const keyOf = (kind: BitcoinKeyKind, name: string = kind): BitcoinKey => {
  const privateKey = Uint8Array.from(createHash("sha256").update(`countersign sandbox ${name}`).digest())
  const pubkey = secp256k1.pointFromScalar(privateKey, true)!
  const address = BitcoinAddress.make(addressOf(kind, pubkey)!)
  return { kind, address, privateKey: hexOf(privateKey), publicKey: hexOf(kind === "P2TR" ? pubkey.slice(1) : pubkey) }
}

/** Returns one key per address type that supports payments and a proof of ownership. */
export const sandboxBitcoinKeys = (): ReadonlyArray<BitcoinKey> => {
  initEccLib(secp256k1)
  return (["P2PKH", "P2SH_P2WPKH", "P2WPKH", "P2TR"] as const).map((kind) => keyOf(kind))
}

/**
 * Returns the keys of the two wallets in the examples of the API reference: one pays, and the other has a pending
 * payment. One wallet would not suffice, because its payment would spend the change of its pending payment, and both
 * would be mined. The demonstration wallets are not used.
 */
export const exampleBitcoinKeys = (): { readonly paying: BitcoinKey; readonly waiting: BitcoinKey } => {
  initEccLib(secp256k1)
  return { paying: keyOf("P2WPKH", "example that pays"), waiting: keyOf("P2WPKH", "example that waits") }
}
