import { Context } from "effect"

/**
 * Number of confirmations that complete a payment, by amount in satoshis. The highest number among the entries whose
 * `fromAmount` the amount reaches applies, and at least 1.
 */
export type ConfirmationPolicy = ReadonlyArray<{ readonly fromAmount: bigint; readonly confirmations: number }>

export const ConfirmationPolicy = Context.Reference<ConfirmationPolicy>(
  "@countersign/core/bitcoin-payments/ConfirmationPolicy",
  { defaultValue: () => [{ fromAmount: 0n, confirmations: 6 }] }
)

export const confirmationsFor = (policy: ConfirmationPolicy, amount: bigint): number =>
  policy
    .filter(({ fromAmount }) => fromAmount <= amount)
    .reduce((maximum, { confirmations }) => Math.max(maximum, confirmations), 1)
