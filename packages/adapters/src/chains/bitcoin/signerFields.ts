import type { SigningKey } from "@countersign/core/bitcoin/chain"
import { opcodes, payments } from "bitcoinjs-lib"
import { bytesOf } from "./bytes.ts"

const P2TR_BYTES = 34

/** Builds the PSBT fields that identify the key of an input or output with this script (BIP-174, BIP-371). */
export const signerFields = (script: Uint8Array, key: SigningKey | null) => {
  if (key === null) return {}
  const pubkey = bytesOf(key.publicKey)
  const { derivation } = key
  const origin =
    derivation === null
      ? null
      : { masterFingerprint: Buffer.from(derivation.masterFingerprint, "hex"), path: derivation.path, pubkey }
  if (script.length === P2TR_BYTES && script[0] === opcodes.OP_1) {
    return {
      tapInternalKey: pubkey,
      ...(origin === null ? {} : { tapBip32Derivation: [{ ...origin, leafHashes: [] }] })
    }
  }
  return {
    ...(script[0] === opcodes.OP_HASH160 ? { redeemScript: payments.p2wpkh({ pubkey }).output! } : {}),
    ...(origin === null ? {} : { bip32Derivation: [origin] })
  }
}
