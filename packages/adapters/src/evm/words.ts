import { concat, type Hex, numberToHex, pad } from "viem"

/** What `abi.encode` makes of values that take one word each. A quote hashes many: this spares it the generic encoder. */
export const words = (...values: ReadonlyArray<Hex | bigint>): Hex =>
  concat(
    values.map((value) => (typeof value === "bigint" ? numberToHex(value, { size: 32 }) : pad(value, { size: 32 })))
  )
