import { Data } from "effect"
import type { Address } from "../../../foundation/primitives/index.ts"
import type { Spending } from "./Reservation.ts"

/** A wallet's balance of a token. */
export interface Holding {
  readonly balance: bigint
  /** Amount that is prepaid for gas: the deposit at the EntryPoint for the native token, zero for other tokens. */
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

/** The balance of a token is too low for one more operation. `nonces` are the nonces of the pending operations. */
export class Shortage extends Data.TaggedError("Shortage")<ShortToken & { readonly nonces: ReadonlyArray<bigint> }> {}

const requiredAmountOf = (spending: ReadonlyArray<Spending>, prepaidGas: bigint): bigint => {
  const value = spending.reduce((sum, one) => sum + one.value, 0n)
  const gas = spending.reduce((sum, one) => sum + one.gas, 0n)
  return value + (gas > prepaidGas ? gas - prepaidGas : 0n)
}

/**
 * Returns the first token whose balance is too low for the operation and the pending operations together. Null if every
 * balance is sufficient. If no pending operation needs the token, only the amount that the calls send is checked, and
 * the simulation decides about the gas: a wallet may be able to pay the actual gas cost, but not the maximum.
 */
export const shortageOf = (
  spending: ReadonlyArray<Spending>,
  others: ReadonlyArray<Spending>,
  holdingOf: (token: Address) => Holding
): ShortToken | null => {
  for (const ownSpending of spending) {
    const competingSpendings = others.filter(({ token }) => token === ownSpending.token)
    const { balance, prepaidGas } = holdingOf(ownSpending.token)
    const reservedUnits = requiredAmountOf(competingSpendings, prepaidGas)
    const neededUnits =
      competingSpendings.length === 0
        ? ownSpending.value
        : requiredAmountOf([...competingSpendings, ownSpending], prepaidGas) - reservedUnits
    if (reservedUnits + neededUnits > balance)
      return { token: ownSpending.token, balance, promised: reservedUnits, needed: neededUnits }
  }
  return null
}
