import { BoundedMap } from "@countersign/core/foundation/primitives"
import { concat, type Hex, hexToBigInt, keccak256, numberToHex, pad } from "viem"

/**
 * Encodes values of one word each, like `abi.encode`. A quote hashes many of them, and this encoder is faster than the
 * generic one.
 */
export const encodeWords = (...values: ReadonlyArray<Hex | bigint>): Hex =>
  concat(
    values.map((value) => (typeof value === "bigint" ? numberToHex(value, { size: 32 }) : pad(value, { size: 32 })))
  )

const latestHashes = new BoundedMap<Hex, Hex>(100)

/** Hashes bytes of any length. Cached, because several hashes of an operation include the same bytes. */
export const hashBytes = (bytes: Hex): Hex => {
  const latestHash = latestHashes.get(bytes)
  if (latestHash !== undefined) return latestHash
  const hash = keccak256(bytes)
  latestHashes.set(bytes, hash)
  return hash
}

/** Returns a word of the data of a function or event. Throws if the data end before the word begins. */
export const wordAt = (data: Hex, index: number): bigint =>
  hexToBigInt(`0x${data.slice(2 + index * 64, 66 + index * 64)}`)
