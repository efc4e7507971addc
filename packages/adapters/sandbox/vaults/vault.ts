import { createHash } from "node:crypto"
import * as secp256k1 from "@bitcoinerlab/secp256k1"
import { networks, Psbt, payments } from "bitcoinjs-lib"

const network = networks.bitcoin

/** Where bitcoins are deposited. Its key is known to every reader: never pay to it on the main network. */
export interface Vault {
  readonly address: string
  readonly script: Uint8Array
  /** A signed transaction in hexadecimal that pays its first output of a transaction back, less a fee, with data if there are any. */
  readonly refund: (
    deposit: { readonly txid: string; readonly satoshis: bigint; readonly from: string },
    data: Uint8Array | null
  ) => string
}

/** Of a transaction with one coin of the vault and a carrier of data, at two satoshis for a virtual byte. */
const REFUND_FEE = 500n

/** A vault by its name. */
export const vaultOf = (name: string): Vault => {
  const privateKey = Uint8Array.from(createHash("sha256").update(`countersign sandbox ${name} vault`).digest())
  const publicKey = secp256k1.pointFromScalar(privateKey, true)!
  const { address, output: script } = payments.p2wpkh({ pubkey: publicKey, network })
  const signer = { publicKey, sign: (hash: Uint8Array) => secp256k1.sign(hash, privateKey) }
  return {
    address: address!,
    script: script!,
    refund: ({ from, satoshis, txid }, data) => {
      const psbt = new Psbt({ network })
      psbt.addInput({ hash: txid, index: 0, witnessUtxo: { script: script!, value: satoshis } })
      psbt.addOutput({ address: from, value: satoshis - REFUND_FEE })
      if (data !== null) psbt.addOutput({ script: payments.embed({ data: [data] }).output!, value: 0n })
      psbt.signInput(0, signer)
      psbt.finalizeAllInputs()
      return psbt.extractTransaction().toHex()
    }
  }
}
