import { Schema } from "effect"
import type { EmulatorAnswer } from "./emulator.ts"

/** What LI.FI's API takes in a query, and how it refuses. */

const Text = Schema.String
export const Slippage = Text.check(Schema.isPattern(/^(?:0(?:\.\d+)?|1)$/u))

/** Half a percent where it is left out. */
export const slippageBpsOf = (slippage: string | undefined): bigint =>
  BigInt(Math.round(Number(slippage ?? "0.005") * 10_000))

/** Codes of LI.FI's documentation. */
export const INVALID = 1011
export const NO_QUOTE = 1002

export const refused = (status: number, code: number, message: string): EmulatorAnswer => ({
  status,
  body: { message, code, errors: { filteredOut: [], failed: [] } }
})
