import { Transaction } from "@scure/btc-signer"
import { type MessageSigner, messageSigners } from "../../../adapters/test/bitcoin/messageSigners.ts"
import type { TestService } from "./testService.ts"

/** The owner of a Bitcoin wallet, who signs with another library than the service uses for verification. */
export interface BitcoinOwner {
  readonly address: string
  readonly kind: MessageSigner["kind"]
  readonly key: Uint8Array
}

/** Registers the wallet of a key, with one of the four address types that support a proof. */
export const registerOwner = async (
  { request }: Pick<TestService, "request">,
  key: Uint8Array,
  addressType: number
): Promise<BitcoinOwner> => {
  const { address, kind, publicKey, sign } = messageSigners(key)[addressType]!
  const { body } = await request("GET", `/api/v1/wallets/bitcoin/proof-message?address=${address}`)
  for (const signature of sign(body.message)) {
    const proof = { message: body.message, signature }
    const { status } = await request("POST", "/api/v1/wallets/register", { address, proof, publicKey })
    if (status === 201) return { address, kind, key }
  }
  throw new Error(`No signature of ${address} was taken`)
}

export const signPsbt = ({ key }: BitcoinOwner, psbt: string): Transaction => {
  const transaction = Transaction.fromPSBT(new Uint8Array(Buffer.from(psbt.slice(2), "hex")))
  transaction.sign(key)
  return transaction
}

/** Signs a PSBT. Returns the transaction in hexadecimal. */
export const signAndFinalize = (owner: BitcoinOwner, psbt: string): string => {
  const transaction = signPsbt(owner, psbt)
  transaction.finalize()
  return Buffer.from(transaction.extract()).toString("hex")
}
