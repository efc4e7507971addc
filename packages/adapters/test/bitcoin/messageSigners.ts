import { createHash } from "node:crypto"
import * as secp256k1 from "@bitcoinerlab/secp256k1"
import { BitcoinAddress } from "@countersign/core/foundation/primitives"
import { p2pkh, p2sh, p2tr, p2wpkh, RawWitness, Script, type SigHash, Transaction, utils } from "@scure/btc-signer"
import { ECPairFactory } from "ecpair"

/** Signs messages as wallets do, with libraries that the service does not use to verify them. */
export interface MessageSigner {
  readonly kind: "P2PKH" | "P2SH" | "P2WPKH" | "P2TR"
  readonly address: BitcoinAddress
  /** The public key in the API's format: compressed, in hexadecimal with 0x. For P2TR, the internal key. */
  readonly publicKey: string
  /**
   * Returns signatures in base64. The header of a legacy signature contains a recovery id, which this signer does not
   * compute. So it returns a signature for each of the four ids.
   */
  readonly sign: (message: string, sighash?: SigHash) => ReadonlyArray<string>
  /** Returns lists of signatures in other formats. A list in a legacy format has one entry for each recovery id. */
  readonly otherForms: (message: string) => ReadonlyArray<ReadonlyArray<string>>
}

const sha256 = (...parts: ReadonlyArray<Uint8Array>) => createHash("sha256").update(Buffer.concat(parts)).digest()

const messageHash = (message: string) => {
  const tag = sha256(Buffer.from("BIP0322-signed-message"))
  return sha256(tag, tag, Buffer.from(message))
}

const uncheckedOptions = { version: 0, allowUnknownInputs: true, allowUnknownOutputs: true, disableScriptCheck: true }

const signSimple = (
  privateKey: Uint8Array,
  payment: { readonly script: Uint8Array; readonly tapInternalKey?: Uint8Array },
  message: string,
  sighash?: SigHash
): string => {
  const spentTransaction = new Transaction(uncheckedOptions)
  const finalScriptSig = Script.encode(["OP_0", messageHash(message)])
  // The outputs are added first, because no output can be added after the input is finalized.
  spentTransaction.addOutput({ script: payment.script, amount: 0n })
  spentTransaction.addInput({ txid: new Uint8Array(32), index: 0xffff_ffff, sequence: 0, finalScriptSig })
  const signedTransaction = new Transaction(uncheckedOptions)
  signedTransaction.addInput({
    txid: spentTransaction.id,
    index: 0,
    sequence: 0,
    witnessUtxo: { script: payment.script, amount: 0n },
    ...(payment.tapInternalKey === undefined ? {} : { tapInternalKey: payment.tapInternalKey }),
    ...(sighash === undefined ? {} : { sighashType: sighash })
  })
  signedTransaction.addOutput({ script: Script.encode(["RETURN"]), amount: 0n })
  signedTransaction.signIdx(privateKey, 0, sighash === undefined ? undefined : [sighash])
  signedTransaction.finalize()
  return Buffer.from(RawWitness.encode(signedTransaction.getInput(0).finalScriptWitness!)).toString("base64")
}

/** Signs in the full format of BIP-322 for P2SH-P2WPKH: the complete transaction, with the redeem script. */
const signFull = (privateKey: Uint8Array, message: string): string => {
  const key = secp256k1.pointFromScalar(privateKey, true)!
  const nestedPayment = p2sh(p2wpkh(key))
  const spentTransaction = new Transaction(uncheckedOptions)
  const finalScriptSig = Script.encode(["OP_0", messageHash(message)])
  spentTransaction.addOutput({ script: nestedPayment.script, amount: 0n })
  spentTransaction.addInput({ txid: new Uint8Array(32), index: 0xffff_ffff, sequence: 0, finalScriptSig })
  const signedTransaction = new Transaction(uncheckedOptions)
  const witnessUtxo = { script: nestedPayment.script, amount: 0n }
  signedTransaction.addInput({
    txid: spentTransaction.id,
    index: 0,
    sequence: 0,
    witnessUtxo,
    redeemScript: nestedPayment.redeemScript!
  })
  signedTransaction.addOutput({ script: Script.encode(["RETURN"]), amount: 0n })
  signedTransaction.signIdx(privateKey, 0)
  signedTransaction.finalize()
  return `ful${Buffer.from(signedTransaction.extract()).toString("base64")}`
}

const signLegacy = (privateKey: Uint8Array, message: string, firstHeader: number): ReadonlyArray<string> => {
  const text = Buffer.from(message)
  const size =
    text.length < 0xfd ? Buffer.from([text.length]) : Buffer.from([0xfd, text.length & 0xff, text.length >> 8])
  const hash = sha256(sha256(Buffer.from("\u0018Bitcoin Signed Message:\n"), size, text))
  const signature = ECPairFactory(secp256k1).fromPrivateKey(privateKey).sign(hash)
  return [0, 1, 2, 3].map((id) => Buffer.concat([Buffer.from([firstHeader + id]), signature]).toString("base64"))
}

/** Returns a signer for each address type whose ownership can be proved. All signers have the same key. */
export const messageSigners = (privateKey: Uint8Array): ReadonlyArray<MessageSigner> => {
  const key = secp256k1.pointFromScalar(privateKey, true)!
  const [legacyPayment, nestedPayment, segwitPayment] = [p2pkh(key), p2sh(p2wpkh(key)), p2wpkh(key)]
  const taprootPayment = p2tr(utils.pubSchnorr(privateKey))
  const addressOf = (payment: { readonly address?: string }) => BitcoinAddress.make(payment.address!)
  const publicKey = `0x${Buffer.from(key).toString("hex")}`
  return [
    {
      kind: "P2PKH",
      address: addressOf(legacyPayment),
      publicKey,
      sign: (message) => signLegacy(privateKey, message, 31),
      otherForms: () => []
    },
    {
      kind: "P2SH",
      address: addressOf(nestedPayment),
      publicKey,
      sign: (message) => signLegacy(privateKey, message, 35),
      // The full format of BIP-322, and Electrum's format.
      otherForms: (message) => [[signFull(privateKey, message)], signLegacy(privateKey, message, 31)]
    },
    {
      kind: "P2WPKH",
      address: addressOf(segwitPayment),
      publicKey,
      sign: (message, sighash) => [signSimple(privateKey, segwitPayment, message, sighash)],
      // Electrum's format and Sparrow's format.
      otherForms: (message) => [signLegacy(privateKey, message, 31), signLegacy(privateKey, message, 39)]
    },
    {
      kind: "P2TR",
      address: addressOf(taprootPayment),
      publicKey: `0x${publicKey.slice(4)}`,
      sign: (message, sighash) => [signSimple(privateKey, taprootPayment, message, sighash)],
      otherForms: () => []
    }
  ]
}
