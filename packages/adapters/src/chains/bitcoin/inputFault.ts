import * as secp256k1 from "@bitcoinerlab/secp256k1"
import type { PreviousOutput, TransactionRefusal } from "@countersign/core/bitcoin/chain"
import { crypto, opcodes, script, Transaction } from "bitcoinjs-lib"
import { Result } from "effect"
import { areEqual, bytesOf } from "./bytes.ts"

/** An input of a signed transaction, and the output that it spends. */
interface SpendingInput {
  readonly transaction: Transaction
  readonly index: number
  readonly spentOutput: PreviousOutput
  /** The spent outputs of all inputs. Taproot signatures commit to all of them. */
  readonly spentOutputs: ReadonlyArray<PreviousOutput>
}

type Code = TransactionRefusal["code"]
/** Null if the input is valid. */
type Fault = { readonly code: Code; readonly reason: string } | null

const fault = (code: Code, reason: string) => ({ code, reason })
const NOT_SIGNED = fault("not_signed", "it has no signature")
const OTHER_FORM = fault("wrong_witness", "the encoding of its signature and key is not canonical")
const OTHER_KEY = fault("wrong_signature", "its public key belongs to another address")
const WRONG_SIGNATURE = fault("wrong_signature", "its signature is not valid for its key and this transaction")
const OTHER_SIGHASH = fault(
  "wrong_sighash",
  "its signature does not cover the entire transaction (SIGHASH_ALL, or SIGHASH_DEFAULT for taproot)"
)

const COMPRESSED_BYTES = 33
const SCHNORR_BYTES = 64
const SCHNORR_BYTES_WITH_TYPE = 65

const scriptBytes = ({ script }: PreviousOutput): Uint8Array => bytesOf(script)

const keyHashScript = (hash: Uint8Array) =>
  script.compile([opcodes.OP_DUP!, opcodes.OP_HASH160!, hash, opcodes.OP_EQUALVERIFY!, opcodes.OP_CHECKSIG!])

/** Checks an ECDSA signature: strict DER (BIP-66), low S, SIGHASH_ALL. */
const ecdsaFault = (signature: Uint8Array, key: Uint8Array, hash: () => Uint8Array): Fault => {
  const decodedSignature = Result.try(() => script.signature.decode(signature))
  if (Result.isFailure(decodedSignature)) return WRONG_SIGNATURE
  if (decodedSignature.success.hashType !== Transaction.SIGHASH_ALL) return OTHER_SIGHASH
  // Another encoding of the same signature would result in another transaction id for the same payment.
  if (
    !areEqual(script.signature.encode(decodedSignature.success.signature, decodedSignature.success.hashType), signature)
  )
    return OTHER_FORM
  const isValid = Result.try(() => secp256k1.verify(hash(), key, decodedSignature.success.signature, true))
  return Result.getOrElse(isValid, () => false) ? null : WRONG_SIGNATURE
}

/** Returns the elements that a script pushes; null for a script that contains anything except minimal pushes. */
const pushesOf = (bytes: Uint8Array): ReadonlyArray<Uint8Array> | null => {
  const elements = script.decompile(bytes)
  if (elements === null || !elements.every((part) => typeof part !== "number")) return null
  return areEqual(script.compile(elements), bytes) ? elements : null
}

const keyHashFault = ({ index, spentOutput, transaction }: SpendingInput): Fault => {
  const input = transaction.ins[index]!
  if (input.script.length === 0) return NOT_SIGNED
  const pushes = pushesOf(input.script)
  const [signature, key] = pushes ?? []
  if (signature === undefined || key === undefined || pushes?.length !== 2 || input.witness.length > 0)
    return OTHER_FORM
  const output = scriptBytes(spentOutput)
  if (!areEqual(keyHashScript(crypto.hash160(key)), output)) return OTHER_KEY
  return ecdsaFault(signature, key, () => transaction.hashForSignature(index, output, Transaction.SIGHASH_ALL))
}

const witnessKeyHashFault = ({ index, spentOutput, transaction }: SpendingInput, program: Uint8Array): Fault => {
  const { witness } = transaction.ins[index]!
  if (witness.length === 0) return NOT_SIGNED
  const [signature, key] = witness
  if (signature === undefined || key?.length !== COMPRESSED_BYTES || witness.length !== 2) return OTHER_FORM
  if (!areEqual(crypto.hash160(key), program)) return OTHER_KEY
  return ecdsaFault(signature, key, () =>
    transaction.hashForWitnessV0(index, keyHashScript(program), spentOutput.value, Transaction.SIGHASH_ALL)
  )
}

const nestedFault = (spending: SpendingInput, hash: Uint8Array): Fault => {
  const input = spending.transaction.ins[spending.index]!
  if (input.script.length === 0) return NOT_SIGNED
  const pushes = pushesOf(input.script)
  const redeemScript = pushes?.[0]
  const isKeyHash = redeemScript?.length === 22 && redeemScript[0] === 0 && redeemScript[1] === 20
  if (!isKeyHash || pushes?.length !== 1) return OTHER_FORM
  if (!areEqual(crypto.hash160(redeemScript), hash)) return OTHER_KEY
  return witnessKeyHashFault(spending, redeemScript.subarray(2))
}

/** Checks a taproot input. Only key path spends are accepted: the witness contains one signature and no annex. */
const taprootFault = ({ spentOutputs, index, transaction }: SpendingInput, key: Uint8Array): Fault => {
  const { witness } = transaction.ins[index]!
  const [signature] = witness
  if (signature === undefined) return NOT_SIGNED
  if (witness.length !== 1) return OTHER_FORM
  const isDefault = signature.length === SCHNORR_BYTES
  if (!isDefault && signature.length !== SCHNORR_BYTES_WITH_TYPE) return OTHER_FORM
  if (!isDefault && signature[SCHNORR_BYTES] !== Transaction.SIGHASH_ALL) return OTHER_SIGHASH
  const hash = transaction.hashForWitnessV1(
    index,
    spentOutputs.map(scriptBytes),
    spentOutputs.map(({ value }) => value),
    isDefault ? Transaction.SIGHASH_DEFAULT : Transaction.SIGHASH_ALL
  )
  return secp256k1.verifySchnorr(hash, key, signature.subarray(0, SCHNORR_BYTES)) ? null : WRONG_SIGNATURE
}

/** Checks the signature of an input that spends an output of a single key. */
export const inputFault = (spending: SpendingInput): Fault => {
  const output = scriptBytes(spending.spentOutput)
  const [first, second] = output
  if (output.length === 25 && first === opcodes.OP_DUP) return keyHashFault(spending)
  if (output.length === 23 && first === opcodes.OP_HASH160) return nestedFault(spending, output.subarray(2, 22))
  if (spending.transaction.ins[spending.index]!.script.length > 0) return OTHER_FORM
  if (output.length === 22 && first === 0 && second === 20) return witnessKeyHashFault(spending, output.subarray(2))
  if (output.length === 34 && first === opcodes.OP_1) return taprootFault(spending, output.subarray(2))
  return fault("unsupported", "it spends an output whose script may require several keys")
}
