import type { Address, Hash32, HexBytes } from "@countersign/core/foundation/primitives"
import { hashMessage, hexToBigInt, numberToHex, recoverAddress, slice } from "viem"
import { addressFromHex, bytesFromHex, hash32FromHex } from "../hex.ts"

/**
 * A well-formed signature that matches no owner. With it the account reports an invalid signature; with malformed bytes
 * it would revert.
 */
export const stubEcdsaSignature = bytesFromHex(`0x${"f".repeat(31)}${"0".repeat(33)}7${"a".repeat(63)}1c`)

/** Half of secp256k1's order. Contracts reject signatures with a larger s, because they are malleable. */
const HALF_ORDER = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n

export interface EcdsaSignature {
  readonly r: bigint
  readonly s: bigint
  readonly yParity: 0 | 1
}

/**
 * Parses r ‖ s ‖ v (65 bytes), with v of 0, 1, 27 or 28. Null for any other bytes, and for a malleable signature (large
 * s).
 */
export const parseEcdsaSignature = (signature: HexBytes): EcdsaSignature | null => {
  if (signature.length !== 2 + 2 * 65) return null
  const r = hexToBigInt(slice(signature, 0, 32))
  const s = hexToBigInt(slice(signature, 32, 64))
  const v = Number(slice(signature, 64, 65))
  const yParity = v === 0 || v === 27 ? 0 : v === 1 || v === 28 ? 1 : null
  return yParity === null || r === 0n || s === 0n || s > HALF_ORDER ? null : { r, s, yParity }
}

/**
 * Returns the signature with v of 27 or 28, the only values that contracts accept. An invalid signature is returned
 * unchanged.
 */
export const withCanonicalV = (signature: HexBytes): HexBytes => {
  const parsedSignature = parseEcdsaSignature(signature)
  if (parsedSignature === null) return signature
  return bytesFromHex(`${signature.slice(0, -2)}${numberToHex(27 + parsedSignature.yParity).slice(2)}`)
}

/** Recovers the address whose key signed the digest; null if the bytes are not a valid signature. */
export const recoverDigestSigner = async (digest: Hash32, signature: HexBytes): Promise<Address | null> => {
  if (parseEcdsaSignature(signature) === null) return null
  try {
    const signer = await recoverAddress({ hash: digest, signature: withCanonicalV(signature) })
    return addressFromHex(signer)
  } catch {
    // r is not the x coordinate of a point on the curve.
    return null
  }
}

/** Computes the digest of `personal_sign` for 32 bytes (EIP-191). */
export const personalMessageDigest = (hash: Hash32): Hash32 => hash32FromHex(hashMessage({ raw: hash }))
