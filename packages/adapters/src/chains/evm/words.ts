import { BoundedMap } from "@countersign/core/foundation/primitives"
import { concat, type Hex, hexToBigInt, keccak256, numberToHex, pad } from "viem"

/** `abi.encode` of values of one word each. A quote hashes many: this is faster than the generic encoder. */
export const words = (...values: ReadonlyArray<Hex | bigint>): Hex =>
  concat(
    values.map((value) => (typeof value === "bigint" ? numberToHex(value, { size: 32 }) : pad(value, { size: 32 })))
  )

const latestHashes = new BoundedMap<Hex, Hex>(100)

/** The hash of bytes of any length: computed once for bytes in several hashes of an operation. */
export const hashOfBytes = (bytes: Hex): Hex => {
  const latestHash = latestHashes.get(bytes)
  if (latestHash !== undefined) return latestHash
  const hash = keccak256(bytes)
  latestHashes.set(bytes, hash)
  return hash
}

/** A word of a function's or event's data. Throws if there are fewer. */
export const wordAt = (data: Hex, index: number): bigint =>
  hexToBigInt(`0x${data.slice(2 + index * 64, 66 + index * 64)}`)
