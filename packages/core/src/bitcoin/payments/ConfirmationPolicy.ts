import { Context } from "effect"

/** How many blocks a payment of so many satoshis needs before it counts as completed: of the greatest amount that it reaches. */
export type ConfirmationPolicy = ReadonlyArray<{ readonly fromAmount: bigint; readonly confirmations: number }>

export const ConfirmationPolicy = Context.Reference<ConfirmationPolicy>(
  "@countersign/core/bitcoin-payments/ConfirmationPolicy",
  { defaultValue: () => [{ fromAmount: 0n, confirmations: 6 }] }
)

export const confirmationsFor = (policy: ConfirmationPolicy, amount: bigint): number =>
  policy
    .filter(({ fromAmount }) => fromAmount <= amount)
    .reduce((most, { confirmations }) => Math.max(most, confirmations), 1)
