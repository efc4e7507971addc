import type { HexBytes } from "../../../foundation/primitives/index.ts"
import { feeRoundingUp, outputWeight } from "./weights.ts"

/**
 * The dust relay fee rate. Nodes do not relay an output that would cost more to spend at this rate than its value
 * (Bitcoin Core, `DEFAULT_DUST_RELAY_TX_FEE`).
 */
const DUST_RATE = 3_000n
/** Bytes that nodes assume for the input that spends the output. */
const SPENDING_BYTES = { legacy: 148, witness: 67 } as const

const WITNESS_PROGRAM = /^0x(?:00|5[1-9a-f]|60)(?<length>[0-9a-f]{2})(?<program>[0-9a-f]*)$/u

const isWitnessProgram = (script: HexBytes): boolean => {
  const { length = "", program = "" } = WITNESS_PROGRAM.exec(script)?.groups ?? {}
  const bytes = Number.parseInt(length, 16)
  return bytes >= 2 && bytes <= 40 && program.length === 2 * bytes
}

export const scriptBytes = (script: HexBytes): number => (script.length - 2) / 2

/**
 * Returns the minimum value in satoshis at which nodes relay an output with this script (Bitcoin Core,
 * `GetDustThreshold`). Zero for data outputs.
 */
export const dustLimit = (script: HexBytes): bigint => {
  if (script.startsWith("0x6a")) return 0n
  const spendingBytes = SPENDING_BYTES[isWitnessProgram(script) ? "witness" : "legacy"]
  return feeRoundingUp(outputWeight(scriptBytes(script)) + 4 * spendingBytes, DUST_RATE)
}
