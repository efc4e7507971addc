import { Data } from "effect"
import type { Address } from "../../../foundation/primitives/index.ts"
import type { Spending } from "./Reservation.ts"

/** A wallet's balance of a token. */
export interface Holding {
  readonly balance: bigint
  /** The amount that it has paid in advance for gas: for the chain's coin its deposit at the EntryPoint, else zero. */
  readonly prepaidGas: bigint
}

/** Amounts are in base units. */
interface ShortToken {
  readonly token: Address
  readonly balance: bigint
  /** The amount that the other operations need. */
  readonly promised: bigint
  /** The amount that this operation needs in addition. */
  readonly needed: bigint
}

/** A token of which a wallet does not hold enough for one more operation, and the nonces of the others under way. */
export class Shortage extends Data.TaggedError("Shortage")<ShortToken & { readonly nonces: ReadonlyArray<bigint> }> {}

const needOf = (spending: ReadonlyArray<Spending>, prepaidGas: bigint): bigint => {
  const value = spending.reduce((sum, one) => sum + one.value, 0n)
  const gas = spending.reduce((sum, one) => sum + one.gas, 0n)
  return value + (gas > prepaidGas ? gas - prepaidGas : 0n)
}

/**
 * The first token of which the wallet does not hold enough for an operation beside the others that are under way; null
 * where it holds enough. Where no other needs the token, only what the calls send is looked at, because the block may be
 * later than the one that the operation was simulated on. The rest is left to that simulation: a wallet may pay for the
 * gas of one operation that could not pay the most that it may cost.
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
