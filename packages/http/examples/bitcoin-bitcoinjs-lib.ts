/**
 * Payments from P2WPKH and P2TR addresses, signed with `bitcoinjs-lib`.
 *
 * It runs against `npm start`. COUNTERSIGN_URL, COUNTERSIGN_API_KEY and COUNTERSIGN_HOME select another sandbox.
 */
import { randomBytes } from "node:crypto"
import * as secp256k1 from "@bitcoinerlab/secp256k1"
import { crypto, initEccLib, opcodes, Psbt, payments, type Signer, script, Transaction } from "bitcoinjs-lib"
import { type BitcoinWallet, payFrom } from "./support/bitcoinPayments.ts"

initEccLib(secp256k1)

const signerOf = (key: Uint8Array): Signer => ({
  publicKey: secp256k1.pointFromScalar(key, true)!,
  sign: (hash) => secp256k1.sign(hash, key),
  signSchnorr: (hash) => secp256k1.signSchnorr(hash, key)
})

/** Builds the transaction that BIP-322's simple format signs. It spends an output to the address. */
const messageTransaction = (message: string, output: Uint8Array): Transaction => {
  const tag = crypto.sha256(Buffer.from("BIP0322-signed-message"))
  const hash = crypto.sha256(Buffer.concat([tag, tag, Buffer.from(message)]))
  const toSpend = new Transaction()
  toSpend.version = 0
  toSpend.addInput(new Uint8Array(32), 0xffff_ffff, 0, script.compile([opcodes.OP_0!, hash]))
  toSpend.addOutput(output, 0n)
  const toSign = new Transaction()
  toSign.version = 0
  toSign.addInput(toSpend.getHash(), 0, 0)
  toSign.addOutput(script.compile([opcodes.OP_RETURN!]), 0n)
  return toSign
}

const witnessText = (witness: ReadonlyArray<Uint8Array>): string =>
  Buffer.from([witness.length, ...witness.flatMap((element) => [element.length, ...element])]).toString("base64")

const hexOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString("hex")

const signWith = (signer: Signer) => (psbtBase64: string) =>
  Psbt.fromBase64(psbtBase64).signAllInputs(signer).finalizeAllInputs().extractTransaction().toHex()

/** Creates a wallet with a P2WPKH address (bc1q…). */
const segwitWallet = (key: Uint8Array): BitcoinWallet => {
  const signer = signerOf(key)
  const pubkey = signer.publicKey
  const { address, output } = payments.p2wpkh({ pubkey })
  return {
    address: address!,
    publicKey: hexOf(pubkey),
    signMessage: (message) => {
      const code = payments.p2pkh({ pubkey }).output!
      const hash = messageTransaction(message, output!).hashForWitnessV0(0, code, 0n, Transaction.SIGHASH_ALL)
      return witnessText([script.signature.encode(signer.sign(hash), Transaction.SIGHASH_ALL), pubkey])
    },
    signPsbt: signWith(signer)
  }
}

/** Creates a wallet with a P2TR address (bc1p…) without scripts. The tweaked key signs for it (BIP-86). */
const taprootWallet = (key: Uint8Array): BitcoinWallet => {
  const internal = signerOf(key).publicKey
  const internalPubkey = internal.slice(1)
  const even = internal[0] === 3 ? secp256k1.privateNegate(key) : key
  const signer = signerOf(secp256k1.privateAdd(even, crypto.taggedHash("TapTweak", internalPubkey))!)
  const { address, output } = payments.p2tr({ internalPubkey })
  return {
    address: address!,
    publicKey: hexOf(internalPubkey),
    signMessage: (message) => {
      const transaction = messageTransaction(message, output!)
      return witnessText([
        signer.signSchnorr!(transaction.hashForWitnessV1(0, [output!], [0n], Transaction.SIGHASH_DEFAULT))
      ])
    },
    signPsbt: signWith(signer)
  }
}

const newKey = () => new Uint8Array(randomBytes(32))

await payFrom([segwitWallet(newKey()), taprootWallet(newKey())])
