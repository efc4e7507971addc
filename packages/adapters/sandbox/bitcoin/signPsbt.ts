import * as secp256k1 from "@bitcoinerlab/secp256k1"
import type { HexBytes } from "@countersign/core/foundation/primitives"
import { crypto, initEccLib, networks, Psbt, type Signer } from "bitcoinjs-lib"
import { bytesOf, hexOf } from "../../src/chains/bitcoin/bytes.ts"
import type { BitcoinKey } from "./bitcoinKeys.ts"

const signerOf = (key: Uint8Array): Signer => ({
  publicKey: secp256k1.pointFromScalar(key, true)!,
  sign: (hash) => secp256k1.sign(hash, key),
  signSchnorr: (hash) => secp256k1.signSchnorr(hash, key)
})

/** Computes the tweaked private key of an output without scripts (BIP-341, BIP-86). */
export const tweakedKey = (key: Uint8Array): Uint8Array => {
  const publicKey = secp256k1.pointFromScalar(key, true)!
  const evenKey = publicKey[0] === 3 ? secp256k1.privateNegate(key) : key
  return secp256k1.privateAdd(evenKey, crypto.taggedHash("TapTweak", publicKey.slice(1)))!
}

/** Signs all inputs as the owner of a demonstration wallet. Returns the final transaction. */
export const signPsbt = ({ kind, privateKey }: BitcoinKey, psbt: HexBytes): HexBytes => {
  initEccLib(secp256k1)
  const key = bytesOf(privateKey)
  const signedPsbt = Psbt.fromBuffer(bytesOf(psbt), { network: networks.bitcoin })
  signedPsbt.signAllInputs(signerOf(kind === "P2TR" ? tweakedKey(key) : key))
  return hexOf(signedPsbt.finalizeAllInputs().extractTransaction(true).toBuffer())
}
