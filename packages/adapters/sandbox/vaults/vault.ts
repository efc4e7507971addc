import { createHash } from "node:crypto"
import * as secp256k1 from "@bitcoinerlab/secp256k1"
import { networks, Psbt, payments } from "bitcoinjs-lib"

const network = networks.bitcoin

/** A Bitcoin address that receives deposits. Its key is public, so never send mainnet bitcoins to it. */
export interface Vault {
  readonly address: string
  readonly script: Uint8Array
  /** Signs a transaction in hexadecimal that refunds the first output of a deposit, less a fee, with optional data. */
  readonly refund: (
    deposit: { readonly txid: string; readonly satoshis: bigint; readonly from: string },
    data: Uint8Array | null
  ) => string
}

/** In satoshis: 2 sat/vB for a transaction with one input and an OP_RETURN output. */
const REFUND_FEE = 500n

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
