import { concat, type Hex, hexToBigInt, numberToHex, pad } from "viem"

/** `abi.encode` of values that take one word each. A quote hashes many: this spares it the generic encoder. */
export const words = (...values: ReadonlyArray<Hex | bigint>): Hex =>
  concat(
    values.map((value) => (typeof value === "bigint" ? numberToHex(value, { size: 32 }) : pad(value, { size: 32 })))
  )

/** One of the words that a function or an event answers. Throws where there are fewer. */
export const wordAt = (data: Hex, index: number): bigint =>
  hexToBigInt(`0x${data.slice(2 + index * 64, 66 + index * 64)}`)
