import {
  BitcoinTransactions,
  type ExpectedTransaction,
  type SignedTransaction,
  type TransactionRefusal,
  type UnsignedTransaction
} from "@countersign/core/bitcoin/chain"
import type { Hash32, HexBytes } from "@countersign/core/foundation/primitives"
import { networks, opcodes, Psbt, Transaction } from "bitcoinjs-lib"
import { Layer, Result } from "effect"
import { bytesOf, hashOf, hexOf } from "./bytes.ts"
import { inputFault } from "./inputFault.ts"
import { addressToScript, scriptToAddress } from "./readAddress.ts"
import { signerFields } from "./signerFields.ts"

/** Signals replaceability (BIP-125): a transaction with a higher fee can replace this one. */
const REPLACEABLE = 0xffff_fffd
const VERSION = 2
/** Maximum number of hexadecimal digits of a standard transaction (Bitcoin Core, `MAX_STANDARD_TX_WEIGHT`). */
const MAX_DIGITS = 800_000
const PSBT_MAGIC = "70736274ff"

const refuse = (code: TransactionRefusal["code"], reason: string) => Result.fail({ code, reason })

/** Computes the transaction id without signatures. */
const unsignedId = (transaction: Transaction): Hash32 => {
  const unsignedTransaction = transaction.clone()
  for (const input of unsignedTransaction.ins) {
    input.script = new Uint8Array(0)
    input.witness = []
  }
  return hashOf(unsignedTransaction.getId())
}

/**
 * Whether an output script may have a `witnessUtxo`. BIP-174 allows none for P2PKH, where the signer reads the amount
 * from the complete previous transaction.
 */
const isWitness = (script: Uint8Array): boolean => script[0] !== opcodes.OP_DUP

const buildUnsigned = ({ inputs, key = null, lockTime = 0, outputs }: UnsignedTransaction) => {
  const psbt = new Psbt({ network: networks.bitcoin })
  psbt.setVersion(VERSION)
  psbt.setLocktime(lockTime)
  const walletScript = inputs[0]?.script
  const fieldsOf = (script: HexBytes) => (script === walletScript ? signerFields(bytesOf(script), key) : {})
  for (const { script, sequence = REPLACEABLE, transaction, txid, value, vout } of inputs) {
    psbt.addInput({
      hash: txid.slice(2),
      index: vout,
      sequence,
      ...(isWitness(bytesOf(script)) || transaction === undefined
        ? { witnessUtxo: { script: bytesOf(script), value } }
        : {}),
      ...(transaction === undefined ? {} : { nonWitnessUtxo: bytesOf(transaction) }),
      ...fieldsOf(script)
    })
  }
  for (const { script, value } of outputs) psbt.addOutput({ script: bytesOf(script), value, ...fieldsOf(script) })
  return { txid: unsignedId(Transaction.fromBuffer(psbt.data.getTransaction())), psbt: hexOf(psbt.toBuffer()) }
}

type ReadResult = Result.Result<Transaction, TransactionRefusal>

/**
 * Extracts the signed transaction from a PSBT. The caller compares the transaction with the quote and verifies the
 * signatures, because the PSBT is untrusted.
 */
const readPsbtBytes = (bytes: Uint8Array): ReadResult => {
  const decodedPsbt = Result.try(() => Psbt.fromBuffer(bytes, { network: networks.bitcoin }))
  if (Result.isFailure(decodedPsbt)) return refuse("malformed", "It is not a PSBT of version 0.")
  const psbt = decodedPsbt.success
  for (const [index, input] of psbt.data.inputs.entries()) {
    if (input.finalScriptSig !== undefined || input.finalScriptWitness !== undefined) continue
    const finalized = Result.try(() => psbt.finalizeInput(index))
    if (Result.isFailure(finalized)) return refuse("not_signed", `Input ${index} has no complete signature.`)
  }
  const extractedTransaction = Result.try(() => psbt.extractTransaction(true))
  return Result.isFailure(extractedTransaction)
    ? refuse("not_signed", "Not all of its inputs are signed.")
    : Result.succeed(extractedTransaction.success)
}

const readTransactionBytes = (digits: string): ReadResult => {
  const decodedTransaction = Result.try(() => Transaction.fromHex(digits))
  if (Result.isFailure(decodedTransaction)) return refuse("malformed", "It is neither a transaction nor a PSBT.")
  return decodedTransaction.success.toHex() === digits
    ? Result.succeed(decodedTransaction.success)
    : refuse("not_canonical", "Its encoding is not canonical, so Bitcoin nodes reject it.")
}

const readSigned = (
  signedBytes: HexBytes,
  expected: ExpectedTransaction
): Result.Result<SignedTransaction, TransactionRefusal> => {
  const digits = signedBytes.slice(2).toLowerCase()
  if (digits === "" || digits.length > MAX_DIGITS)
    return refuse(
      "malformed",
      `It is empty, or larger than ${MAX_DIGITS / 2} bytes, the limit of a standard transaction. If it is a PSBT with large previous transactions, submit the extracted transaction instead.`
    )
  const readResult = digits.startsWith(PSBT_MAGIC) ? readPsbtBytes(bytesOf(signedBytes)) : readTransactionBytes(digits)
  if (Result.isFailure(readResult)) return Result.fail(readResult.failure)
  const transaction = readResult.success
  if (unsignedId(transaction) !== expected.txid || transaction.ins.length !== expected.inputs.length) {
    return refuse(
      "not_as_quoted",
      "It differs from the quoted transaction in inputs, outputs, sequences, lock time or version."
    )
  }
  for (const [index, spentOutput] of expected.inputs.entries()) {
    const fault = inputFault({ transaction, index, spentOutput, spentOutputs: expected.inputs })
    if (fault !== null) return refuse(fault.code, `Input ${index}: ${fault.reason}.`)
  }
  if (transaction.weight() > expected.maxWeight) {
    return refuse(
      "too_heavy",
      `Its weight is ${transaction.weight()}, but its fee was computed for a weight of at most ${expected.maxWeight}.`
    )
  }
  return Result.succeed({ txid: hashOf(transaction.getId()), bytes: hexOf(transaction.toBuffer()) })
}

/** Builds and verifies transactions with `bitcoinjs-lib`, without any private key. */
export const layer = Layer.succeed(
  BitcoinTransactions,
  BitcoinTransactions.of({
    scriptOf: addressToScript,
    addressOf: scriptToAddress,
    buildPsbt: buildUnsigned,
    verifySigned: readSigned
  })
)
