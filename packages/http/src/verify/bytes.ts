import { keccak_256 } from "@noble/hashes/sha3.js"
import { bytesToHex, hexToBytes, utf8ToBytes } from "@noble/hashes/utils.js"

/** `0x` followed by an even number of lower-case hexadecimal digits. */
export type Bytes = `0x${string}`

/** The data is malformed or cannot be decoded. The message is part of a human-readable sentence. */
export class Unreadable extends Error {}

/** Normalizes hexadecimal bytes to lower case. */
export const bytes = (value: unknown): Bytes => {
  if (typeof value !== "string" || !/^0x(?:[0-9a-f]{2})*$/iu.test(value))
    throw new Unreadable(`${value} is not hexadecimal`)
  return value.toLowerCase() as Bytes
}

/** Normalizes an address to lower case. */
export const address = (value: unknown): Bytes => {
  const text = bytes(value)
  if (text.length !== 42) throw new Unreadable(`${text} is not an address`)
  return text
}

/** Parses a non-negative integer of at most 256 bits from a number or a decimal string. */
export const parseInteger = (value: unknown): bigint => {
  const isInteger =
    typeof value === "string" ? /^\d{1,78}$/u.test(value) : Number.isSafeInteger(value) && Number(value) >= 0
  const number = isInteger ? BigInt(value as string | number) : -1n
  if (number < 0n || number >> 256n !== 0n) throw new Unreadable(`${value} is not an integer from 0 to 2^256 - 1`)
  return number
}

export const concat = (...parts: ReadonlyArray<Bytes>): Bytes => `0x${parts.map((part) => part.slice(2)).join("")}`

export const sizeOf = (data: Bytes): number => data.length / 2 - 1

export const slice = (data: Bytes, start: number, end = sizeOf(data)): Bytes => {
  if (end > sizeOf(data)) throw new Unreadable("the data ends too early")
  return `0x${data.slice(2 + 2 * start, 2 + 2 * end)}`
}

/** Encodes a number as `size` bytes, big-endian. */
export const numberBytes = (value: bigint, size: number): Bytes => {
  const digits = value.toString(16).padStart(2 * size, "0")
  if (digits.length > 2 * size) throw new Unreadable(`${value} has more than ${size} bytes`)
  return `0x${digits}`
}

export const numberIn = (data: Bytes): bigint => (data === "0x" ? 0n : BigInt(data))

export const word = (value: bigint): Bytes => numberBytes(value, 32)

export const addressWord = (value: Bytes): Bytes => `0x${value.slice(2).padStart(64, "0")}`

export const keccak = (data: Bytes): Bytes => `0x${bytesToHex(keccak_256(hexToBytes(data.slice(2))))}`

export const textBytes = (text: string): Bytes => `0x${bytesToHex(utf8ToBytes(text))}`

export const smallest = (a: bigint, b: bigint): bigint => (a < b ? a : b)

/** Returns the largest of several integers. */
export const largest = (...values: readonly [bigint, ...ReadonlyArray<bigint>]): bigint => {
  let [maxAmount] = values
  for (const value of values) if (value > maxAmount) maxAmount = value
  return maxAmount
}
