import * as secp256k1 from "@bitcoinerlab/secp256k1"
import type { BitcoinAddressKind, BitcoinAddressRefusal, ParsedBitcoinAddress } from "@countersign/core/bitcoin/chain"
import { BitcoinAddress, type HexBytes } from "@countersign/core/foundation/primitives"
import { address as codec, initEccLib, networks } from "bitcoinjs-lib"
import { Result, Schema } from "effect"
import { hexOf } from "./bytes.ts"

// `bitcoinjs-lib` requires a curve implementation to validate P2TR keys.
initEccLib(secp256k1)

/** A decoded address and its program: the hash of a key or script, or the key itself for P2TR. */
export interface DecodedAddress extends ParsedBitcoinAddress {
  readonly program: Uint8Array
}

const refusals: Readonly<Record<BitcoinAddressRefusal["code"], string>> = {
  not_bitcoin: "Expected a Bitcoin mainnet address: 1…, 3…, bc1q… or bc1p…, the last two in lower case.",
  wrong_checksum: "The checksum of this Bitcoin address is wrong. Check each character.",
  other_network: "This address belongs to a Bitcoin test network. Use a mainnet address.",
  unknown_witness_version: "This witness version has no consensus rules yet, so anyone could spend from the address.",
  wrong_length: "The witness program of this address has an invalid length for its version.",
  anchor: "This is a P2A output (pay to anchor): it has no owner, and anyone can spend from it.",
  not_on_curve: "The key in this taproot address is invalid, so no one could spend from it."
}

const refusal = (code: BitcoinAddressRefusal["code"]): BitcoinAddressRefusal => ({ code, reason: refusals[code] })
const refuse = (code: BitcoinAddressRefusal["code"]) => Result.fail(refusal(code))

const TEST_PREFIXES: ReadonlyArray<string> = [networks.testnet.bech32, networks.regtest.bech32]
const TEST_VERSIONS: ReadonlyArray<number> = [networks.testnet.pubKeyHash, networks.testnet.scriptHash]
const ANCHOR_PROGRAM = "4e73"

type DecodeResult = Result.Result<Omit<DecodedAddress, "address">, BitcoinAddressRefusal>

const decodeSuccess = (kind: BitcoinAddressKind, program: Uint8Array): DecodeResult => Result.succeed({ kind, program })

const decodeBase58 = (text: string): DecodeResult => {
  const { hash, version } = codec.fromBase58Check(text)
  if (version === networks.bitcoin.pubKeyHash) return decodeSuccess("P2PKH", hash)
  if (version === networks.bitcoin.scriptHash) return decodeSuccess("P2SH", hash)
  return refuse(TEST_VERSIONS.includes(version) ? "other_network" : "not_bitcoin")
}

const decodeTaproot = (program: Uint8Array): DecodeResult => {
  if (Buffer.from(program).toString("hex") === ANCHOR_PROGRAM) return refuse("anchor")
  if (program.length !== 32) return refuse("wrong_length")
  return secp256k1.isXOnlyPoint(program) ? decodeSuccess("P2TR", program) : refuse("not_on_curve")
}

const decodeBech32 = (text: string): DecodeResult => {
  const { data, prefix, version } = codec.fromBech32(text)
  if (TEST_PREFIXES.includes(prefix)) return refuse("other_network")
  if (prefix !== networks.bitcoin.bech32) return refuse("not_bitcoin")
  if (version === 1) return decodeTaproot(data)
  if (version !== 0) return refuse("unknown_witness_version")
  if (data.length === 20) return decodeSuccess("P2WPKH", data)
  return data.length === 32 ? decodeSuccess("P2WSH", data) : refuse("wrong_length")
}

const BASE58_TEXT = /^[123mn][1-9A-HJ-NP-Za-km-z]{25,34}$/u
const BECH32_TEXT = /^(?:bc|tb|bcrt)1[02-9ac-hj-np-z]{6,83}$/u

/** Decodes an address and its program. Fails with the reason if the address is invalid. */
export const decodeAddress = (text: string): Result.Result<DecodedAddress, BitcoinAddressRefusal> => {
  const decode = BECH32_TEXT.test(text) ? decodeBech32 : BASE58_TEXT.test(text) ? decodeBase58 : null
  if (decode === null) return refuse("not_bitcoin")
  const decodeResult = Result.try({ try: () => decode(text), catch: () => refusal("wrong_checksum") })
  if (Result.isFailure(decodeResult)) return Result.fail(decodeResult.failure)
  return Result.flatMap(decodeResult.success, (decodedProgram) =>
    Schema.is(BitcoinAddress)(text) ? Result.succeed({ ...decodedProgram, address: text }) : refuse("not_bitcoin")
  )
}

export const addressToScript = (address: BitcoinAddress): HexBytes =>
  hexOf(codec.toOutputScript(address, networks.bitcoin))

/** The supported output script types that have an address: the pattern of each, and how its hash or key is encoded. */
const addressEncodings: ReadonlyArray<readonly [RegExp, (program: Uint8Array) => string]> = [
  [/^0x76a914([\da-f]{40})88ac$/u, (hash) => codec.toBase58Check(hash, networks.bitcoin.pubKeyHash)],
  [/^0xa914([\da-f]{40})87$/u, (hash) => codec.toBase58Check(hash, networks.bitcoin.scriptHash)],
  [/^0x0014([\da-f]{40})$/u, (hash) => codec.toBech32(hash, 0, networks.bitcoin.bech32)],
  [/^0x0020([\da-f]{64})$/u, (hash) => codec.toBech32(hash, 0, networks.bitcoin.bech32)],
  [/^0x5120([\da-f]{64})$/u, (key) => codec.toBech32(key, 1, networks.bitcoin.bech32)]
]

/**
 * Returns the address of an output script; null if the script has another type. Does not check that a P2TR key is on
 * the curve.
 */
export const scriptToAddress = (script: HexBytes): BitcoinAddress | null => {
  for (const [form, addressOf] of addressEncodings) {
    const program = form.exec(script)?.[1]
    if (program !== undefined) return BitcoinAddress.make(addressOf(Uint8Array.from(Buffer.from(program, "hex"))))
  }
  return null
}
