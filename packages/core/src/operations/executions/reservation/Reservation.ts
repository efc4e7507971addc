import { Schema } from "effect"
import { EvmChainId } from "../../../foundation/chains/index.ts"
import { Address } from "../../../foundation/primitives/index.ts"
import { UnpaidGas } from "../../losses/index.ts"
import { Use } from "../../quotes/index.ts"

/** The maximum amount of one of the wallet's tokens that operations spend, in base units. */
export const Spending = Schema.Struct({
  token: Address,
  /** The amount that the calls of the operations send out of the wallet. */
  value: Schema.BigInt,
  /**
   * The part of `value` that uses spend after the operations' block, such as a provider's transferFrom. Fees are not
   * part of it, because they are paid with the operations. If absent, all of `value`.
   */
  held: Schema.optionalKey(Schema.BigInt),
  /** The maximum gas cost of the operations. */
  gas: Schema.BigInt
})
export type Spending = typeof Spending.Type

/** The amounts reserved for an execution, on the chain of its operations. */
export const Reservation = Schema.Struct({
  chainId: EvmChainId,
  spending: Schema.Array(Spending),
  uses: Schema.Array(Use),
  /** The nonces of the operations. Once all nonces are used, the operations spend nothing more. */
  nonces: Schema.Array(Schema.BigInt),
  /**
   * The block with the operations. Balances at this block or later no longer include the spent amounts. Null if no
   * block includes the operations yet.
   */
  block: Schema.NullOr(Schema.BigInt),
  /** Whether the operations are in a block, and their uses last longer. Then `block` is null, and the gas is paid. */
  isHeld: Schema.optionalKey(Schema.Boolean),
  /** The gas that the operations may leave unpaid; null if they can't leave gas unpaid. */
  unpaid: Schema.NullOr(UnpaidGas)
})
export type Reservation = typeof Reservation.Type
