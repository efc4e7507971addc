import * as secp256k1 from "@bitcoinerlab/secp256k1"
import { initEccLib, payments, script, Transaction } from "bitcoinjs-lib"
import { bytesOf } from "../../src/chains/bitcoin/bytes.ts"
import { legacyHash, messageTransactions } from "../../src/chains/bitcoin/messageHash.ts"
import type { BitcoinKey } from "./bitcoinKeys.ts"
import { tweakedKey } from "./signPsbt.ts"

/** First byte of a legacy signature (BIP-137), to which the recovery id is added. */
const LEGACY_HEADER = { P2PKH: 31, P2SH_P2WPKH: 35 } as const

const legacySignature = (kind: keyof typeof LEGACY_HEADER, key: Uint8Array, message: string): Uint8Array => {
  const { recoveryId, signature } = secp256k1.signRecoverable(legacyHash(message), key)
  return Uint8Array.from([LEGACY_HEADER[kind] + recoveryId, ...signature])
}

/** Serializes the elements of a witness. Each element must have fewer than 253 bytes. */
const encodeWitness = (witness: ReadonlyArray<Uint8Array>): Uint8Array =>
  Uint8Array.from([witness.length, ...witness.flatMap((element) => [element.length, ...element])])

const segwitSignature = (key: Uint8Array, message: string): Uint8Array => {
  const pubkey = secp256k1.pointFromScalar(key, true)!
  const { toSign } = messageTransactions(message, payments.p2wpkh({ pubkey }).output!)
  const hash = toSign.hashForWitnessV0(0, payments.p2pkh({ pubkey }).output!, 0n, Transaction.SIGHASH_ALL)
  return encodeWitness([script.signature.encode(secp256k1.sign(hash, key), Transaction.SIGHASH_ALL), pubkey])
}

const taprootSignature = (key: Uint8Array, message: string): Uint8Array => {
  const challenge = payments.p2tr({ internalPubkey: secp256k1.pointFromScalar(key, true)!.slice(1) }).output!
  const { toSign } = messageTransactions(message, challenge)
  const hash = toSign.hashForWitnessV1(0, [challenge], [0n], Transaction.SIGHASH_DEFAULT)
  return encodeWitness([secp256k1.signSchnorr(hash, tweakedKey(key))])
}

/**
 * Signs a message as a demonstration wallet. Returns base64: a BIP-322 simple signature, or a legacy signature for
 * addresses that start with 1 or 3.
 */
export const signMessage = ({ kind, privateKey }: BitcoinKey, message: string): string => {
  initEccLib(secp256k1)
  const key = bytesOf(privateKey)
  const signature = {
    P2PKH: () => legacySignature("P2PKH", key, message),
    P2SH_P2WPKH: () => legacySignature("P2SH_P2WPKH", key, message),
    P2WPKH: () => segwitSignature(key, message),
    P2TR: () => taprootSignature(key, message)
  }[kind]()
  return Buffer.from(signature).toString("base64")
}
