import * as secp256k1 from "@bitcoinerlab/secp256k1"
import type { BitcoinProof, ProvenKey } from "@countersign/core/bitcoin"
import { crypto, opcodes, script } from "bitcoinjs-lib"
import { Result } from "effect"
import { areEqual, hashOf, hexOf } from "./bytes.ts"
import { inputFault } from "./inputFault.ts"
import { legacyHash, messageTransactions } from "./messageHash.ts"
import { type DecodedAddress, decodeAddress } from "./readAddress.ts"

const WRONG = "The signature is not one of this address for this message."
const NO_FORM =
  "Expected a signature in base64: the simple form of BIP-322 for an address bc1q… or bc1p…, the legacy form for 1… and 3…."
const OTHER_FORM = "Only the simple form of BIP-322 is taken here, and the legacy form for addresses 1… and 3…."
const SCRIPT_ADDRESS =
  "Whose an address of a script is can't be proved here; an operator can attach it to be watched: `countersign wallet attach`."

const SIMPLE_PREFIX = "smp"
const OTHER_PREFIX = /^(?:ful|pof)/u

/** Two elements of a witness are shorter. */
const SIGNATURE_TEXT_MAX = 200

/** Bytes of base64 in its one canonical form; null of other text. */
const bytesOf = (text: string): Uint8Array | null => {
  const bytes = Buffer.from(text, "base64")
  return bytes.length > 0 && bytes.toString("base64") === text ? bytes : null
}

/** The elements of a witness, each shorter than 253 bytes; null where the bytes are not exactly one. */
const witnessOf = (bytes: Uint8Array): ReadonlyArray<Uint8Array> | null => {
  const elements: Array<Uint8Array> = []
  let at = 1
  for (let left = bytes[0] ?? 0; left > 0 && at < bytes.length; left--) {
    const end = at + 1 + bytes[at]!
    elements.push(bytes.subarray(at + 1, end))
    at = end
  }
  return at === bytes.length && elements.length === bytes[0] ? elements : null
}

const witnessScript = (version: number, program: Uint8Array) => script.compile([version, program])

/** The simple form is the witness of a transaction that spends from the address: it is held to what every such witness is. */
const isWitness = (message: string, { kind, program }: DecodedAddress, witness: ReadonlyArray<Uint8Array>): boolean => {
  const challenge = witnessScript(kind === "P2TR" ? opcodes.OP_1! : opcodes.OP_0!, program)
  const { toSign, toSpend } = messageTransactions(message, challenge)
  toSign.setWitness(0, [...witness])
  const spent = { txid: hashOf(toSpend.getId()), vout: 0, value: 0n, script: hexOf(challenge) }
  return inputFault({ transaction: toSign, index: 0, spent, allSpent: [spent] }) === null
}

/** The first byte of the legacy form tells which key signed, and by BIP-137 the kind of its address. */
const LEGACY_LENGTH = 65
const FIRST_UNCOMPRESSED = 27
const FIRST_COMPRESSED = 31
const FIRST_NESTED = 35
const LAST_NESTED = 38

const isOfHeader = (kind: DecodedAddress["kind"], header: number): boolean =>
  kind === "P2PKH"
    ? header >= FIRST_UNCOMPRESSED && header < FIRST_NESTED
    : header >= FIRST_NESTED && header <= LAST_NESTED

/** The key that signed; null if it is not the one of the address. */
const legacyKey = (message: string, { kind, program }: DecodedAddress, bytes: Uint8Array): Uint8Array | null => {
  const header = bytes[0]!
  if (bytes.length !== LEGACY_LENGTH || !isOfHeader(kind, header)) return null
  const [hash, signature] = [legacyHash(message), bytes.subarray(1)]
  const recoveryId = ((header - FIRST_UNCOMPRESSED) % 4) as 0 | 1 | 2 | 3
  const key = secp256k1.recover(hash, signature, recoveryId, header >= FIRST_COMPRESSED)
  if (key === null || !secp256k1.verify(hash, key, signature, true)) return null
  const keyHash = crypto.hash160(key)
  return areEqual(kind === "P2PKH" ? keyHash : crypto.hash160(witnessScript(opcodes.OP_0!, keyHash)), program)
    ? key
    : null
}

const provenKeyOf = (known: DecodedAddress, message: string, bytes: Uint8Array): ProvenKey | null => {
  if (known.kind === "P2PKH" || known.kind === "P2SH") return provenBy(legacyKey(message, known, bytes))
  const witness = witnessOf(bytes)
  if (witness === null || !isWitness(message, known, witness)) return null
  return known.kind === "P2TR" ? { publicKey: null } : provenBy(witness[1]!)
}

const COMPRESSED_BYTES = 33

/** PSBTs of this service name compressed keys only. */
const provenBy = (key: Uint8Array | null): ProvenKey | null =>
  key === null ? null : { publicKey: key.length === COMPRESSED_BYTES ? hexOf(key) : null }

/** The libraries throw on bytes that are no signature or no key. */
const provenKey = (known: DecodedAddress, message: string, bytes: Uint8Array): ProvenKey | null =>
  Result.getOrElse(
    Result.try(() => provenKeyOf(known, message, bytes)),
    () => null
  )

const checkSignature = (
  known: DecodedAddress,
  message: string,
  signature: string
): Result.Result<ProvenKey, string> => {
  if (known.kind === "P2WSH") return Result.fail(SCRIPT_ADDRESS)
  if (OTHER_PREFIX.test(signature)) return Result.fail(OTHER_FORM)
  const isLegacy = known.kind === "P2PKH" || known.kind === "P2SH"
  const text = !isLegacy && signature.startsWith(SIMPLE_PREFIX) ? signature.slice(SIMPLE_PREFIX.length) : signature
  const bytes = text.length > SIGNATURE_TEXT_MAX ? null : bytesOf(text)
  if (bytes === null) return Result.fail(NO_FORM)
  const proven = provenKey(known, message, bytes)
  if (proven !== null) return Result.succeed(proven)
  return Result.fail(
    known.kind === "P2SH" ? `${WRONG} Of addresses 3…, only P2SH-P2WPKH can be proved. ${SCRIPT_ADDRESS}` : WRONG
  )
}

export const checkProof = ({ address, message, signature }: BitcoinProof): Result.Result<ProvenKey, string> =>
  Result.flatMap(
    Result.mapError(decodeAddress(address), ({ reason }) => reason),
    (known) => checkSignature(known, message, signature)
  )
