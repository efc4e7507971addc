/**
 * Payments from P2WPKH and P2TR addresses, signed with `@scure/btc-signer`.
 *
 * It runs against `npm start`. COUNTERSIGN_URL, COUNTERSIGN_API_KEY and COUNTERSIGN_HOME select another sandbox.
 */
import { createHash, randomBytes } from "node:crypto"
import { p2tr, p2wpkh, RawWitness, Script, Transaction } from "@scure/btc-signer"
import { pubECDSA, pubSchnorr } from "@scure/btc-signer/utils.js"
import { type BitcoinWallet, payFrom } from "./support/bitcoinPayments.ts"

const sha256 = (...parts: ReadonlyArray<Uint8Array>) => createHash("sha256").update(Buffer.concat(parts)).digest()

interface Payment {
  readonly address: string
  readonly script: Uint8Array
  readonly tapInternalKey?: Uint8Array
}

/** The checks are disabled, because they reject the transactions of BIP-322. */
const uncheckedOptions = { version: 0, allowUnknownInputs: true, allowUnknownOutputs: true, disableScriptCheck: true }

/**
 * Signs a message in the simple format of BIP-322: the witness of a transaction that spends an output to the address.
 */
const signedMessage = (key: Uint8Array, payment: Payment, message: string): string => {
  const tag = sha256(Buffer.from("BIP0322-signed-message"))
  const toSpend = new Transaction(uncheckedOptions)
  toSpend.addOutput({ script: payment.script, amount: 0n })
  const finalScriptSig = Script.encode(["OP_0", sha256(tag, tag, Buffer.from(message))])
  toSpend.addInput({ txid: new Uint8Array(32), index: 0xffff_ffff, sequence: 0, finalScriptSig })
  const toSign = new Transaction(uncheckedOptions)
  toSign.addInput({
    txid: toSpend.id,
    index: 0,
    sequence: 0,
    witnessUtxo: { script: payment.script, amount: 0n },
    ...(payment.tapInternalKey === undefined ? {} : { tapInternalKey: payment.tapInternalKey })
  })
  toSign.addOutput({ script: Script.encode(["RETURN"]), amount: 0n })
  toSign.signIdx(key, 0)
  toSign.finalize()
  return Buffer.from(RawWitness.encode(toSign.getInput(0).finalScriptWitness!)).toString("base64")
}

const walletOf = (key: Uint8Array, publicKey: Uint8Array, payment: Payment): BitcoinWallet => ({
  address: payment.address,
  publicKey: Buffer.from(publicKey).toString("hex"),
  signMessage: (message) => signedMessage(key, payment, message),
  signPsbt: (psbtBase64) => {
    const transaction = Transaction.fromPSBT(new Uint8Array(Buffer.from(psbtBase64, "base64")))
    transaction.sign(key)
    transaction.finalize()
    return transaction.hex
  }
})

const [first, second] = [new Uint8Array(randomBytes(32)), new Uint8Array(randomBytes(32))]
const [hashed, internal] = [pubECDSA(first), pubSchnorr(second)]

await payFrom([walletOf(first, hashed, p2wpkh(hashed)), walletOf(second, internal, p2tr(internal))])
