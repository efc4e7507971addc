import { Schema } from "effect"

/**
 * How a simulated bridge handles deposits. PAY: pays them out a number of seconds after their block. REFUND: refunds
 * them. LIE: reports a payout transaction that does not exist. HALT: does nothing, and returns no quotes.
 */
export const VaultMode = Schema.Union([
  Schema.Struct({
    mode: Schema.Literal("PAY"),
    delaySeconds: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 604_800 }))
  }),
  Schema.Struct({ mode: Schema.Literals(["REFUND", "LIE", "HALT"]) })
])
export type VaultMode = typeof VaultMode.Type

export const PAY_IMMEDIATELY: VaultMode = { mode: "PAY", delaySeconds: 0 }

/** Returns whether a deposit must be handled now. Only the mode PAY has a delay. */
export const isDue = (mode: VaultMode, blockSeconds: number, nowSeconds: number): boolean =>
  mode.mode !== "PAY" || blockSeconds + mode.delaySeconds <= nowSeconds
