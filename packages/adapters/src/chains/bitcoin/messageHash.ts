import { crypto, opcodes, script, Transaction } from "bitcoinjs-lib"

const SIGNED_MESSAGE = "\u0018Bitcoin Signed Message:\n"
const TAG = crypto.sha256(Buffer.from("BIP0322-signed-message"))

/** Encodes a CompactSize length: one byte, or a prefix byte followed by two or four bytes. */
const lengthPrefix = (length: number): Buffer => {
  if (length < 0xfd) return Buffer.from([length])
  const bytes = Buffer.from([length > 0xffff ? 0xfe : 0xfd, 0, 0, 0, 0])
  bytes.writeUInt32LE(length, 1)
  return length > 0xffff ? bytes : bytes.subarray(0, 3)
}

/** Computes the hash that a legacy message signature signs. */
export const legacyHash = (message: string): Uint8Array => {
  const text = Buffer.from(message)
  return crypto.hash256(Buffer.concat([Buffer.from(SIGNED_MESSAGE), lengthPrefix(text.length), text]))
}

export const taggedMessageHash = (message: string): Uint8Array =>
  crypto.sha256(Buffer.concat([TAG, TAG, Buffer.from(message)]))

const NULL_OUTPOINT = { hash: new Uint8Array(32), index: 0xffff_ffff }

/** Builds BIP-322's `to_spend` transaction, whose only output has the value zero and pays the address. */
const transactionToSpend = (message: string, challenge: Uint8Array): Transaction => {
  const transaction = new Transaction()
  transaction.version = 0
  transaction.addInput(
    NULL_OUTPOINT.hash,
    NULL_OUTPOINT.index,
    0,
    script.compile([opcodes.OP_0!, taggedMessageHash(message)])
  )
  transaction.addOutput(challenge, 0n)
  return transaction
}

/** Builds the transactions of BIP-322. `toSign` spends the output of `transactionToSpend`. Neither can ever be valid on-chain. */
export const messageTransactions = (message: string, challenge: Uint8Array) => {
  const toSpend = transactionToSpend(message, challenge)
  const toSign = new Transaction()
  toSign.version = 0
  toSign.addInput(toSpend.getHash(), 0, 0)
  toSign.addOutput(script.compile([opcodes.OP_RETURN!]), 0n)
  return { toSpend, toSign }
}
