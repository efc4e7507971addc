import { Schema } from "effect"
import { EvmChainId } from "../../../foundation/chains/index.ts"
import { Address } from "../../../foundation/primitives/index.ts"
import { UnpaidGas } from "../../losses/index.ts"
import { Use } from "../../quotes/index.ts"

/** The most that operations take of one token of a wallet, in base units. */
export const Spending = Schema.Struct({
  token: Address,
  /** The amount that their calls send out of the wallet. */
  value: Schema.BigInt,
  /**
   * The part of `value` that uses which last beyond the operations' block still take, such as a provider's pull. Fees leave with
   * the operations. All of `value` where missing.
   */
  held: Schema.optionalKey(Schema.BigInt),
  /** The highest cost of their gas. */
  gas: Schema.BigInt
})
export type Spending = typeof Spending.Type

/** The units reserved for an execution, on the chain of its operations. */
export const Reservation = Schema.Struct({
  chainId: EvmChainId,
  spending: Schema.Array(Spending),
  uses: Schema.Array(Use),
  /** The nonces of its operations: once all are used, it takes nothing more. */
  nonces: Schema.Array(Schema.BigInt),
  /** The block that has its operations: balances read there, or later, are without what it took. Null before that. */
  block: Schema.NullOr(Schema.BigInt),
  /** Whether its operations are in a block and its uses last beyond that. Then `block` is null, and its gas is paid. */
  isHeld: Schema.optionalKey(Schema.Boolean),
  /** The gas that its operations may leave unpaid; null where they can't. */
  unpaid: Schema.NullOr(UnpaidGas)
})
export type Reservation = typeof Reservation.Type
