import type { ConfirmationPolicy } from "@countersign/core/bitcoin/payments"
import { baseUnitsOrNone, DecimalString } from "@countersign/core/foundation/primitives"
import { Config, Effect, Option, Schema } from "effect"
import { SettingInvalid } from "./SettingInvalid.ts"

const BITCOIN_DECIMALS = 8
/** A block as deep as miners' coins become spendable. */
const MOST = 100
const DEFAULT = "6"

const stepOrNull = (text: string): ConfirmationPolicy[number] | null => {
  const [count = "", from = "0", ...rest] = text.trim().split(":")
  const confirmations = Number(count)
  const amount = Schema.is(DecimalString)(from) ? Option.getOrNull(baseUnitsOrNone(from, BITCOIN_DECIMALS)) : null
  return /^\d{1,3}$/u.test(count) && confirmations >= 1 && confirmations <= MOST && amount !== null && rest.length === 0
    ? { fromAmount: amount, confirmations }
    : null
}

/** How many confirmations a payment needs: a number, or numbers each with the amount in BTC from which it holds. */
export const confirmationPolicy = Effect.fnUntraced(function* (
  name: string
): Effect.fn.Return<ConfirmationPolicy, SettingInvalid | Config.ConfigError> {
  const text = Option.getOrElse(yield* Config.option(Config.String(name)), () => DEFAULT)
  const steps = text.split(",").map(stepOrNull)
  return steps.every((step) => step !== null)
    ? steps
    : yield* new SettingInvalid({ name, expected: "a list such as 1,3:0.1,6:1, with 1 to 100 confirmations each" })
})
