import { Schema } from "effect"
import type { EmulatorResponse } from "./emulator.ts"

/** Decodes request parameters and builds error responses of LI.FI's API. */

const Text = Schema.String
export const Slippage = Text.check(Schema.isPattern(/^(?:0(?:\.\d+)?|1)$/u))

/** Returns the slippage in basis points. LI.FI's default is 0.5 %. */
export const slippageBpsOf = (slippage: string | undefined): bigint =>
  BigInt(Math.round(Number(slippage ?? "0.005") * 10_000))

/** Error codes from LI.FI's documentation. */
export const INVALID = 1011
export const NO_QUOTE = 1002

export const refusal = (status: number, code: number, message: string): EmulatorResponse => ({
  status,
  body: { message, code, errors: { filteredOut: [], failed: [] } }
})
