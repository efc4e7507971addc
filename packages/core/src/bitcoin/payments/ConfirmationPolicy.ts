import { Context } from "effect"

/**
 * Number of confirmations that complete a payment, by amount in satoshis. An entry applies to amounts of at least its
 * `fromAmount`. If several entries apply, the highest number counts. The minimum is 1.
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
