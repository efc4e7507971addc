import type { HexBytes } from "../../foundation/primitives/index.ts"
import {
  type CoinSelection,
  dustLimit,
  type FeeRate,
  feeRoundingUp,
  type Output,
  type SpendableKind,
  scriptBytes,
  selectCoins,
  spendAllCoins,
  sumOf,
  transactionWeight
} from "../chain/index.ts"

export interface PaymentOrder {
  readonly kind: SpendableKind
  /** The wallet's script, which is the script of its UTXOs and of the change. */
  readonly script: HexBytes
  readonly feeRate: FeeRate
  readonly longTermFeeRate: FeeRate
  /** The outputs to the receivers, and the fees that are deducted from the amount. */
  readonly outputs: ReadonlyArray<Output>
  /**
   * WALLET: the wallet pays the miner fee in addition to the outputs. FIRST_OUTPUT: it is deducted from the first
   * receiver's amount. ALL: the first receiver gets the complete balance minus the other outputs and the fee.
   */
  readonly feeFrom: "ALL" | "FIRST_OUTPUT" | "WALLET"
}

export type PaymentPlan<C> =
  | { readonly _tag: "Payment"; readonly selection: CoinSelection<C> }
  /** All UTXOs together are not sufficient. */
  | { readonly _tag: "Missing"; readonly available: bigint; readonly missing: bigint }
  /** After the fee is deducted, the first output is below the dust limit. */
  | { readonly _tag: "Dust"; readonly remainder: bigint; readonly minOutput: bigint; readonly fee: bigint }

/** Returns the amount that is missing if the payment spends all UTXOs. */
const missingOf = <C extends { readonly value: bigint }>(
  order: PaymentOrder,
  utxos: ReadonlyArray<C>
): PaymentPlan<C> => {
  const { feeFrom, feeRate, kind, outputs } = order
  const weight = transactionWeight(
    kind,
    Math.max(1, utxos.length),
    outputs.map(({ script }) => ({ bytes: scriptBytes(script) }))
  )
  const fee = feeFrom === "FIRST_OUTPUT" ? 0n : feeRoundingUp(weight, feeRate)
  const available = sumOf(utxos)
  const minOutput = feeFrom === "ALL" && outputs[0] !== undefined ? dustLimit(outputs[0].script) : 0n
  const missingAmount = sumOf(outputs) + fee + minOutput - available
  return { _tag: "Missing", available, missing: missingAmount > 0n ? missingAmount : 1n }
}

/** Selects UTXOs for a payment from as few groups as necessary. Groups are sorted by preference. */
export const planPayment = <C extends { readonly value: bigint }>(
  groups: ReadonlyArray<ReadonlyArray<C>>,
  order: PaymentOrder,
  random: () => number
): PaymentPlan<C> => {
  const { feeFrom, script, ...terms } = order
  let utxos: ReadonlyArray<C> = []
  let plan: PaymentPlan<C> | null = null
  for (const group of groups) {
    utxos = [...utxos, ...group]
    const selection =
      feeFrom === "ALL"
        ? spendAllCoins(utxos, terms)
        : selectCoins(utxos, { ...terms, changeScript: script, feeFrom }, random)
    if (selection === null) continue
    const [first] = selection.outputs
    const minOutput = first === undefined ? 0n : dustLimit(first.script)
    if (first === undefined || first.value >= minOutput) return { _tag: "Payment", selection }
    plan = { _tag: "Dust", remainder: first.value, minOutput, fee: selection.fee }
  }
  return plan ?? missingOf(order, utxos)
}
