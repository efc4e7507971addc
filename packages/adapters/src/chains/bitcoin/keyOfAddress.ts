import * as secp256k1 from "@bitcoinerlab/secp256k1"
import type { BitcoinAddress, HexBytes } from "@countersign/core/foundation/primitives"
import { crypto, payments } from "bitcoinjs-lib"
import { Result } from "effect"
import { areEqual, bytesOf, hexOf } from "./bytes.ts"
import { type DecodedAddress, decodeAddress } from "./readAddress.ts"

const COMPRESSED_BYTES = 33
const X_ONLY_BYTES = 32

const NO_KEY = "Expected a compressed secp256k1 public key in hexadecimal: 33 bytes"
const SCRIPT_ADDRESS = "This is a script address, so no single public key can spend from it. Omit `publicKey`."

const taprootKey = ({ program }: DecodedAddress, publicKeyBytes: Uint8Array): Result.Result<HexBytes, string> => {
  const internalPubkey = publicKeyBytes.length === COMPRESSED_BYTES ? publicKeyBytes.slice(1) : publicKeyBytes
  if (internalPubkey.length !== X_ONLY_BYTES || !secp256k1.isXOnlyPoint(internalPubkey)) {
    return Result.fail(`${NO_KEY}, or its x coordinate, 32 bytes.`)
  }
  if (areEqual(payments.p2tr({ internalPubkey }).pubkey!, program)) return Result.succeed(hexOf(internalPubkey))
  return Result.fail(
    areEqual(internalPubkey, program)
      ? "This is the output key of the address. Send the internal key, which is the key before the tweak (BIP-86)."
      : "The address does not match this key without scripts (BIP-86). Send the internal key of the address."
  )
}

const hashedKey = ({ kind, program }: DecodedAddress, pubkey: Uint8Array): Result.Result<HexBytes, string> => {
  if (pubkey.length !== COMPRESSED_BYTES || !secp256k1.isPoint(pubkey)) return Result.fail(`${NO_KEY}.`)
  const hash = kind === "P2SH" ? crypto.hash160(payments.p2wpkh({ pubkey }).output!) : crypto.hash160(pubkey)
  return areEqual(hash, program)
    ? Result.succeed(hexOf(pubkey))
    : Result.fail(
        kind === "P2SH"
          ? "The address is not the P2SH-P2WPKH address of this key."
          : "The address does not match this key."
      )
}

/** Converts a public key to the format of PSBTs. Fails if the key does not belong to the address. */
export const keyOfAddress = (address: BitcoinAddress, publicKey: HexBytes): Result.Result<HexBytes, string> =>
  Result.flatMap(
    Result.mapError(decodeAddress(address), ({ reason }) => reason),
    (decodedAddress) => {
      if (decodedAddress.kind === "P2WSH") return Result.fail(SCRIPT_ADDRESS)
      return (decodedAddress.kind === "P2TR" ? taprootKey : hashedKey)(decodedAddress, bytesOf(publicKey))
    }
  )
