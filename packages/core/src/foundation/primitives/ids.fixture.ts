import { DateTime } from "effect"
import { Address, BitcoinAddress, Hash32 } from "./Hex.ts"

let lastNumber = 0

const nextId = (digits: number): string => {
  lastNumber += 1
  return lastNumber.toString(16).padStart(digits, "0")
}

/** Returns a unique id for a test. The ids are the same in every run. */
export const aUuid = (): string => `00000000-0000-4000-8000-${nextId(12)}`
export const anAddress = (): Address => Address.make(`0x${nextId(40)}`)
/** Returns an address with a valid format and an invalid checksum. */
export const aBitcoinAddress = (): BitcoinAddress =>
  BitcoinAddress.make(`bc1q${nextId(38).replaceAll("1", "q").replaceAll("b", "p")}`)
export const aHash = (): Hash32 => Hash32.make(`0x${nextId(64)}`)

/** Returns the instant that is this number of milliseconds after a fixed instant in 2026. */
export const at = (milliseconds: number): DateTime.Utc => DateTime.makeUnsafe(1_780_000_000_123 + milliseconds)
