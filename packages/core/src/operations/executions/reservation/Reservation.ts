import { Schema } from "effect"
import { EvmChainId } from "../../../foundation/chains/index.ts"
import { Address } from "../../../foundation/primitives/index.ts"
import { Use } from "../../quotes/index.ts"
import { MaxUnpaidGas } from "../../unpaid-gas/index.ts"

/** Maximum amounts of one of the wallet's tokens that operations spend, in base units. */
export const Spending = Schema.Struct({
  token: Address,
  /** Amount that the operations' calls send out of the wallet. */
  value: Schema.BigInt,
  /**
   * The part of `value` that may be spent after the operations' block, such as by a provider's `transferFrom`. It
   * excludes fees, because they are paid with the operations. If absent, it equals `value`.
   */
  held: Schema.optionalKey(Schema.BigInt),
  /** Maximum gas cost of the operations. */
  gas: Schema.BigInt
})
export type Spending = typeof Spending.Type

/** The amounts reserved for an execution, on the chain of its operations. */
export const Reservation = Schema.Struct({
  chainId: EvmChainId,
  spending: Schema.Array(Spending),
  uses: Schema.Array(Use),
  /** The nonces of the operations. After all nonces are used, only the `held` amounts may still be spent. */
  nonces: Schema.Array(Schema.BigInt),
  /**
   * The block of the operations. Balances at this block or later no longer include the spent amounts. Null if no block
   * includes the operations yet.
   */
  block: Schema.NullOr(Schema.BigInt),
  /**
   * Whether the operations are included, but some of their uses last longer. `block` is then null, and the gas is
   * already paid.
   */
  isHeld: Schema.optionalKey(Schema.Boolean),
  /** The gas that the operations may leave unpaid. Null if they can't leave gas unpaid. */
  unpaid: Schema.NullOr(MaxUnpaidGas)
})
export type Reservation = typeof Reservation.Type
