import * as secp256k1 from "@bitcoinerlab/secp256k1"
import { p2sh, p2wpkh, Transaction, utils } from "@scure/btc-signer"
import { type MessageSigner, messageSigners } from "../../../adapters/test/bitcoin/messageSigners.ts"
import type { TestService } from "./testService.ts"

/** The owner of a Bitcoin wallet, who signs with another library than the service checks with. */
export interface BitcoinOwner {
  readonly address: string
  readonly kind: MessageSigner["kind"]
  readonly key: Uint8Array
}

/** Registers the wallet of a key of one of the four kinds that can be proved. */
export const registeredOwner = async (
  { request }: Pick<TestService, "request">,
  key: Uint8Array,
  place: number
): Promise<BitcoinOwner> => {
  const { address, kind, sign } = messageSigners(key)[place]!
  const { body } = await request("GET", `/api/v1/wallets/bitcoin/proof-message?address=${address}`)
  for (const signature of sign(body.message)) {
    const proof = { message: body.message, signature }
    const { status } = await request("POST", "/api/v1/wallets/register", { address, proof })
    if (status === 201) return { address, kind, key }
  }
  throw new Error(`No signature of ${address} was taken`)
}

export const signedPsbt = ({ key, kind }: BitcoinOwner, psbt: string): Transaction => {
  const publicKey = secp256k1.pointFromScalar(key, true)!
  const transaction = Transaction.fromPSBT(new Uint8Array(Buffer.from(psbt.slice(2), "hex")), {
    allowLegacyWitnessUtxo: true
  })
  for (let i = 0; i < transaction.inputsLength; i++) {
    if (kind === "P2SH") transaction.updateInput(i, { redeemScript: p2sh(p2wpkh(publicKey)).redeemScript! })
    if (kind === "P2TR") transaction.updateInput(i, { tapInternalKey: utils.pubSchnorr(key) })
    transaction.signIdx(key, i)
  }
  return transaction
}

/** The whole transaction in hexadecimal. */
export const signedBy = (owner: BitcoinOwner, psbt: string): string => {
  const transaction = signedPsbt(owner, psbt)
  transaction.finalize()
  return Buffer.from(transaction.extract()).toString("hex")
}
