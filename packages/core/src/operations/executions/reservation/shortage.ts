import { Data } from "effect"
import type { Address } from "../../../foundation/primitives/index.ts"
import type { Spending } from "./Reservation.ts"

/** A wallet's balance of a token. */
export interface Holding {
  readonly balance: bigint
  /** The prepaid amount for gas: the deposit at the EntryPoint for the native token, else zero. */
  readonly prepaidGas: bigint
}

/** Amounts are in base units. */
interface ShortToken {
  readonly token: Address
  readonly balance: bigint
  /** The amount that the other operations have reserved. */
  readonly promised: bigint
  /** The amount that this operation needs in addition. */
  readonly needed: bigint
}

/** A token whose balance is too low for one more operation, with the nonces of the pending ones. */
export class Shortage extends Data.TaggedError("Shortage")<ShortToken & { readonly nonces: ReadonlyArray<bigint> }> {}

const needOf = (spending: ReadonlyArray<Spending>, prepaidGas: bigint): bigint => {
  const value = spending.reduce((sum, one) => sum + one.value, 0n)
  const gas = spending.reduce((sum, one) => sum + one.gas, 0n)
  return value + (gas > prepaidGas ? gas - prepaidGas : 0n)
}

/**
 * The first token whose balance is too low for an operation beside the pending ones; null if it is sufficient. If no
 * other operation needs the token, only the amount that the calls send is checked, because the block may be later than
 * that of the simulation. The rest is left to that simulation: a wallet may pay for the gas of one operation without
 * having its maximum cost.
 */
export const shortageOf = (
  spending: ReadonlyArray<Spending>,
  others: ReadonlyArray<Spending>,
  holdingOf: (token: Address) => Holding
): ShortToken | null => {
  for (const own of spending) {
    const rivals = others.filter(({ token }) => token === own.token)
    const { balance, prepaidGas } = holdingOf(own.token)
    const promised = needOf(rivals, prepaidGas)
    const needed = rivals.length === 0 ? own.value : needOf([...rivals, own], prepaidGas) - promised
    if (promised + needed > balance) return { token: own.token, balance, promised, needed }
  }
  return null
}
