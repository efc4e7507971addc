import * as secp256k1 from "@bitcoinerlab/secp256k1"
import type { BitcoinProof, ProvenKey } from "@countersign/core/bitcoin/chain"
import { crypto, opcodes, script, Transaction } from "bitcoinjs-lib"
import { Result } from "effect"
import { areEqual, bytesOf, hashOf, hexOf } from "./bytes.ts"
import { inputFault } from "./inputFault.ts"
import { legacyHash, messageTransactions } from "./messageHash.ts"
import { addressToScript, type DecodedAddress, decodeAddress } from "./readAddress.ts"

const WRONG = "The signature is not valid for this address and this message."
const NO_FORM =
  "Expected a signature in base64: BIP-322 simple for bc1q… and bc1p…, BIP-322 full with the prefix `ful` for every address, or legacy for 1…, 3… and bc1q…."
const OTHER_FORM = "A proof of funds (`pof`) is not accepted. Use the simple, full or legacy format."
const SCRIPT_ADDRESS =
  "A proof for a script address is not supported. An operator can attach the address to watch it: `countersign wallet attach`."

const SIMPLE_PREFIX = "smp"
const FULL_PREFIX = "ful"
const FUNDS_PREFIX = "pof"

/** Maximum length of a signature in base64. Sufficient for BIP-322 full with one input of a supported type. */
const SIGNATURE_TEXT_MAX = 600

/** Decodes canonical base64; null for an empty text and for any other text. */
const bytesFromText = (text: string): Uint8Array | null => {
  const bytes = Buffer.from(text, "base64")
  return bytes.length > 0 && bytes.toString("base64") === text ? Uint8Array.from(bytes) : null
}

/** Decodes the elements of a witness, each shorter than 253 bytes. Null if the bytes are not exactly one witness. */
const witnessOf = (bytes: Uint8Array): ReadonlyArray<Uint8Array> | null => {
  const elements: Array<Uint8Array> = []
  let offset = 1
  for (let remainingCount = bytes[0] ?? 0; remainingCount > 0 && offset < bytes.length; remainingCount--) {
    const end = offset + 1 + bytes[offset]!
    elements.push(bytes.subarray(offset + 1, end))
    offset = end
  }
  return offset === bytes.length && elements.length === bytes[0] ? elements : null
}

const COMPRESSED_BYTES = 33

/**
 * Returns the key that a proof contains. Only compressed keys are returned, because this service's PSBTs contain no
 * others.
 */
const provenKeyOf = (key: Uint8Array | undefined): ProvenKey => ({
  publicKey: key?.length === COMPRESSED_BYTES ? hexOf(key) : null
})

/**
 * Returns the key in a witness or script that `inputFault` has accepted. Undefined for a P2TR key path, which contains
 * no key.
 */
const keyIn = ({ script: pushes, witness }: Transaction["ins"][number]): Uint8Array | undefined =>
  witness.length > 0 ? witness[1] : (script.decompile(pushes)?.[1] as Uint8Array | undefined)

/**
 * Verifies BIP-322 transactions: `toSign` must spend the output of `toSpend`, and its signature must satisfy the same
 * rules as a payment. Null if not.
 */
const verifyTransactionProof = (toSign: Transaction, toSpend: Transaction, challenge: Uint8Array): ProvenKey | null => {
  const spentOutput = { txid: hashOf(toSpend.getId()), vout: 0, value: 0n, script: hexOf(challenge) }
  const fault = inputFault({ transaction: toSign, index: 0, spentOutput, spentOutputs: [spentOutput] })
  return fault === null ? provenKeyOf(keyIn(toSign.ins[0]!)) : null
}

/** Verifies BIP-322 simple: the signature is the witness of `toSign`. */
const verifySimpleProof = (message: string, { address }: DecodedAddress, bytes: Uint8Array): ProvenKey | null => {
  const witness = witnessOf(bytes)
  if (witness === null) return null
  const challenge = bytesOf(addressToScript(address))
  const { toSign, toSpend } = messageTransactions(message, challenge)
  toSign.setWitness(0, [...witness])
  return verifyTransactionProof(toSign, toSpend, challenge)
}

/**
 * Verifies BIP-322 full: the signature is the complete `toSign` transaction. Its version is 0 or 2. Any lock time and
 * sequence are accepted, because only scripts with time locks depend on them, and such scripts are not accepted.
 */
const verifyFullProof = (message: string, { address }: DecodedAddress, bytes: Uint8Array): ProvenKey | null => {
  const challenge = bytesOf(addressToScript(address))
  const { toSign: expectedToSign, toSpend } = messageTransactions(message, challenge)
  const toSign = Transaction.fromBuffer(bytes)
  const [input, ...otherInputs] = toSign.ins
  const [output, ...otherOutputs] = toSign.outs
  const hasProofFormat =
    areEqual(toSign.toBuffer(), bytes) &&
    (toSign.version === 0 || toSign.version === 2) &&
    otherInputs.length + otherOutputs.length === 0 &&
    input !== undefined &&
    input.index === 0 &&
    areEqual(input.hash, toSpend.getHash()) &&
    output?.value === 0n &&
    areEqual(output.script, expectedToSign.outs[0]!.script)
  return hasProofFormat ? verifyTransactionProof(toSign, toSpend, challenge) : null
}

/** Length of a legacy signature. Its first byte identifies the key and, by BIP-137, the address type. */
const LEGACY_LENGTH = 65
const FIRST_UNCOMPRESSED = 27
const FIRST_COMPRESSED = 31
const FIRST_NESTED = 35
const FIRST_NATIVE = 39
const HEADERS = 4

/**
 * First values of the header byte for the address types with legacy signatures. For segwit addresses Electrum writes
 * the P2PKH header.
 */
const firstHeaders: Readonly<Partial<Record<DecodedAddress["kind"], ReadonlyArray<number>>>> = {
  P2PKH: [FIRST_UNCOMPRESSED, FIRST_COMPRESSED],
  P2SH: [FIRST_COMPRESSED, FIRST_NESTED],
  P2WPKH: [FIRST_COMPRESSED, FIRST_NATIVE]
}

const verifyLegacyProof = (message: string, { kind, program }: DecodedAddress, bytes: Uint8Array): ProvenKey | null => {
  const header = bytes[0]!
  const firstHeader = firstHeaders[kind]?.find((each) => header >= each && header < each + HEADERS)
  if (firstHeader === undefined) return null
  const [hash, signature] = [legacyHash(message), bytes.subarray(1)]
  const key = secp256k1.recover(
    hash,
    signature,
    (header - firstHeader) as 0 | 1 | 2 | 3,
    firstHeader !== FIRST_UNCOMPRESSED
  )
  if (key === null || !secp256k1.verify(hash, key, signature, true)) return null
  const keyHash = crypto.hash160(key)
  const programHash = kind === "P2SH" ? crypto.hash160(script.compile([opcodes.OP_0!, keyHash])) : keyHash
  return areEqual(programHash, program) ? provenKeyOf(key) : null
}

const verifierOf = ({ kind }: DecodedAddress, prefix: string, bytes: Uint8Array) => {
  if (prefix === FULL_PREFIX) return verifyFullProof
  // 65 bytes can only be a legacy signature: a P2WPKH witness is longer, and P2TR has no legacy format.
  if (prefix === "" && bytes.length === LEGACY_LENGTH && kind !== "P2TR") return verifyLegacyProof
  return kind === "P2WPKH" || kind === "P2TR" ? verifySimpleProof : null
}

const checkSignature = (
  decodedAddress: DecodedAddress,
  message: string,
  signature: string
): Result.Result<ProvenKey, string> => {
  if (decodedAddress.kind === "P2WSH") return Result.fail(SCRIPT_ADDRESS)
  if (signature.startsWith(FUNDS_PREFIX)) return Result.fail(OTHER_FORM)
  const prefix = [SIMPLE_PREFIX, FULL_PREFIX].find((each) => signature.startsWith(each)) ?? ""
  const bytes = signature.length > SIGNATURE_TEXT_MAX ? null : bytesFromText(signature.slice(prefix.length))
  const verify = bytes === null ? null : verifierOf(decodedAddress, prefix, bytes)
  if (bytes === null || verify === null) return Result.fail(NO_FORM)
  // The libraries throw if a signature, key or transaction is invalid.
  const provenKey = Result.getOrElse(
    Result.try(() => verify(message, decodedAddress, bytes)),
    () => null
  )
  if (provenKey !== null) return Result.succeed(provenKey)
  return Result.fail(
    decodedAddress.kind === "P2SH"
      ? `${WRONG} For addresses that start with 3, only P2SH-P2WPKH supports a proof. ${SCRIPT_ADDRESS}`
      : WRONG
  )
}

export const checkProof = ({ address, message, signature }: BitcoinProof): Result.Result<ProvenKey, string> =>
  Result.flatMap(
    Result.mapError(decodeAddress(address), ({ reason }) => reason),
    (decodedAddress) => checkSignature(decodedAddress, message, signature)
  )
